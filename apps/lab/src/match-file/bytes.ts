import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Text that is read in parts: a file, or a text in memory. */
export interface Bytes {
  readonly size: number;
  /** Reads from a position into a buffer. @returns the number of bytes read, 0 at the end */
  read(into: Uint8Array, from: number): number;
  close(): void;
}

/** @throws Error of the file system */
export function fileBytes(path: string): Bytes {
  const file = openSync(path, 'r');
  return {
    size: fstatSync(file).size,
    read: (into, from) => readSync(file, into, 0, into.length, from),
    close: () => closeSync(file),
  };
}

export function textBytes(text: string): Bytes {
  const bytes = Buffer.from(text);
  return {
    size: bytes.length,
    read(into, from) {
      const part = bytes.subarray(from, from + into.length);
      into.set(part);
      return part.length;
    },
    close: () => undefined,
  };
}

const chunkBytes = 1 << 16;
const newline = 0x0a;

/** Reads lines at positions. Positions that ascend read every byte once. */
export class LineReader {
  private chunk = Buffer.alloc(chunkBytes);
  private start = 0;
  private end = 0;

  constructor(private readonly bytes: Bytes) {}

  /** The line at a position, without its end, and the position of the next; null at the end. */
  at(position: number): { readonly text: string; readonly next: number } | null {
    if (position >= this.bytes.size) return null;
    if (position < this.start || position >= this.end) this.load(position);
    for (;;) {
      const from = position - this.start;
      const stop = this.chunk.subarray(0, this.end - this.start).indexOf(newline, from);
      const isLast = this.end >= this.bytes.size;
      if (stop < 0 && !isLast) {
        // The line goes past what is loaded: from its beginning, and twice as much where it is longer than that.
        if (from === 0) this.chunk = Buffer.alloc(this.chunk.length * 2);
        this.load(position);
        continue;
      }
      const last = stop < 0 ? this.end - this.start : stop;
      const text = this.chunk.toString('utf8', from, last);
      return { text: text.endsWith('\r') ? text.slice(0, -1) : text, next: this.start + last + 1 };
    }
  }

  private load(position: number): void {
    this.start = position;
    this.end = position;
    while (this.end - this.start < this.chunk.length) {
      const count = this.bytes.read(this.chunk.subarray(this.end - this.start), this.end);
      if (count === 0) break;
      this.end += count;
    }
  }
}
