import { readMessages } from '@muster/contracts';
import { asBelief, type Db, Prisma } from '@muster/db';
import type {
  Json,
  LedgerRow,
  RatedBefore,
  RatedMatch,
  RatingHistoryRow,
  RatingPool,
  StoredRating,
  TimeRange,
} from '@muster/domain';
import { asPool, type PoolRow, unknownPool } from '../pools/pools.store.js';
import { asRating } from './apply.store.js';
import { totalsBefore } from './totals.store.js';

interface RatingRow {
  player_id: string;
  state: Json;
  matches: number;
  division: string | null;
  last_rated_at: Date | null;
  set_at: Date | null;
  season: number;
  season_matches: number;
  region: string | null;
  aspects: StoredRating['aspects'] | null;
}

export async function readRatings(
  db: Db,
  name: string,
  playerIds: readonly string[],
): Promise<{ pool: RatingPool; ratings: Map<string, StoredRating> }> {
  // One statement for pool and ratings: every ticket runs this query.
  const rows = await db.$sql.$queryRaw<(PoolRow & Partial<RatingRow>)[]>`
    SELECT name, game_mode, modifiers, rating_pool.version, rating_pool.generation, rules, calibration, seasons,
      player_id, state, matches, division, last_rated_at, set_at, season, season_matches, region, aspects
    FROM rating_pool JOIN pool_version ON pool_version.pool = name AND pool_version.version = rating_pool.version
    LEFT JOIN rating ON rating.pool = name AND rating.generation = rating_pool.generation AND rating.player_id = ANY(${[...playerIds]}::text[])
    WHERE name = ${name}`;
  const [first] = rows;
  if (!first) throw unknownPool(name);
  const ratings = rows.flatMap(
    ({
      player_id,
      state,
      matches = 0,
      division = null,
      last_rated_at = null,
      set_at = null,
      season = 0,
      season_matches = 0,
      region = null,
      aspects = null,
    }) =>
      player_id && state
        ? [
            [
              player_id,
              asRating({
                state,
                matches,
                division,
                last_rated_at,
                set_at,
                season,
                season_matches,
                region,
                aspects,
              }),
            ] as const,
          ]
        : [],
  );
  return { pool: asPool(first), ratings: new Map(ratings) };
}

/** The maximum number of rating queries that one statement answers. */
export const ratingsBatch = 64;

export interface RatingsQuery {
  readonly pool: string;
  readonly playerIds: readonly string[];
}

export interface PoolRatings {
  readonly pool: RatingPool;
  readonly ratings: ReadonlyMap<string, StoredRating>;
}

