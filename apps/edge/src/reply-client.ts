import type { FastifyReply } from 'fastify';
import type { IncomingHttpHeaders, OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { passedOn } from './headers.js';

/**
 * What a client may leave unread before its replica is asked to wait, in bytes. Below it a replica is free as soon as it has
 * answered, however slowly the client reads: answers of short calls are smaller.
 */
const mostUnreadBytes = 256 * 1024;

/** The client of a request; its answer is written straight to the connection. */
export class ReplyClient {
  private readonly raw: ServerResponse;
  private readonly socket: Socket;
  private leave: (() => void) | null = null;
  private slow: NodeJS.Timeout | undefined;
  /** Whether it hung up. */
  isGone = false;

  /** @param readWithinMs a client that takes longer to read what was written is cut off */
  constructor(
    private readonly reply: FastifyReply,
    private readonly readWithinMs: number,
  ) {
    this.raw = reply.raw;
    // Of the connection, not of the answer: the answer to a pipelined request has no connection until the one before it has
    // ended, and would never hear that the client is gone.
    this.socket = reply.request.raw.socket;
    const closed = (): void => {
      this.isGone = true;
      clearTimeout(this.slow);
      this.leave?.();
    };
    // A connection may have any number of pipelined requests.
    this.socket.setMaxListeners(0).once('close', closed);
    this.raw.once('finish', () => {
      clearTimeout(this.slow);
      this.socket.off('close', closed);
    });
  }

  /** @param then called when it hangs up before the end of its answer */
  onLeave(then: () => void): void {
    this.leave = then;
    if (this.isGone) then();
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
    this.awaitReader();
    if (this.raw.writableLength < mostUnreadBytes) return true;
    this.raw.once('drain', more);
    return false;
  }

  end(): void {
    this.raw.end();
    if (this.raw.writableNeedDrain) this.awaitReader();
  }

  /** Ends an answer that cannot be completed: the client sees a broken connection. */
  breakOff(): void {
    this.socket.destroy();
  }

  private awaitReader(): void {
    if (this.slow) return;
    this.slow = setTimeout(() => this.breakOff(), this.readWithinMs).unref();
    this.raw.once('drain', () => {
      clearTimeout(this.slow);
      this.slow = undefined;
    });
  }
}
