import type { TicketEvent, TicketFeed } from '@muster/domain';
import type { Redis } from 'ioredis';

/** Follows the realm's event stream on its own connection and calls the listeners of this process. */
export class RedisTicketFeed implements TicketFeed {
  private readonly listeners = new Map<string, Set<(event: TicketEvent) => void>>();
  private stopped = false;
  private lastId = '$';

  /** @param redis a connection for this feed alone: it blocks */
  constructor(
    private readonly redis: Redis,
    private readonly root: string,
    /** Receives errors of reads and of listeners. */
    private readonly onError: (error: unknown) => void,
  ) {}

  subscribe(ticketId: string, listener: (event: TicketEvent) => void): () => void {
    const of = this.listeners.get(ticketId) ?? new Set();
    of.add(listener);
    this.listeners.set(ticketId, of);
    return () => {
      of.delete(listener);
      if (of.size === 0 && this.listeners.get(ticketId) === of) this.listeners.delete(ticketId);
    };
  }

  /** Follows until stopped. Reconnects after a lost connection; the tickets' logs hold the events in between. */
  async follow(): Promise<void> {
    while (!this.stopped) {
      try {
        await this.readOnce();
      } catch (error) {
        if (this.stopped) return;
        this.onError(error);
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
      const [latest] = await this.redis.xrevrange(key, '+', '-', 'COUNT', 1);
      this.lastId = latest?.[0] ?? '0-0';
    }
    const streams = await this.redis.xread('COUNT', 500, 'BLOCK', 5_000, 'STREAMS', key, this.lastId);
    for (const [, entries] of streamEntries(streams)) {
      for (const [id, fields] of entries) {
        this.lastId = id;
        const text = fields[1];
        if (text !== undefined) this.tell(JSON.parse(text) as TicketEvent);
      }
    }
  }

  private tell(event: TicketEvent): void {
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

type Entries = [string, [string, string[]][]][];

/** RESP2 answers a list of pairs, RESP3 a map: both become pairs. */
function streamEntries(reply: unknown): Entries {
  if (reply === null || reply === undefined) return [];
  if (reply instanceof Map) return [...reply] as Entries;
  return Array.isArray(reply) ? (reply as Entries) : (Object.entries(reply) as Entries);
}
