import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection to the line protocol with its received text. */
export class LineCaller {
  private text = '';
  private wake: () => void = () => undefined;
  private isEnded = false;

  private constructor(readonly socket: Socket) {
    socket.setEncoding('utf8').setNoDelay(true);
    socket.on('data', (text) => {
      this.text += String(text);
      this.wake();
    });
    const end = (): void => {
      this.isEnded = true;
      this.wake();
    };
    socket.on('end', end).on('close', end);
    // Every error ends it as well.
    socket.on('error', end);
  }

  static async to(port: number): Promise<LineCaller> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const caller = new LineCaller(socket);
    await once(socket, 'connect');
    return caller;
  }

  /** Whether the peer has ended it, or it failed. */
  get isOver(): boolean {
    return this.isEnded;
  }

  send(text: string | Uint8Array): void {
    this.socket.write(text);
  }

  /** Waits for `count` more lines and takes them. @throws Error if the connection ends first */
  async lines(count: number): Promise<string[]> {
    for (;;) {
      const lines = this.text.split('\n');
      if (lines.length > count) {
        this.text = lines.slice(count).join('\n');
        return lines.slice(0, count);
      }
      if (this.isEnded) throw new Error(`the connection ended after ${JSON.stringify(this.text)}`);
      await this.more();
    }
  }

  /** Ends its side, waits for the peer's end, and returns the remaining text. */
  async rest(): Promise<string> {
    this.socket.end();
    while (!this.isEnded) await this.more();
    return this.text;
  }

  /** All text up to the peer's end. */
  async farewell(): Promise<string> {
    while (!this.isEnded) await this.more();
    this.socket.end();
    return this.text;
  }

  close(): void {
    this.socket.destroy();
  }

  private more(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }
}
