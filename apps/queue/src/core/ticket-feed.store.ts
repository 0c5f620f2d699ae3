import type { TicketEvent } from '@muster/domain';
import { onLost, type RedisConnection } from '@muster/redis';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long a read waits for events, in milliseconds. */
export const feedBlockMs = 5_000;
/**
 * The pause after a read that brought events, in milliseconds: under load, a read then brings those of several script
 * calls.
 */
const pauseMs = 10;
/** Entries read at once. */
const readAtOnce = 500;

/**
 * Follows the realm's event stream on its own connection and calls the listeners of this process. The stream is in the
 * order of the tickets' logs, so a follower that reads all of it delivers every event but the first of each ticket. Events are missed when the stream
 * was trimmed before they were read, which a follower notices when it is behind, and when Redis lost data.
 */
export class RedisTicketFeed {
  private readonly listeners = new Map<string, Set<(event: TicketEvent) => void>>();
  private readonly gapListeners = new Set<() => void>();
  private stopped = false;
  private lastId = '$';
  /** The connection was lost: Redis may be another one, with less data. */
  private reconnected = false;
  /** Ends the command that waits. */
  private lost: () => void = () => undefined;

  /** @param redis a connection for this feed alone: it blocks */
  constructor(
    private readonly redis: RedisConnection,
    private readonly root: string,
    /** Receives errors of reads and of listeners. */
    private readonly onError: (error: unknown) => void,
  ) {
    onLost(redis, () => {
      this.reconnected = true;
      this.lost();
    });
  }

  /** @param missed called when events of any ticket may be missed @returns a function that unsubscribes */
  onGap(missed: () => void): () => void {
    this.gapListeners.add(missed);
    return () => void this.gapListeners.delete(missed);
  }

  /** @returns a function that unsubscribes */
  subscribe(ticketId: string, listener: (event: TicketEvent) => void): () => void {
    const of = this.listeners.get(ticketId) ?? new Set();
    of.add(listener);
    this.listeners.set(ticketId, of);
    return () => {
      of.delete(listener);
      if (of.size === 0 && this.listeners.get(ticketId) === of) this.listeners.delete(ticketId);
    };
  }

  /** Follows until stopped. Resumes after a lost connection. */
  async follow(): Promise<void> {
    while (!this.stopped) {
      try {
        await this.readOnce();
      } catch (error) {
        if (this.stopped) return;
        // The connection itself reports why it was lost.
        if (!(error instanceof ConnectionLost)) this.onError(error);
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  }

  stop(): void {
    this.stopped = true;
    this.redis.disconnect();
  }

  private async readOnce(): Promise<void> {
    const key = `${this.root}:events`;
    if (this.lastId === '$') {
      // A fixed start, so that no event is lost between two reads.
      const [latest] = await this.orLost(this.redis.xrevrange(key, '+', '-', 'COUNT', 1));
      this.lastId = latest?.[0] ?? '0-0';
    }
    if (this.reconnected) await this.resume(key);
    const before = this.lastId;
    const streams = await this.orLost(
      this.redis.xread('COUNT', readAtOnce, 'BLOCK', feedBlockMs, 'STREAMS', key, before),
    );
    const entries = streamEntries(streams).flatMap(([, each]) => each);
    // Only a follower that is behind can have missed trimmed entries.
    if (entries.length === readAtOnce && (await this.isTrimmedBeyond(key, before))) this.tellGap();
    for (const [id, fields] of entries) {
      this.lastId = id;
      for (const text of eventsIn(fields)) this.tell(text);
    }
    if (entries.length > 0 && entries.length < readAtOnce) await sleep(pauseMs);
  }

  /** Continues where this follower was, or where the stream now ends if it was lost. */
  private async resume(key: string): Promise<void> {
    this.reconnected = false;
    try {
      const [latest] = await this.orLost(this.redis.xrevrange(key, '+', '-', 'COUNT', 1));
      const end = latest?.[0] ?? '0-0';
      if (isBefore(end, this.lastId)) this.lastId = end;
    } catch (error) {
      this.reconnected = true;
      throw error;
    }
    this.tellGap();
  }

  private async isTrimmedBeyond(key: string, id: string): Promise<boolean> {
    const [oldest] = await this.orLost(this.redis.xrange(key, '-', '+', 'COUNT', 1));
    return oldest !== undefined && isBefore(id, oldest[0]);
  }

  /** @throws ConnectionLost when the connection is lost before the answer */
  private orLost<T>(answer: Promise<T>): Promise<T> {
    return Promise.race([
      answer,
      new Promise<never>((_resolve, reject) => (this.lost = () => reject(new ConnectionLost()))),
    ]);
  }

  /** Events of any ticket may have been missed. */
  tellGap(): void {
    for (const missed of this.gapListeners) missed();
  }

  /** Most tickets are followed elsewhere or by nobody: their events are not parsed. */
  private tell(text: string): void {
    const [, ticketId] = /^\{"ticketId":"([^"\\]*)"/.exec(text) ?? [];
    if (ticketId !== undefined && !this.listeners.has(ticketId)) return;
    const event = JSON.parse(text) as TicketEvent;
    for (const listener of this.listeners.get(event.ticketId) ?? []) {
      try {
        listener(event);
      } catch (error) {
        // A failing listener affects no other; the log holds the event.
        this.onError(error);
      }
    }
  }
}

class ConnectionLost extends Error {}

/** Whether one id of a stream, `<milliseconds>-<number>`, is before another. */
export function isBefore(one: string, other: string): boolean {
  const [ms = 0, number = 0] = one.split('-').map(Number);
  const [otherMs = 0, otherNumber = 0] = other.split('-').map(Number);
  return ms === otherMs ? number < otherNumber : ms < otherMs;
}

/** The events of an entry, in order: names and values of its fields in turn. Version 0.1.0 writes one event an entry. */
export function eventsIn(fields: readonly string[]): string[] {
  return fields.filter((_, i) => i % 2 === 1);
}

type Entries = [string, [string, string[]][]][];

/** RESP2 answers a list of pairs, RESP3 a map: both become pairs. */
function streamEntries(reply: unknown): Entries {
  if (reply === null || reply === undefined) return [];
  if (reply instanceof Map) return [...reply] as Entries;
  return Array.isArray(reply) ? (reply as Entries) : (Object.entries(reply) as Entries);
}
