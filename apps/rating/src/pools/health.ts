import type { PoolHealth } from '@muster/contracts';
import { poolHealth } from '@muster/skill';
import { opened } from '../core/open-pool.js';
import type { PostgresRatings } from '../core/ratings.store.js';
import type { PostgresRatedMatches } from './rated-matches.store.js';
import type { Tuning } from './tuning.js';

/** Reads the quality of a pool's predictions over time. */
export class ReadHealth {
  constructor(
    private readonly ratings: Pick<PostgresRatings, 'pool'>,
    private readonly rated: Pick<PostgresRatedMatches, 'latest'>,
    private readonly tuning: Pick<Tuning, 'proposals'>,
  ) {}

  /** @throws UnknownPool */
  async of(name: string, matches: number, periods: number): Promise<PoolHealth> {
    const pool = await this.ratings.pool(name);
    const history = await this.rated.latest(pool, matches);
    const proposals = await this.tuning.proposals(pool);
    const {
      overall,
      deciles,
      periods: parts,
    } = poolHealth(history.before, history.matches, periods, opened(pool).start.sigma);
    return {
      pool: name,
      version: pool.version,
      generation: pool.generation,
      ...(proposals.length > 0 ? { proposals } : {}),
      players: parts.at(-1)?.players ?? history.before.newcomers,
      overall,
      deciles: [...deciles],
      periods: [...parts],
    };
  }
}
