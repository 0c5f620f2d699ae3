import { textOf, whyOf } from '@muster/contracts';
import { isLast, message, type Message, type TicketEvent, type TicketStore } from '@muster/domain';
import { beginEvents, GaveWay, maxUnreadBytes, stillHere, taken, type ErrorLog } from '@muster/platform';
import type { FastifyReply } from 'fastify';
import type { ServerResponse } from 'node:http';
import type { RedisTicketFeed } from '../core/ticket-feed.store.js';
import type { EventNumbers } from './event-numbers.js';
import type { TicketViews } from './ticket.view.js';

/** Delivers ticket events as they happen, in order. */
export type TicketFeed = Pick<RedisTicketFeed, 'subscribe' | 'onGap'>;

/** Interval of comments, which keep proxies from closing the stream. */
const commentMs = 5_000;
/** After a gap of the feed, streams read their logs within this time, spread evenly. */
const gapSpreadMs = 1_000;
/** One timer serves all streams: it looks this often for those that are due. */
const commentTickMs = 500;

/** Readers of a process that ends reconnect within this time, spread evenly. */
const reconnectMs = 1_000;
/** A reader whose stream gave way reconnects no earlier: there is another one that reads. */
const gaveWayMs = 30_000;

/**
 * Sends ticket events as server-sent events. Events come from the feed. The ticket's log, which is complete, is read at
 * the beginning and after a gap, of the feed or in the numbers of events.
 *
 * Written by hand, because neither library lets a slow reader fall back to the log: Nest's `@Sse` queues up to 4 MiB of
 * events for one, and better-sse 0.16 writes without regard to back-pressure. The format itself is two lines of code.
 */
export class TicketStreams {
  private readonly open = new Set<Reader>();
  private comments: NodeJS.Timeout | null = null;
  /** Receives the errors that end streams. */
  private readonly onError: (error: unknown) => void;

  constructor(
    private readonly store: Pick<TicketStore, 'eventsAfter' | 'find'>,
    private readonly feed: TicketFeed,
    private readonly views: Pick<TicketViews, 'event'>,
    errors: Pick<ErrorLog, 'of'>,
    private readonly random: () => number = Math.random,
  ) {
    this.onError = errors.of('event streams');
    feed.onGap(() => {
      for (const { inbox } of this.open) setTimeout(() => inbox.miss(), this.random() * gapSpreadMs);
    });
  }

  /**
   * Streams until the ticket's last event, the client disconnects, the process ends, or a newer stream takes its place. In
   * the last two cases the client is told when to reconnect; the log holds the events in between.
   *
   * @param numbers which events the client has, and how it numbers those that it gets
   * @param left fires when the client disconnects, or the process is about to end
   */
  async stream(
    ticketId: string,
    viewer: string | null,
    numbers: EventNumbers,
    reply: Pick<FastifyReply, 'raw' | 'hijack' | 'getHeaders'>,
    left: AbortSignal,
  ): Promise<void> {
    const raw = beginEvents(reply);
    const inbox = new Inbox(this.feed, ticketId);
    const wake = (): void => inbox.wake();
    left.addEventListener('abort', wake);
    raw.on('close', wake);
    const { known: seq, offset } = numbers;
    const reader: Reader = { ticketId, viewer, seq, offset, raw, left, inbox, writtenAt: performance.now() };
    this.add(reader);
    try {
      const end = await this.sendAll(reader);
      // It resumes where it was.
      if (end === 'too-slow') raw.destroy();
      if (end === 'lost') raw.write(this.reconnectEvent(message('stream.unreadable')));
      if (end === 'left' && left.aborted) raw.write(this.farewell(left));
    } catch (error) {
      // A store is down, or a bug: the client resumes where it was.
      this.onError(error);
      raw.write(this.reconnectEvent(message('stream.unreadable')));
    } finally {
      this.remove(reader);
      inbox.close();
      left.removeEventListener('abort', wake);
      // Nobody may be at the other end: the socket must not wait for that.
      const { socket } = raw;
      raw.end(() => {
        if (left.reason instanceof GaveWay) socket?.destroySoon();
      });
    }
  }

