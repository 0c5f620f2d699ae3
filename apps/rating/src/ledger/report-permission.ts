import { NotAllowed, type Clock, type LedgerStore } from '@muster/domain';
import { LRUCache } from 'lru-cache';

/** How long an answer about a pool is used again. */
const knownMs = 5_000;
/** Pools that are remembered; there are rarely more than some dozens. */
const mostPools = 1_000;

/** Knows by which pools the queues match. */
export interface QueuedPools {
  isQueued(pool: string): Promise<boolean>;
}

/**
 * Who may report matches to a pool. Every dedicated server and community server has the server key, so what one of them says
 * must not move the ratings that a queue matches by, unless the pool's rules allow it.
 */
export class ReportDoor {
  // The time is in the entry: the cache's own limit would follow its clock instead of ours.
  private readonly closed = new LRUCache<string, { readonly until: number; readonly isClosed: boolean }>({
    max: mostPools,
  });

  constructor(
    private readonly ledger: Pick<LedgerStore, 'pool'>,
    private readonly queued: QueuedPools,
    private readonly clock: Clock,
  ) {}

  /** @param by the kind of the caller @throws NotAllowed, UnknownPool */
  async check(pool: string, by: string): Promise<void> {
    if (by === 'operator' || !(await this.isClosed(pool))) return;
    throw new NotAllowed(
      `A queue matches by the pool "${pool}", so the server key may not report to it. Come with the operator key, use another pool, or let an operator set \`serverResults\` of the pool.`,
      { pool },
    );
  }

  private async isClosed(pool: string): Promise<boolean> {
    const now = this.clock.now();
    const known = this.closed.get(pool);
    if (known && known.until > now) return known.isClosed;
    const { rules } = await this.ledger.pool(pool);
    const isClosed = rules.serverResults !== true && (await this.queued.isQueued(pool));
    this.closed.set(pool, { until: now + knownMs, isClosed });
    return isClosed;
  }
}
