import { type Db, enqueueAfterCommit, transact } from '@muster/db';
import {
  Batcher,
  type GivenEvent,
  type RatingPool,
  type ResetEvent,
  type SignalEvent,
  type StoredRating,
} from '@muster/domain';
import { applyEvents, changedBy, sharePool, type Ratings } from './apply.store.js';
import { asPool, readPool, unknownPool, type PoolRow } from './pool-rows.store.js';
import { asRating, type RatingRow } from './rating-rows.store.js';

/** The maximum number of queries that one statement answers. */
const queriesAtOnce = 64;

/** A pool with the ratings of some players; players without one are missing. */
export interface PoolRatings {
  readonly pool: RatingPool;
  readonly ratings: Ratings;
}

interface RatingsQuery {
  readonly pool: string;
  readonly playerIds: readonly string[];
}

/** Pools and their current ratings. */
export class PostgresRatings {
  /** Batches the reads, one per ticket and match. One batch per pool: an error fails the batch of that pool only. */
  private readonly readings = new Batcher<RatingsQuery, PoolRatings>(
    queriesAtOnce,
    (queries) => readTogether(this.db, queries),
    () => false,
  );

  constructor(
    private readonly db: Db,
    /** Is told that jobs wait in the outbox. */
    private readonly committed: () => void = () => undefined,
  ) {}

  async pools(): Promise<RatingPool[]> {
    const rows = await this.db.$sql.$queryRaw<PoolRow[]>`
      SELECT name, game_mode, modifiers, rating_pool.version, generation, rules, calibration, seasons
      FROM rating_pool JOIN pool_version ON pool = name AND pool_version.version = rating_pool.version ORDER BY name`;
    return rows.map(asPool);
  }

  /** @throws UnknownPool */
  pool(name: string): Promise<RatingPool> {
    return readPool(this.db.$sql, name);
  }

  /** @throws UnknownPool */
  of(pool: string, playerIds: readonly string[]): Promise<PoolRatings> {
    return this.readings.submit(pool, { pool, playerIds });
  }

  /** Ratings in the order of player ids, after an id. */
  async page(
    { name, generation }: RatingPool,
    after: string,
    limit: number,
  ): Promise<(StoredRating & { playerId: string })[]> {
    const rows = await this.db.$sql.$queryRaw<RatingRow[]>`
      SELECT player_id, state, matches, division, last_rated_at, set_at, season, season_matches, region, aspects FROM rating
      WHERE pool = ${name} AND generation = ${generation} AND player_id > ${after} ORDER BY player_id LIMIT ${limit}`;
    return rows.map((row) => ({ playerId: row.player_id, ...asRating(row) }));
  }

  /**
   * Sets, seeds or resets a rating, or raises its uncertainty; exactly once for its event id.
   *
   * @param check is given the rating when its row is locked, and may throw
   * @returns whether it counted now
   */
  async record(
    pool: string,
    event: GivenEvent | ResetEvent | SignalEvent,
    now: number,
    check?: (ratings: Ratings) => void,
  ): Promise<boolean> {
    const isNew = await transact(this.db, async (tx) => {
      await sharePool(tx, pool);
      const known = await tx.$queryRaw<object[]>`
        SELECT 1 FROM rating_event WHERE pool = ${pool} AND kind = ${event.kind} AND event_id = ${event.eventId}`;
      if (known.length > 0) return false;
      const held = await applyEvents(tx, pool, [event], now, check);
      await enqueueAfterCommit(tx, 'rating', [changedBy(held.pool, held.done)]);
      return true;
    });
    this.committed();
    return isNew;
  }
}

/** Answers several queries of one pool with one statement. @returns the ratings of each query, in order */
async function readTogether(db: Db, queries: readonly RatingsQuery[]): Promise<PoolRatings[]> {
  const [first] = queries;
  if (!first) return [];
  const ids = new Set(queries.flatMap(({ playerIds }) => playerIds));
  const { pool, ratings } = await readRatings(db, first.pool, [...ids]);
  return queries.map(({ playerIds }) => ({
    pool,
    ratings: new Map(
      playerIds.flatMap((playerId) => {
        const rating = ratings.get(playerId);
        return rating ? [[playerId, rating] as const] : [];
      }),
    ),
  }));
}

/** A row of a pool that is joined with its ratings: the ids of players without one are null. */
type JoinedRow = PoolRow & (RatingRow | { player_id: null });

async function readRatings(db: Db, name: string, playerIds: readonly string[]): Promise<PoolRatings> {
  // One statement for pool and ratings: every ticket runs this query.
  const rows = await db.$sql.$queryRaw<JoinedRow[]>`
    SELECT name, game_mode, modifiers, rating_pool.version, rating_pool.generation, rules, calibration, seasons,
      player_id, state, matches, division, last_rated_at, set_at, season, season_matches, region, aspects
    FROM rating_pool JOIN pool_version ON pool_version.pool = name AND pool_version.version = rating_pool.version
    LEFT JOIN rating ON rating.pool = name AND rating.generation = rating_pool.generation AND rating.player_id = ANY(${[...playerIds]}::text[])
    WHERE name = ${name}`;
  const [first] = rows;
  if (!first) throw unknownPool(name);
  const ratings = rows.flatMap((row) =>
    // A state is null while a stranger's first match is being rated.
    row.player_id === null || row.state === null ? [] : [[row.player_id, asRating(row)] as const],
  );
  return { pool: asPool(first), ratings: new Map(ratings) };
}
