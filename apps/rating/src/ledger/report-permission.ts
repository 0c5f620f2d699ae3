import { NotAllowed, type Clock } from '@muster/domain';
import { LRUCache } from 'lru-cache';
import type { PostgresRatings } from '../core/ratings.store.js';
import type { PostgresReports } from './reported.store.js';

/** How long the answer for a pool is cached. */
const cacheMs = 5_000;
/** The maximum number of cached pools; there are rarely more than some dozens. */
const maxCachedPools = 1_000;

/**
 * Decides who may report matches to a pool. Every dedicated server and community server holds the server key, so a
 * report by that key must not change ratings that a queue uses, unless the pool's rules allow it.
 */
export class ReportPermission {
  // The entry holds its own expiry: the cache's limit would use the cache's clock.
  private readonly closed = new LRUCache<string, { readonly until: number; readonly isClosed: boolean }>({
    max: maxCachedPools,
  });

  constructor(
    private readonly ratings: Pick<PostgresRatings, 'pool'>,
    private readonly queued: Pick<PostgresReports, 'isQueued'>,
    private readonly clock: Clock,
  ) {}

  /** @param by the kind of the caller @throws NotAllowed, UnknownPool */
  async check(pool: string, by: string): Promise<void> {
    if (by === 'operator' || !(await this.isClosed(pool))) return;
    throw new NotAllowed(
      `A queue uses the pool "${pool}", so the server key may not report to it. Send the operator key, use another pool, or have an operator set \`serverResults\` of the pool.`,
      { pool },
    );
  }

  private async isClosed(pool: string): Promise<boolean> {
    const now = this.clock.now();
    const known = this.closed.get(pool);
    if (known && known.until > now) return known.isClosed;
    const { rules } = await this.ratings.pool(pool);
    const isClosed = rules.serverResults !== true && (await this.queued.isQueued(pool));
    this.closed.set(pool, { until: now + cacheMs, isClosed });
    return isClosed;
  }
}
