import { closeSync, openSync, renameSync, statSync, writeSync } from 'node:fs';

/**
 * No library: rotating-file-stream destroys itself at the first ENOSPC and accepts no more data, and pino-roll numbers
 * its files, while the current file must keep its name, because the launcher and operators read it.
 */

export interface LogLimits {
  /** A file that would grow beyond this size is rotated. */
  readonly maxBytes: number;
  /** The number of rotated files; `.1` is the newest. */
  readonly keep: number;
}

/** The pause after a failed write, so that a full disk does not cost a system call per line. */
const retryMs = 1_000;
const lineFeed = 0x0a;

/**
 * The log of a process in a file rotated by size. A failed write (full disk, missing folder) drops its data without an
 * error; once writing works again, the log reports how much is missing.
 */
export class LogFile {
  private fd: number | null = null;
  private size = 0;
  private endsLine = true;
  private dropped = 0;
  private failedAt: number | null = null;

  constructor(
    private readonly path: string,
    private readonly limits: LogLimits,
    /** Called when writing begins to fail, and with null when it works again. */
    private readonly changed: (error: Error | null) => void,
    /** A monotonic clock, in milliseconds. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Appends a chunk, or drops it. Never throws. */
  write(chunk: Uint8Array | string): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (this.failedAt !== null && this.now() - this.failedAt < retryMs) {
      this.dropped += bytes.length;
      return;
    }
    try {
      this.rotate(bytes.length);
      if (this.dropped > 0)
        this.append(Buffer.from(`${this.endsLine ? '' : '\n'}${missing(this.dropped)}\n`));
      this.dropped = 0;
      this.append(bytes);
      if (this.failedAt === null) return;
      this.failedAt = null;
      this.changed(null);
    } catch (error) {
      this.dropped += bytes.length;
      const isNew = this.failedAt === null;
      this.failedAt = this.now();
      this.close();
      if (isNew) this.changed(error instanceof Error ? error : new Error(String(error)));
    }
  }

  close(): void {
    const { fd } = this;
    this.fd = null;
    if (fd === null) return;
    try {
      closeSync(fd);
    } catch {
      // A full disk may be reported only here; it is already handled.
    }
  }

  private append(bytes: Uint8Array): void {
    this.fd ??= this.open();
    for (let at = 0; at < bytes.length;) {
      const written = writeSync(this.fd, bytes, at);
      at += written;
      this.size += written;
      this.endsLine = bytes[at - 1] === lineFeed;
    }
  }

  private open(): number {
    const fd = openSync(this.path, 'a');
    this.size = statSync(this.path).size;
    return fd;
  }

  /** Rotates between two lines, unless a line has no end. */
  private rotate(comes: number): void {
    this.fd ??= this.open();
    const { maxBytes, keep } = this.limits;
    if (this.size === 0 || this.size + comes <= maxBytes) return;
    if (!this.endsLine && this.size + comes <= 2 * maxBytes) return;
    this.close();
    for (let n = keep; n >= 1; n--) {
      const from = n === 1 ? this.path : `${this.path}.${n - 1}`;
      if (statSync(from, { throwIfNoEntry: false })) renameSync(from, `${this.path}.${n}`);
    }
    this.fd = openSync(this.path, keep === 0 ? 'w' : 'a');
    this.size = 0;
  }
}

const missing = (bytes: number): string =>
  JSON.stringify({ level: 40, msg: 'the log could not be written; lines are missing', bytes });
