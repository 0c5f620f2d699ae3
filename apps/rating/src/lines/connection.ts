import type { Socket } from 'node:net';
import { fullAllowance, refilled, type Allowance } from './allowance.js';
import { readLine } from './command.js';
import { LineReader, type Line } from './line-reader.js';
import type { LineSettings } from './line-settings.js';
import {
  answerLine,
  errorLine,
  newSession,
  step,
  type Answer,
  type Question,
  type Session,
} from './session.js';

/** Lines of one connection that are worked on at once. */
const mostTogether = 64;
const lateAnswer = 'the weights cannot be read right now; ask again in a moment';

/** What a connection needs of whoever holds it. */
export interface Holder {
  nowMs(): number;
  /** @throws anything when the answer cannot be found out */
  answer(question: Question): Promise<Answer>;
  /** The connection has used up its allowance of lines: `work` is to be called when it has grown. */
  throttle(connection: Connection): void;
  /** The connection is gone for good. */
  gone(connection: Connection): void;
}

/**
 * One socket. Lines are answered in the order in which they came. While answers are looked up, while the other side does not
 * take them, and while it is too fast, nothing more is read: so it holds one chunk at the most, and the rest waits in the
 * other side's machine. It has no timers of its own.
 */
export class Connection {
  private readonly reader: LineReader;
  private session: Session = newSession;
  private allowance: Allowance;
  private heardAtMs: number;
  private isWorking = false;
  /** The other side has said all it had to say. */
  private isHeard = false;
  /** What is being answered is the last that is. */
  private isFinishing = false;
  /** Since when it has been told to go; null while it may stay. */
  private leavingSinceMs: number | null = null;
  private onDrain: (() => void) | null = null;

  /** @param socket with `allowHalfOpen`, so that who sends all lines and an end still gets the answers */
  constructor(
    private readonly socket: Socket,
    readonly address: string,
    private readonly settings: LineSettings,
    private readonly holder: Holder,
  ) {
    this.reader = new LineReader(settings.maxLineBytes);
    this.heardAtMs = holder.nowMs();
    this.allowance = fullAllowance(settings.linesPerSecond, this.heardAtMs);
    socket.on('data', (chunk: Buffer) => {
      // Who has to go is read only so that the last words are not lost with what was never read.
      if (this.leavingSinceMs !== null) return;
      this.reader.push(chunk);
      void this.work();
    });
    socket.on('end', () => {
      this.isHeard = true;
      void this.work();
    });
    socket.on('drain', () => this.onDrain?.());
    // What went wrong does not matter: 'close' follows.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.onDrain?.();
      holder.gone(this);
    });
  }

  /** Bytes that are kept for it here, read and not yet worked on, or said and not yet taken. */
  get heldBytes(): number {
    return this.reader.held + this.socket.writableLength;
  }

  /** Works on the lines that are there, as many as may be. */
  async work(): Promise<void> {
    if (this.isWorking || !this.isOpen) return;
    this.isWorking = true;
    this.socket.pause();
    try {
      for (;;) {
        const said = this.takeLines();
        if (said.length === 0) break;
        const text = (await Promise.all(said)).join('');
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
    else if (this.reader.hasLine || (this.isHeard && this.reader.held > 0)) this.holder.throttle(this);
    else if (this.isHeard) this.end();
    else this.socket.resume();
  }

  /** Looks whether it has been silent for too long, or takes too long to go. */
  check(nowMs: number, goWithinMs: number): void {
    if (this.leavingSinceMs !== null) {
      if (nowMs - this.leavingSinceMs >= goWithinMs) this.socket.destroy();
      return;
    }
    if (nowMs - this.heardAtMs < this.settings.idleMs) return;
    // Who has not taken the answers will not take a farewell.
    if (this.socket.writableLength > 0) this.socket.destroy();
    else
      this.dismiss(
        `no whole line came for ${this.settings.idleMs / 1000} s; connect again when there is one`,
      );
  }

  /** Says why, and ends the connection. */
  dismiss(why: string): void {
    if (!this.isOpen) return;
    this.leavingSinceMs = this.holder.nowMs();
    this.socket.end(errorLine(why));
    this.socket.resume();
  }

  /** Ends the connection once the answers under way are said. */
  finish(): void {
    this.isFinishing = true;
    if (!this.isWorking) this.end();
  }

  destroy(): void {
    this.socket.destroy();
  }

  private end(): void {
    if (!this.isOpen) return;
    this.leavingSinceMs = this.holder.nowMs();
    this.socket.end();
    this.socket.resume();
  }

  private get isOpen(): boolean {
    return this.leavingSinceMs === null && !this.socket.destroyed;
  }

  /** Takes lines as the allowance lets it. @returns what is to be said to each, in order */
  private takeLines(): (string | Promise<string>)[] {
    const nowMs = this.holder.nowMs();
    const { linesPerSecond } = this.settings;
    let { left, atMs } = refilled(this.allowance, linesPerSecond, nowMs);
    const said: (string | Promise<string>)[] = [];
    while (left >= 1 && said.length < mostTogether) {
      const line = this.reader.next() ?? (this.isHeard ? this.reader.last() : null);
      if (line === null) break;
      left--;
      this.heardAtMs = nowMs;
      said.push(this.say(line));
    }
    this.allowance = { left, atMs };
    return said;
  }

  private say(line: Line): string | Promise<string> {
    if ('tooLong' in line)
      return errorLine(`the line is longer than ${this.settings.maxLineBytes} bytes; it was passed over`);
    const { session, say, ask } = step(this.session, readLine(line.text));
    this.session = session;
    if (!ask) return say ?? '';
    return this.holder.answer(ask).then(
      (answer) => answerLine(ask, answer),
      () => errorLine(lateAnswer),
    );
  }

  private drained(): Promise<void> {
    return new Promise((resolve) => {
      this.onDrain = () => {
        this.onDrain = null;
        resolve();
      };
    });
  }
}
