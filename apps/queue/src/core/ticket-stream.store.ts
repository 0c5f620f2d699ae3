import type { TicketEvent } from '@muster/domain';
import type { RedisConnection } from '@muster/redis';
import { eventsIn, isBefore } from './ticket-feed.store.js';

/** A part of the realm's stream of ticket events. */
export interface StreamPart {
  readonly events: readonly TicketEvent[];
  /** The place after them. */
  readonly last: string;
  /** Whether there may be more. */
  readonly isFull: boolean;
  /** Whether events before them are gone: the stream was trimmed, or Redis lost data. */
  readonly isGap: boolean;
}

/** Reads the realm's stream of ticket events by place, for one who copies it; {@link RedisTicketFeed} follows it. */
export class RedisTicketStream {
  constructor(
    private readonly redis: Pick<RedisConnection, 'xrange' | 'xrevrange'>,
    private readonly root: string,
  ) {}

  /** The place after the last event. */
  async end(): Promise<string> {
    const [latest] = await this.redis.xrevrange(`${this.root}:events`, '+', '-', 'COUNT', 1);
    return latest?.[0] ?? '0-0';
  }

  /** Reads events after a place. @param limit entries of the stream, each with up to ten events */
  async after(place: string, limit: number): Promise<StreamPart> {
    const key = `${this.root}:events`;
    const [entries, [oldest], end] = await Promise.all([
      this.redis.xrange(key, `(${place}`, '+', 'COUNT', limit),
      this.redis.xrange(key, '-', '+', 'COUNT', 1),
      this.end(),
    ]);
    // Redis lost its memory and began anew.
    if (isBefore(end, place)) return { events: [], last: end, isFull: false, isGap: true };
    const events = entries.flatMap(([, fields]) =>
      eventsIn(fields).map((text) => JSON.parse(text) as TicketEvent),
    );
    return {
      events,
      last: entries.at(-1)?.[0] ?? place,
      isFull: entries.length === limit,
      isGap: place !== '0-0' && oldest !== undefined && isBefore(place, oldest[0]),
    };
  }
}
