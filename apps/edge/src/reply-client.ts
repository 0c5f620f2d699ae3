import type { FastifyReply } from 'fastify';
import type { IncomingHttpHeaders, OutgoingHttpHeader, ServerResponse } from 'node:http';
import { passedOn } from './headers.js';

/** The client of a request; its answer is written straight to the connection. */
export class ReplyClient {
  private readonly raw: ServerResponse;
  private leave: (() => void) | null = null;
  /** Whether it hung up. */
  isGone = false;

  constructor(private readonly reply: FastifyReply) {
    this.raw = reply.raw;
    this.raw.once('close', () => {
      if (this.raw.writableFinished) return;
      this.isGone = true;
      this.leave?.();
    });
  }

  /** @param then called when it hangs up before the end of its answer */
  onLeave(then: () => void): void {
    this.leave = then;
  }

  /** Begins its answer. */
  begin(status: number, headers: IncomingHttpHeaders): void {
    this.reply.hijack();
    const own: Record<string, OutgoingHttpHeader | undefined> = this.reply.getHeaders();
    this.raw.writeHead(status, { ...own, ...passedOn(headers) });
    // The header of a stream does not wait for its first event.
    if (headers['content-length'] === undefined) this.raw.flushHeaders();
  }

  /** @returns whether more can be taken now; if not, `more` is called once it can */
  write(chunk: Buffer, more: () => void): boolean {
    if (this.raw.write(chunk)) return true;
    this.raw.once('drain', more);
    return false;
  }

  end(): void {
    this.raw.end();
  }

  /** Ends an answer that cannot be completed: the client sees a broken connection. */
  breakOff(): void {
    this.raw.destroy();
  }
}
