import type { Clock, TicketRecord, TicketState, TicketStore } from '@muster/domain';
import { recovering } from '../core/recovering.js';
import type { Memory } from '../core/ticket-memory.store.js';
import type { FollowRules } from '../rules/follow-rules.js';
import type { Queues } from '../rules/queues.js';
import type { PageOfIds, RedisTicketList } from '../core/ticket-list.store.js';

/** The tickets that an operator looks for. */
export interface TicketSearch {
  readonly queue?: string | undefined;
  readonly playerId?: string | undefined;
  /** Absent: every ticket that is not closed. */
  readonly state?: TicketState | undefined;
  /** Only tickets that were enqueued at least so long ago. */
  readonly olderThanSeconds?: number | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Keys scanned at once, and pages per call: a call without a match costs the store some milliseconds. */
const keysAtOnce = 500;
const pagesAtOnce = 20;

/**
 * Finds tickets for operators.
 *
 * - Of a player: the ticket that holds them.
 * - Waiting ones of a queue: in the order of the queue, the longest waiting first.
 * - Others: unordered. A page may have fewer tickets than asked for, also none, while another follows.
 */
export class ListTickets {
  constructor(
    private readonly list: Pick<RedisTicketList, 'waiting' | 'scan'>,
    private readonly store: Pick<TicketStore, 'find' | 'ticketOf'>,
    private readonly memory: { look(known: null, waitMs: 0): Promise<Pick<Memory, 'isOpen'>> },
    private readonly queues: Pick<Queues, 'named'>,
    private readonly follow: Pick<FollowRules, 'withNewest'>,
    private readonly clock: Clock,
  ) {}

  /** @throws QueueNotFound with the known names; TicketsRecovering while the list would lack tickets */
  async run(search: TicketSearch): Promise<{ tickets: TicketRecord[]; next: string | null }> {
    const { queue, limit, cursor = '0' } = search;
    if (!(await this.memory.look(null, 0)).isOpen) throw recovering();
    if (queue !== undefined) await this.follow.withNewest(queue, () => this.queues.named(queue));
    const found = new Map<string, TicketRecord>();
    let next: string | null = cursor;
    for (let page = 0; next !== null && page < pagesAtOnce && found.size < limit; page++) {
      const { ids, next: after }: PageOfIds = await this.page({ ...search, limit: limit - found.size }, next);
      // Waiting tickets of a queue that expire in the same millisecond come together.
      const most = queue !== undefined && search.state === 'waiting' ? ids.length + limit : limit;
      let read = 0;
      while (read < ids.length && found.size < most) {
        const some = ids.slice(read, read + most - found.size);
        for (const record of await Promise.all(some.map((id) => this.store.find(id))))
          if (record && this.fits(record, search)) found.set(record.ticketId, record);
        read += some.length;
      }
      next = read < ids.length ? `${next.split('~')[0]}~${ids[read - 1]}` : after;
    }
    return { tickets: [...found.values()], next };
  }

  private async page({ playerId, queue, state, limit }: TicketSearch, cursor: string): Promise<PageOfIds> {
    if (playerId !== undefined) {
      const ticketId = await this.store.ticketOf(playerId);
      return { ids: ticketId === null ? [] : [ticketId], next: null };
    }
    // Redis scans many keys at once. Where a page ends among them, the next one scans them again, from a ticket on.
    const [scanned = '0', last = ''] = cursor.split('~');
    if (queue !== undefined && state === 'waiting') return this.list.waiting(queue, scanned, limit);
    const { ids, next } = await this.list.scan(
      { queue: queue ?? null, state: state ?? null },
      scanned,
      keysAtOnce,
    );
    return { ids: ids.filter((id) => id > last).toSorted(), next };
  }

  /** Also what the store has filtered by: the ticket may have changed since. */
  private fits(record: TicketRecord, { queue, state, olderThanSeconds = 0 }: TicketSearch): boolean {
    if (queue !== undefined && record.queue !== queue) return false;
    if (state === undefined ? record.closed : record.state !== state) return false;
    return this.clock.now() - record.enqueuedAt >= olderThanSeconds * 1000;
  }
}