  private add(reader: Reader): void {
    this.open.add(reader);
    this.comments ??= setInterval(() => this.comment(), commentTickMs);
  }

  private remove(reader: Reader): void {
    this.open.delete(reader);
    if (this.open.size > 0 || !this.comments) return;
    clearInterval(this.comments);
    this.comments = null;
  }

  /** Sends a comment on each stream that was quiet for a while. A slow reader has bytes to read already. */
  private comment(): void {
    const due = performance.now() - commentMs;
    for (const reader of this.open) {
      const { raw } = reader;
      if (reader.writtenAt > due || raw.destroyed || raw.writableNeedDrain) continue;
      reader.writtenAt = performance.now();
      raw.write(stillHere);
    }
  }

  /** Sends events as they come. @returns why the stream ended */
  private async sendAll(reader: Reader): Promise<'last-sent' | 'left' | 'lost' | 'too-slow'> {
    const { raw, left, inbox } = reader;
    while (!left.aborted && !raw.destroyed) {
      const mayBeLost = inbox.takeGap();
      if (await this.sendNew(reader)) return 'last-sent';
      if (mayBeLost && (await this.isBehind(reader.ticketId, reader.seq))) return 'lost';
      if (raw.writableNeedDrain) {
        // Nothing is buffered for a slow reader: the log has it.
        inbox.isOpen = false;
        if (!(await taken(raw, left))) return 'too-slow';
        inbox.isOpen = true;
        inbox.hasMissed = true;
      } else if (inbox.isEmpty && !left.aborted && !raw.destroyed) await inbox.wait();
    }
    return 'left';
  }

  /**
   * Sends unseen events, up to the limit of unread bytes: events of the feed in sequence, else the log.
   *
   * @returns whether the ticket's last event was sent
   */
  private async sendNew(reader: Reader): Promise<boolean> {
    const { ticketId, viewer, raw, inbox, offset } = reader;
    const before = reader.seq;
    const readLog = inbox.hasMissed;
    inbox.hasMissed = false;
    const unseen = inbox.take().filter((event) => event.seq > before);
    const inTurn = unseen.every((event, i) => event.seq === before + 1 + i);
    let isOver = false;
    const events = readLog || !inTurn ? await this.store.eventsAfter(ticketId, before) : unseen;
    const isClosed = events.some(isLast);
    for (const event of events) {
      const seq = event.seq + offset;
      const seen = (await this.isOut(event, viewer)) ? withoutViewer(event) : event;
      const text = JSON.stringify(this.views.event({ ...seen, seq }, viewer, isClosed));
      raw.write(`id: ${seq}\nevent: ticket\ndata: ${text}\n\n`);
      reader.writtenAt = performance.now();
      reader.seq = event.seq;
      isOver = isLast(seen);
      if (isOver || raw.writableLength > maxUnreadBytes) break;
    }
    return isOver;
  }

  /** Whether a ticket returned to the queue without the viewer, which only then loses players. */
  private async isOut({ ticketId, seq, state }: TicketEvent, viewer: string | null): Promise<boolean> {
    if (viewer === null || seq === 1 || state !== 'waiting') return false;
    const record = await this.store.find(ticketId);
    return record !== null && !record.players.some(({ playerId }) => playerId === viewer);
  }

  /** Whether the store lost a ticket, or events of it that the client knows. */
  private async isBehind(ticketId: string, seq: number): Promise<boolean> {
    const record = await this.store.find(ticketId);
    return record === null || record.seq < seq;
  }

  private farewell({ reason }: AbortSignal): string {
    if (reason instanceof GaveWay) return this.reconnectEvent(message('stream.gave-way'), gaveWayMs);
    return this.reconnectEvent(message('stream.process-ends'));
  }

