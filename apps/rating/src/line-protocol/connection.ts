import type { Socket } from 'node:net';
import { fullBucket, refill, type TokenBucket } from './token-bucket.js';
import { readLine } from './command.js';
import { LineReader, type Line } from './line-reader.js';
import type { LineServer } from './line-server.js';
import type { LineSettings } from '../line-settings.js';
import { answerLine, errorLine, newSession, step, type Session } from './session.js';

/** The maximum number of lines of one connection that are processed concurrently. */
const maxConcurrentLines = 64;
/** How long a line may be on its way, or an answer unread. */
const stuckMs = 30_000;
/** TCP asks a silent peer after this time whether it is still there, then gives it up within two minutes. */
const keepAliveMs = 60_000;
const unavailableError = 'the weights are unavailable; try again later';

/**
 * One connection. Lines are answered in order. It stops reading while answers are pending, while the peer does not
 * read, and while the bucket is empty. So it buffers at most one chunk; the rest stays at the peer. It has no timers.
 */
export class Connection {
  private readonly reader: LineReader;
  private session: Session = newSession;
  private bucket: TokenBucket;
  private lastLineAtMs: number;
  /** Since when a line is incomplete or an answer unread, without progress; null if neither is. */
  private stuckSinceMs: number | null = null;
  private isWorking = false;
  /** The peer has ended its side. */
  private inputEnded = false;
  /** The batch in progress is the last. */
  private isFinishing = false;
  /** Since when the connection is closing; null while it is open. */
  private closingSinceMs: number | null = null;
  private onDrain: (() => void) | null = null;

  /** @param socket with `allowHalfOpen`, so that a peer that ends its side still gets the answers */
  constructor(
    private readonly socket: Socket,
    readonly address: string,
    private readonly settings: LineSettings,
    private readonly owner: LineServer,
  ) {
    this.reader = new LineReader(settings.maxLineBytes);
    this.lastLineAtMs = owner.nowMs();
    this.bucket = fullBucket(settings.linesPerSecond, this.lastLineAtMs);
    socket.setKeepAlive(true, keepAliveMs);
    socket.on('data', (chunk: Buffer) => {
      // While closing, input is read and discarded: unread input would reset the connection and lose the last answers.
      if (this.closingSinceMs !== null) return;
      this.reader.push(chunk);
      void this.work();
    });
    socket.on('end', () => {
      this.inputEnded = true;
      void this.work();
    });
    socket.on('drain', () => this.onDrain?.());
    // Ignored: 'close' follows.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.onDrain?.();
      owner.closed(this);
    });
  }

  /** Buffered bytes: received and unprocessed, or sent and not yet taken by the peer. */
  get bufferedBytes(): number {
    return this.reader.bufferedBytes + this.socket.writableLength;
  }

  /** Processes the buffered lines, as far as the bucket allows. */
  async work(): Promise<void> {
    if (this.isWorking || !this.isOpen) return;
    this.isWorking = true;
    this.socket.pause();
    try {
      for (;;) {
        const replies = this.takeLines();
        if (replies.length === 0) break;
        const text = (await Promise.all(replies)).join('');
        if (!this.isOpen) return;
        if (text !== '' && !this.socket.write(text)) await this.drained();
        if (!this.isOpen) return;
        if (this.isFinishing) break;
      }
    } finally {
      this.isWorking = false;
    }
    if (!this.isOpen) return;
    if (this.isFinishing) this.end();
    else if (this.reader.hasLine || (this.inputEnded && this.reader.bufferedBytes > 0))
      this.owner.throttle(this);
    else if (this.inputEnded) this.end();
    else this.socket.resume();
  }

  /** Closes the connection if it was idle or stuck for too long, or destroys it if closing takes too long. */
  check(nowMs: number, closeWithinMs: number): void {
    if (this.closingSinceMs !== null) {
      if (nowMs - this.closingSinceMs >= closeWithinMs) this.socket.destroy();
      return;
    }
    const isUnread = this.socket.writableLength > 0;
    const isStuck = isUnread || (this.reader.bufferedBytes > 0 && !this.reader.hasLine);
    this.stuckSinceMs = isStuck ? (this.stuckSinceMs ?? nowMs) : null;
    const wasStuck = isStuck && nowMs - (this.stuckSinceMs ?? nowMs) >= stuckMs;
    if (!wasStuck && nowMs - this.lastLineAtMs < this.settings.idleMs) return;
    // A peer that has not taken its answers would not take an error line.
    if (isUnread) this.socket.destroy();
    else if (wasStuck)
      this.closeWithError(`a line was not complete after ${stuckMs / 1000} s; connect again to continue`);
    else
      this.closeWithError(
        `no complete line arrived for ${this.settings.idleMs / 1000} s; connect again to continue`,
      );
  }

  /** Sends an error and closes the connection. */
  closeWithError(why: string): void {
    if (!this.isOpen) return;
    this.closingSinceMs = this.owner.nowMs();
    this.socket.end(errorLine(why));
    this.socket.resume();
  }

  /** Closes the connection after the pending answers are sent. */
  finish(): void {
    this.isFinishing = true;
    if (!this.isWorking) this.end();
  }

  destroy(): void {
    this.socket.destroy();
  }

  private end(): void {
    if (!this.isOpen) return;
    this.closingSinceMs = this.owner.nowMs();
    this.socket.end();
    this.socket.resume();
  }

  private get isOpen(): boolean {
    return this.closingSinceMs === null && !this.socket.destroyed;
  }

  /** Takes as many lines as the bucket allows. @returns the replies, in order */
  private takeLines(): (string | Promise<string>)[] {
    const nowMs = this.owner.nowMs();
    const { linesPerSecond } = this.settings;
    let { tokens, atMs } = refill(this.bucket, linesPerSecond, nowMs);
    const replies: (string | Promise<string>)[] = [];
    while (tokens >= 1 && replies.length < maxConcurrentLines) {
      const line = this.reader.next() ?? (this.inputEnded ? this.reader.last() : null);
      if (line === null) break;
      tokens--;
      this.lastLineAtMs = nowMs;
      this.stuckSinceMs = null;
      replies.push(this.replyTo(line));
    }
    this.bucket = { tokens, atMs };
    return replies;
  }

  private replyTo(line: Line): string | Promise<string> {
    if ('tooLong' in line)
      return errorLine(`the line is longer than ${this.settings.maxLineBytes} bytes; it was skipped`);
    const { session, reply, question } = step(this.session, readLine(line.text));
    this.session = session;
    if (!question) return reply ?? '';
    return this.owner.answer(question).then(
      (answer) => answerLine(question, answer),
      () => errorLine(unavailableError),
    );
  }

  private drained(): Promise<void> {
    return new Promise((resolve) => {
      this.onDrain = () => {
        this.onDrain = null;
        this.stuckSinceMs = null;
        resolve();
      };
    });
  }
}
