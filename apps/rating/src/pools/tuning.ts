import type { PoolTuned } from '@muster/contracts';
import type { Clock, RatingPool } from '@muster/domain';
import type { PostgresRatings } from '../core/ratings.store.js';
import type { PostgresPools } from './pools.store.js';
import type { PostgresRatedMatches } from './rated-matches.store.js';

/** Rated matches of a pool from which on its own history is worth choosing its rules by. */
const enough = 500;

/** Proposes to tune the rules of pools on their own history. The work itself is a command's: it takes minutes. */
export class Tuning {
  constructor(
    private readonly ratings: Pick<PostgresRatings, 'pool'>,
    private readonly rated: Pick<PostgresRatedMatches, 'count'>,
    private readonly store: Pick<PostgresPools, 'tunedAt' | 'tuned'>,
    private readonly clock: Clock,
  ) {}

  /** What to run for a pool, a sentence each: none, or one to tune it. */
  async proposals(pool: RatingPool): Promise<string[]> {
    const [{ matches }, tunedAt] = await Promise.all([this.rated.count(pool), this.store.tunedAt(pool.name)]);
    return tuneProposal(pool.name, matches, tunedAt);
  }

  /** Remembers that a pool was tuned on its present history. @throws UnknownPool */
  async remember(name: string): Promise<PoolTuned> {
    const pool = await this.ratings.pool(name);
    const { matches } = await this.rated.count(pool);
    await this.store.tuned(name, matches, this.clock.now());
    return { pool: name, matches };
  }
}

/** @param tunedAt rated matches at the last tuning; null: there was none */
export function tuneProposal(pool: string, matches: number, tunedAt: number | null): string[] {
  if (matches < enough || (tunedAt !== null && matches < 2 * tunedAt)) return [];
  const count = `${matches.toLocaleString('en')} matches were rated`;
  return [
    tunedAt === null
      ? `${count} under rules that were never tuned on them: run "muster pools tune ${pool}".`
      : `${count}, at least twice as many as at the last tuning (${tunedAt.toLocaleString('en')}): run "muster pools tune ${pool}" again.`,
  ];
}
