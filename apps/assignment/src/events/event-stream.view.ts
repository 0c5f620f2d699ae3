import { EventsForgotten, message } from '@muster/domain';
import { whyOf } from '@muster/contracts';
import { beginEvents, taken, type ErrorLog } from '@muster/platform';
import type { FastifyReply } from 'fastify';
import type { ServerResponse } from 'node:http';
import type { LoggedEvent, PostgresEventLog } from './event-log.store.js';

const eventsAtOnce = 200;
/** With so many bytes unread, a reader gets the next event later: the log keeps it meanwhile. */
const unreadBytes = 64 * 1024;
const reconnectMs = 1_000;

/** A client that follows events. */
interface Reader {
  readonly raw: ServerResponse;
  readonly left: AbortSignal;
  readonly types: readonly string[];
  /** There are no others up to this position that it has not. */
  position: number;
  /** When it was last sent something, by the monotonic clock. */
  writtenAt: number;
}

/** Sends the log of events as server-sent events, whose ids are positions. A slow reader slows itself. */
export class EventStreams {
  private last = 0;
  private readonly waiting = new Set<() => void>();
  private readonly open = new Set<Reader>();
  private readonly onError: (error: unknown) => void;

  constructor(
    private readonly log: Pick<PostgresEventLog, 'after' | 'bounds'>,
    errors: Pick<ErrorLog, 'of'>,
    /** A reader that gets no events gets its position so often, which keeps proxies from closing the stream. */
    private readonly quietMs = 5_000,
  ) {
    this.onError = errors.of('event streams');
  }

  /** Looks for new events, if somebody follows. */
  async look(): Promise<void> {
    if (this.open.size === 0) return;
    const { last } = await this.log.bounds();
    // A backup was restored: readers are told when they come again.
    if (last < this.last) for (const { raw } of this.open) raw.destroy();
    if (last !== this.last) this.advance(last);
  }

  /** Where a client begins. @param asked the last position it has; 0 for the oldest, undefined for what happens from now on */
  async beginning(asked: number | undefined): Promise<number> {
    const { last, forgotten } = await this.log.bounds();
    if (last > this.last) this.advance(last);
    if (asked === undefined) return last;
    if (asked === 0) return forgotten;
    if (asked < forgotten)
      throw new EventsForgotten(
        `Events up to ${forgotten} are no longer kept, and you have those up to ${asked}. Begin with after=0, and read anew what you keep of matches.`,
        { oldest: forgotten + 1, last },
      );
    if (asked > last)
      throw new EventsForgotten(
        `There is no event ${asked}: the last one is ${last}. The database was restored from a backup. Begin with after=0, and read anew what you keep of matches.`,
        { oldest: forgotten + 1, last },
      );
    return asked;
  }

  /** Streams until the client disconnects, reads too slowly, or the process ends. */
  async stream(
    position: number,
    types: readonly string[],
    reply: Pick<FastifyReply, 'raw' | 'hijack' | 'getHeaders'>,
    left: AbortSignal,
  ): Promise<void> {
    const raw = beginEvents(reply);
    // With an id, so that a client that was cut before the first event continues here.
    raw.write(placeOf('begin', position));
    const reader: Reader = { raw, left, types, position, writtenAt: performance.now() };
    this.open.add(reader);
    try {
      await this.follow(reader);
      if (left.aborted && !raw.destroyed) raw.write(comeAgain('stream.process-ends'));
    } catch (error) {
      // The client resumes where it was.
      this.onError(error);
      raw.write(comeAgain('stream.unreadable'));
    } finally {
      this.open.delete(reader);
      raw.end();
    }
  }

  private async follow(reader: Reader): Promise<void> {
    const { raw, left } = reader;
    while (!left.aborted && !raw.destroyed) {
      if (raw.writableNeedDrain && !(await taken(raw, left, Infinity))) return void raw.destroy();
      const quietMs = performance.now() - reader.writtenAt;
      if (quietMs >= this.quietMs) this.write(reader, placeOf('position', reader.position));
      else if (reader.position >= this.last) await this.wait(reader, this.quietMs - quietMs);
      else await this.send(reader);
    }
  }

  private async send(reader: Reader): Promise<void> {
    const { raw, types } = reader;
    const part = await this.log.after(reader.position, types, this.last, eventsAtOnce);
    // It reads more slowly than events are deleted, and is told when it comes again.
    if (!part) return void raw.destroy();
    const { events, through } = part;
    for (const event of events) {
      this.write(reader, frameOf(event));
      reader.position = event.position;
      if (raw.writableLength > unreadBytes) return;
    }
    reader.position = through;
  }

  private write(reader: Reader, text: string): void {
    reader.writtenAt = performance.now();
    reader.raw.write(text);
  }

  /** Waits for new events. */
  private wait({ raw, left }: Reader, limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const settle = (): void => {
        clearTimeout(timer);
        this.waiting.delete(settle);
        raw.off('close', settle);
        left.removeEventListener('abort', settle);
        resolve();
      };
      const timer = setTimeout(settle, limitMs);
      this.waiting.add(settle);
      raw.once('close', settle);
      left.addEventListener('abort', settle, { once: true });
    });
  }

  private advance(last: number): void {
    this.last = last;
    for (const wake of this.waiting) wake();
  }
}

/** Where a reader is. A client whose types are rare continues there, and not at its last event, which may be forgotten. */
function placeOf(event: 'begin' | 'position', position: number): string {
  return `id: ${position}\nevent: ${event}\ndata: ${JSON.stringify({ position })}\n\n`;
}

function frameOf({ position, ...event }: LoggedEvent): string {
  return `id: ${position}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function comeAgain(code: 'stream.process-ends' | 'stream.unreadable'): string {
  return `retry: ${reconnectMs}\nevent: come-again\ndata: ${JSON.stringify({ inMs: reconnectMs, ...whyOf([message(code)]) })}\n\n`;
}
