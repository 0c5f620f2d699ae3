import type { TicketState } from '@muster/domain';
import { scriptRunner, type RedisConnection, type ScriptRunner } from '@muster/redis';
import * as scripts from '../generated/scripts.js';

/** Some ids of tickets, and where the next page begins; null: this is the last. */
export interface PageOfIds {
  readonly ids: readonly string[];
  readonly next: string | null;
}

/** Lists tickets in Redis, in pages whose cost does not depend on how many there are. */
export class RedisTicketList {
  private readonly run: ScriptRunner;

  constructor(redis: RedisConnection, root: string) {
    this.run = scriptRunner(redis, root);
  }

  /** The waiting tickets of a queue, earliest expiry first. @param cursor '0' at first, then `next` */
  async waiting(queue: string, cursor: string, limit: number): Promise<PageOfIds> {
    const [last = '', ...ids] = await scripts.waitingAfter(this.run, { queue, after: Number(cursor), limit });
    return { ids, next: last === '' ? null : last };
  }

  /**
   * Tickets of any state, unordered; one may come twice.
   *
   * @param state null: every ticket that is not closed @param cursor '0' at first, then `next`
   * @param count approximate number of keys to scan
   */
  async scan(
    of: { readonly queue: string | null; readonly state: TicketState | null },
    cursor: string,
    count: number,
  ): Promise<PageOfIds> {
    const filter = { queue: of.queue ?? '', state: of.state ?? '' };
    const [next = '0', ...ids] = await scripts.scanTickets(this.run, { ...filter, cursor, count });
    return { ids, next: next === '0' ? null : next };
  }
}
