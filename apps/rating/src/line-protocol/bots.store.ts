import type { Db } from '@muster/db';
import { Batcher, type RatingPool, type StoredRating } from '@muster/domain';
import { asRating, type RatingRow } from '../core/rating-rows.store.js';

const callsAtOnce = 64;

/** The pool whose bots to read, and their maximum number. */
interface BotsQuery {
  readonly pool: RatingPool;
  readonly limit: number;
}

/** Reads the ratings of bots. */
export class PostgresBots {
  private readonly readings = new Batcher<BotsQuery, ReadonlyMap<string, StoredRating>>(
    callsAtOnce,
    async (queries) => {
      const [first] = queries;
      if (!first) return [];
      const bots = await readBots(this.db, first);
      return queries.map(() => bots);
    },
    () => false,
  );

  constructor(private readonly db: Db) {}

  /** At most `limit` ratings of bots, by player id. Concurrent callers with the same arguments share one result. */
  of(pool: RatingPool, limit: number): Promise<ReadonlyMap<string, StoredRating>> {
    return this.readings.submit(`${pool.name} ${pool.generation} ${limit}`, { pool, limit });
  }
}

async function readBots(db: Db, { pool, limit }: BotsQuery): Promise<ReadonlyMap<string, StoredRating>> {
  // The id prefix is a literal in the statement, so that the planner can use the partial index of bots.
  const rows = await db.$sql.$queryRaw<RatingRow[]>`
    SELECT player_id, state, matches, division, last_rated_at, set_at, season, season_matches, region, aspects FROM rating
    WHERE pool = ${pool.name} AND generation = ${pool.generation} AND player_id LIKE 'bot:%' LIMIT ${limit}`;
  return new Map(rows.map((row) => [row.player_id, asRating(row)]));
}
