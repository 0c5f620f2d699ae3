import { whyOf } from '@muster/contracts';
import {
  isLast,
  message,
  type Message,
  type TicketEvent,
  type TicketFeed,
  type TicketStore,
} from '@muster/domain';
import type { FastifyReply } from 'fastify';
import type { ServerResponse } from 'node:http';
import type { TicketViews } from './ticket.view.js';

/** A comment every so often keeps proxies from closing the stream; a look at the log finds what the feed may have lost. */
const lookMs = 5_000;

/** A reader who takes nothing for so long, or leaves so many bytes unread, is cut off; it resumes where it was. */
const slowMs = 30_000;
const mostUnread = 256 * 1024;
/** When the process ends, its readers come again within this time, not all at once. */
const comeAgainMs = 1_000;

/**
 * Sends ticket events as server-sent events. An event that the feed brings in its turn is sent as it is; after any gap what is
 * sent comes from the ticket's log, which has them all.
 *
 * Written by hand, because neither library lets a slow reader fall back to the log: Nest's `@Sse` queues up to 4 MiB of events
 * for one, and better-sse 0.16 writes without regard to back-pressure. The format itself is two lines of code.
 */
export class TicketStreams {
  constructor(
    private readonly store: Pick<TicketStore, 'eventsAfter'>,
    private readonly feed: TicketFeed,
    private readonly views: Pick<TicketViews, 'event'>,
    /** Hears why a stream ended that was not to. */
    private readonly onError: (error: unknown) => void,
    private readonly random: () => number = Math.random,
  ) {}

  /**
   * Streams until the ticket's last event, the client's leave, or the end of the process. The client is then told when to come
   * again; what it has missed meanwhile is in the log.
   *
   * @param after the last `seq` that the client has; 0 for the whole story
   * @param left fires when the client hangs up, or the process is about to end
   */
  async stream(
    ticketId: string,
    viewer: string | null,
    after: number,
    reply: Pick<FastifyReply, 'raw' | 'hijack' | 'getHeaders'>,
    left: AbortSignal,
  ): Promise<void> {
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
    let isOver = false;
    let wake: () => void = () => undefined;
    const finish = (): void => wake();
    left.addEventListener('abort', finish);
    raw.on('close', finish);
    const isGone = (): boolean => left.aborted || raw.destroyed;
    let heard: TicketEvent[] = [];
    // Nothing is kept for a reader who is behind: the log has it.
    let isBehind = false;
    const unsubscribe = this.feed.subscribe(ticketId, (event) => {
      if (!isBehind) heard.push(event);
      wake();
    });
    let seq = after;
    let look = true;
    try {
      while (!isOver && !isGone()) {
        const fresh: TicketEvent[] = heard.filter((event) => event.seq > seq);
        heard = [];
        const inTurn = fresh.every((event, i) => event.seq === seq + 1 + i);
        for (const event of look || !inTurn ? await this.store.eventsAfter(ticketId, seq) : fresh) {
          const data = JSON.stringify(await this.views.event(event, viewer));
          raw.write(`id: ${event.seq}\nevent: ticket\ndata: ${data}\n\n`);
          seq = event.seq;
          isOver ||= isLast(event);
          if (raw.writableLength > mostUnread) break;
        }
        look = false;
        if (raw.writableNeedDrain && !isOver) {
          isBehind = true;
          if (!(await taken(raw, left))) return void raw.destroy();
          isBehind = false;
          look = true;
          continue;
        }
        if (isOver || heard.length > 0) continue;
        look = !(await pause(lookMs, (resolve) => (wake = resolve)));
        if (look && !isGone()) raw.write(': still here\n\n');
      }
      if (!isOver && left.aborted) raw.write(this.comeAgain(message('stream.process-ends')));
    } catch (error) {
      // A store is away, or we stumbled: the client resumes where it was.
      this.onError(error);
      raw.write(this.comeAgain(message('stream.unreadable')));
    } finally {
      unsubscribe();
      left.removeEventListener('abort', finish);
      raw.end();
    }
  }

  /** For an EventSource the pause before it comes again, for others an event that says why. */
  private comeAgain(why: Message): string {
    const inMs = 100 + Math.round(this.random() * comeAgainMs);
    return `retry: ${inMs}\nevent: come-again\ndata: ${JSON.stringify({ inMs, ...whyOf([why]) })}\n\n`;
  }

  /** Waits for an event after `after`, at most `ms`, and until `left` says that the client hung up. */
  async waitBeyond(ticketId: string, after: number, ms: number, left: AbortSignal): Promise<void> {
    let heard: () => void = () => undefined;
    const unsubscribe = this.feed.subscribe(ticketId, (event) => {
      if (event.seq > after) heard();
    });
    const finish = (): void => heard();
    try {
      const until = Date.now() + ms;
      left.addEventListener('abort', finish, { once: true });
      for (let rest = ms; rest > 0 && !left.aborted; rest = until - Date.now()) {
        if ((await this.store.eventsAfter(ticketId, after)).length > 0) return;
        if (await pause(Math.min(rest, lookMs), (resolve) => (heard = resolve))) return;
      }
    } finally {
      unsubscribe();
    }
  }
}

/** Waits until a reader has taken what was written. @returns false when that takes too long, or there is too much */
function taken(raw: ServerResponse, left: AbortSignal): Promise<boolean> {
  if (raw.writableLength > mostUnread) return Promise.resolve(false);
  return new Promise((resolve) => {
    const settle = (): void => {
      clearTimeout(timer);
      raw.off('drain', settle).off('close', settle);
      left.removeEventListener('abort', settle);
      resolve(!raw.writableNeedDrain || raw.destroyed || left.aborted);
    };
    const timer = setTimeout(settle, slowMs);
    raw.on('drain', settle).on('close', settle);
    left.addEventListener('abort', settle);
  });
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