  /** `retry` for an EventSource; an event with the reason for other clients. */
  private reconnectEvent(why: Message, afterMs = 100): string {
    const inMs = afterMs + Math.round(this.random() * reconnectMs);
    return `retry: ${inMs}\nevent: come-again\ndata: ${JSON.stringify({ inMs, ...whyOf([why]) })}\n\n`;
  }

  /** Waits for an event after `after`, at most `ms`, or until `left` fires. */
  async waitForEventAfter(ticketId: string, after: number, ms: number, left: AbortSignal): Promise<void> {
    const inbox = new Inbox(this.feed, ticketId);
    const wake = (): void => inbox.wake();
    const unsubscribe = this.feed.onGap(() => inbox.miss());
    // A timer may fire a fraction of a millisecond early, so no clock tells whether the time is over.
    let isOver = false;
    const timer = setTimeout(() => {
      isOver = true;
      wake();
    }, ms);
    left.addEventListener('abort', wake, { once: true });
    try {
      while (!left.aborted && !isOver) {
        if (inbox.hasMissed) {
          inbox.hasMissed = false;
          const mayBeLost = inbox.takeGap();
          if ((await this.store.eventsAfter(ticketId, after)).length > 0) return;
          if (mayBeLost && (await this.isBehind(ticketId, after))) return;
        }
        if (inbox.take().some((event) => event.seq > after)) return;
        if (inbox.isEmpty && !inbox.hasMissed && !left.aborted) await inbox.wait();
      }
    } finally {
      clearTimeout(timer);
      left.removeEventListener('abort', wake);
      unsubscribe();
      inbox.close();
    }
  }
}

/** The last event for a player whose ticket returned to the queue without them. */
function withoutViewer({ ticketId, seq, at }: TicketEvent): TicketEvent {
  const messages = [message('ticket.without-you')];
  return { ticketId, seq, at, state: 'failed', reason: textOf(messages), messages };
}

/** A client that receives the events of a ticket. */
interface Reader {
  readonly ticketId: string;
  readonly viewer: string | null;
  /** The last event sent, as the log numbers it. */
  seq: number;
  /** The client's number of an event is larger by this. */
  readonly offset: number;
  readonly raw: ServerResponse;
  /** Fires when the client disconnects, or the process is about to end. */
  readonly left: AbortSignal;
  readonly inbox: Inbox;
  /** When something was last sent to it, by `performance.now()`. */
  writtenAt: number;
}

/** Events of a ticket that the feed delivered, until they are taken. */
class Inbox {
  /** Events that arrive while it is closed are dropped. */
  isOpen = true;
  /** Whether the log may have events that were not delivered; true in the beginning. */
  hasMissed = true;
  readonly close: () => void;
  /** Whether the feed reported a gap: the store may have lost the ticket. */
  private hasGap = false;
  private events: TicketEvent[] = [];
  private resume: () => void = () => (this.isAwake = true);
  /** It was woken while nobody waited. */
  private isAwake = false;

  constructor(feed: TicketFeed, ticketId: string) {
    this.close = feed.subscribe(ticketId, (event) => {
      if (this.isOpen) this.events.push(event);
      this.wake();
    });
  }

  get isEmpty(): boolean {
    return this.events.length === 0;
  }

  take(): TicketEvent[] {
    const { events } = this;
    this.events = [];
    return events;
  }

  /** @returns whether the feed has reported a gap since the last call */
  takeGap(): boolean {
    const { hasGap } = this;
    this.hasGap = false;
    return hasGap;
  }

  /** Events may not have been delivered. */
  miss(): void {
    this.hasMissed = true;
    this.hasGap = true;
    this.wake();
  }

  /** Waits for an event, or for `wake`; not at all after one that nobody waited for. */
  wait(): Promise<void> {
    if (this.isAwake) {
      this.isAwake = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.resume = () => {
        this.resume = () => (this.isAwake = true);
        resolve();
      };
    });
  }

  wake(): void {
    this.resume();
  }
}