/** Answers several queries of one pool with one statement. @returns the ratings of each query, in order */
export async function readRatingsBatch(db: Db, queries: readonly RatingsQuery[]): Promise<PoolRatings[]> {
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

export async function readPage(
  db: Db,
  { name, generation }: RatingPool,
  after: string,
  limit: number,
): Promise<(StoredRating & { playerId: string })[]> {
  const rows = await db.$sql.$queryRaw<RatingRow[]>`
    SELECT player_id, state, matches, division, last_rated_at, set_at, season, season_matches, region, aspects FROM rating
    WHERE pool = ${name} AND generation = ${generation} AND player_id > ${after} ORDER BY player_id LIMIT ${limit}`;
  return rows.map((row) => ({ playerId: row.player_id, ...asRating(row) }));
}

/** The pool whose bots to read, and their maximum number. */
export interface BotsQuery {
  readonly pool: RatingPool;
  readonly limit: number;
}

/** Reads the bots of one generation of a pool once for several equal queries. */
export async function readBotsBatch(
  db: Db,
  queries: readonly BotsQuery[],
): Promise<ReadonlyMap<string, StoredRating>[]> {
  const [first] = queries;
  if (!first) return [];
  const { pool, limit } = first;
  // The id prefix is a literal in the statement, so that the planner can use the partial index of bots.
  const rows = await db.$sql.$queryRaw<RatingRow[]>`
    SELECT player_id, state, matches, division, last_rated_at, set_at, season, season_matches, region, aspects FROM rating
    WHERE pool = ${pool.name} AND generation = ${pool.generation} AND player_id LIKE 'bot:%' LIMIT ${limit}`;
  const bots = new Map(rows.map((row) => [row.player_id, asRating(row)]));
  return queries.map(() => bots);
}

export async function readChanges(db: Db, matchIds: readonly string[]): Promise<LedgerRow[]> {
  const rows = await db.$sql.$queryRaw<
    { event_id: string; player_id: string; before: unknown; after: unknown }[]
  >`
    SELECT change.event_id, player_id, before, after
    FROM rating_event AS event JOIN rating_pool ON rating_pool.name = event.pool
    JOIN rating_change AS change ON change.pool = event.pool AND change.generation = rating_pool.generation
      AND change.kind = 'match' AND change.event_id = event.event_id
    WHERE event.event_id = ANY(${[...matchIds]}::text[]) AND event.kind = 'match'`;
  return rows.map(({ event_id: matchId, player_id: playerId, before, after }) => ({
    matchId,
    playerId,
    before: asBelief(before),
    after: asBelief(after),
  }));
}

export interface HistoryRow {
  sequence: bigint;
  kind: RatingHistoryRow['kind'];
  event_id: string;
  at: Date;
  by: string | null;
  reason: string | null;
  messages: unknown;
  version: number;
  before: Json;
  after: Json;
}

/** @param db may be of a read replica, which may not have the newest generation yet */
export async function readHistory(
  db: Db,
  { name }: Pick<RatingPool, 'name'>,
  playerId: string,
  limit: number,
  range: TimeRange,
): Promise<RatingHistoryRow[]> {
  const [pool] = await db.$sql.$queryRaw<{ generation: number }[]>`
    SELECT generation FROM rating_pool WHERE name = ${name}`;
  if (!pool) throw new Error(`the rating pool "${name}" is not there`);
  const { generation } = pool;
  const rows = await db.$sql.$queryRaw<HistoryRow[]>(historyOf(name, generation, playerId, limit, range));
  return rows.map(({ sequence, event_id: eventId, at, messages, ...row }) => ({
    ...row,
    ...(messages && row.reason !== null ? { messages: readMessages(messages, row.reason) } : {}),
    sequence: Number(sequence),
    eventId,
    at: at.getTime(),
  }));
}

/**
 * Uses the index of a player's changes in order, so the cost depends on the player's changes only. The event of a match says
 * nothing that a row shows, so it is not read.
 */
export function historyOf(
  name: string,
  generation: number,
  playerId: string,
  limit: number,
  { from, to }: TimeRange,
): Prisma.Sql {
  const since = from === undefined ? Prisma.empty : Prisma.sql`AND change.at >= ${new Date(from)}`;
  const until = to === undefined ? Prisma.empty : Prisma.sql`AND change.at < ${new Date(to)}`;
  return Prisma.sql`
    SELECT change.sequence, change.kind, change.event_id, change.at, event.detail->>'by' AS by, event.detail->>'reason' AS reason,
      event.detail->'messages' AS messages, change.version, before, after
    FROM rating_change AS change LEFT JOIN rating_event AS event ON event.sequence = change.sequence AND change.kind <> 'match'
    WHERE change.pool = ${name} AND change.generation = ${generation} AND change.player_id = ${playerId}
      ${since} ${until}
    ORDER BY change.sequence DESC LIMIT ${limit}::int`;
}

interface RatedRow {
  sequence: bigint;
  at: Date;
  ranks: number[];
  raw: number[];
  chances: number[];
  features: RatedMatch['features'];
  drift: number;
  newcomers: number;
  converged: number;
}

export async function readRated(
  db: Db,
  pool: RatingPool,
  limit: number,
): Promise<{ before: RatedBefore; matches: RatedMatch[] }> {
  const rows = await db.$sql.$queryRaw<RatedRow[]>`
    SELECT sequence, at, ranks, raw, chances, features, drift, newcomers, converged FROM rated_match
    WHERE pool = ${pool.name} AND generation = ${pool.generation} ORDER BY sequence DESC LIMIT ${limit}`;
  const matches = rows.toReversed().map((row) => ({
    ...row,
    sequence: Number(row.sequence),
    at: row.at.getTime(),
  }));
  return { before: await totalsBefore(db, pool, matches[0]?.sequence ?? 0), matches };
}
