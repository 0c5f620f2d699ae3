import { isLast, type TicketEvent, type TicketFeed, type TicketStore } from '@muster/domain';
import type { FastifyReply } from 'fastify';
import type { TicketViews } from './ticket-view.js';

/** A comment every so often keeps proxies from closing the stream; a look at the log finds what the feed may have lost. */
const lookMs = 5_000;

/**
 * Sends ticket events as server-sent events. An event that the feed brings in its turn is sent as it is; after any gap what is
 * sent comes from the ticket's log, which has them all.
 */
export class TicketStreams {
  private readonly open = new Set<() => void>();

  constructor(
    private readonly store: TicketStore,
    private readonly feed: TicketFeed,
    private readonly views: TicketViews,
  ) {}

  /**
   * Streams until the ticket's last event, the client's leave, or the service's end.
   *
   * @param after the last `seq` that the client has; 0 for the whole story
   */
  async stream(ticketId: string, viewer: string | null, after: number, reply: FastifyReply): Promise<void> {
    const raw = reply.raw;
    reply.hijack();
    // What hooks have set for every answer, such as which pages of other origins may read it.
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) raw.setHeader(name, value);
    raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-content-type-options': 'nosniff',
      connection: 'keep-alive',
      'x-accel-buffering': 'no',
    });
    raw.write(': here\n\n');
    let ended = false;
    let wake: () => void = () => undefined;
    const finish = (): void => {
      ended = true;
      wake();
    };
    this.open.add(finish);
    raw.on('close', finish);
    let heard: TicketEvent[] = [];
    const unsubscribe = this.feed.subscribe(ticketId, (event) => {
      heard.push(event);
      wake();
    });
    let seq = after;
    let look = true;
    try {
      while (!ended) {
        const fresh: TicketEvent[] = heard.filter((event) => event.seq > seq);
        heard = [];
        const inTurn = fresh.every((event, i) => event.seq === seq + 1 + i);
        for (const event of look || !inTurn ? await this.store.eventsAfter(ticketId, seq) : fresh) {
          seq = event.seq;
          raw.write(
            `id: ${seq}\nevent: ticket\ndata: ${JSON.stringify(await this.views.event(event, viewer))}\n\n`,
          );
          if (isLast(event)) ended = true;
        }
        look = false;
        if (ended || heard.length > 0) continue;
        look = !(await pause(lookMs, (resolve) => (wake = resolve)));
        if (look && !ended) raw.write(': still here\n\n');
      }
    } catch {
      // The store is away: end the stream, and the client resumes where it was.
    } finally {
      unsubscribe();
      this.open.delete(finish);
      raw.end();
    }
  }

  /** Waits for an event after `after`, at most `ms`, and until `left` says that the client hung up. */
  async waitBeyond(ticketId: string, after: number, ms: number, left: AbortSignal): Promise<void> {
    let heard: () => void = () => undefined;
    const unsubscribe = this.feed.subscribe(ticketId, (event) => {
      if (event.seq > after) heard();
    });
    const finish = (): void => heard();
    this.open.add(finish);
    try {
      const until = Date.now() + ms;
      left.addEventListener('abort', finish, { once: true });
      for (let rest = ms; rest > 0 && !left.aborted; rest = until - Date.now()) {
        if ((await this.store.eventsAfter(ticketId, after)).length > 0) return;
        if (await pause(Math.min(rest, lookMs), (resolve) => (heard = resolve))) return;
      }
    } finally {
      unsubscribe();
      this.open.delete(finish);
    }
  }

  /** Ends all streams; clients resume elsewhere. */
  endAll(): void {
    for (const finish of this.open) finish();
  }
}

/** @returns true when woken, false when the time was up */
function pause(ms: number, expose: (wake: () => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    expose(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
