import { ratingsChangedJob, type OutboxJob } from '@muster/contracts';
import type { Applied, PlayerEvent, RatingPool, StoredRating } from '@muster/domain';
import { type Sql, sqlPart } from '@muster/db';
import { ownPartOf, playersOf } from './events.store.js';
import { writeFinal } from './final-standings.store.js';
import { asPool, unknownPool, type PoolRow } from './pool-rows.store.js';
import { rateEvent } from './rater.js';
import { ratingRow } from './rating-rows.store.js';

/** Ratings by player; those of players without one are missing. */
export type Ratings = ReadonlyMap<string, StoredRating>;

/** The pool, and the ratings of the players whose rows were locked. */
interface HeldRow extends PoolRow {
  ratings: { playerId: string; rating: StoredRating }[] | null;
}

/**
 * Every transaction that rates holds the pool's lock, shared with the others: who wants the pool to itself (a rebuild that
 * comes into force) waits for them, and they for it. To be taken before the pool's row is read, in a statement of its own, since
 * a statement sees what was committed when it began.
 */
export async function sharePool(tx: Sql, pool: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(hashtextextended(${pool}, 0))`;
}

/** The pool to oneself: every event of before is committed, and none comes until this transaction ends. */
export async function takePool(tx: Sql, pool: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${pool}, 0))`;
}

/**
 * Rates events within the transaction, one after the other: reads the pool and locks the rows of all players in the order of
 * their ids, in one statement; asks the pool's rules; writes events, ledger and ratings, in another. The sequences are drawn
 * after the rows are locked, so events that share a player are numbered as they took effect.
 *
 * @param check is given the ratings that are held, and may throw
 * @returns what each event did, in the order given
 * @throws UnknownPool, MatchUnratable when the pool's model cannot rate a match
 */
export async function applyEvents(
  tx: Sql,
  poolName: string,
  events: readonly PlayerEvent[],
  now: number,
  check?: (ratings: Ratings) => void,
): Promise<{ pool: RatingPool; done: Done[] }> {
  const held = await hold(tx, poolName, events, now);
  check?.(held.ratings);
  const done = events.map((each) => apply(held, each));
  await write(tx, held, done);
  return { pool: held.pool, done };
}

/** A pool, and the ratings of the players whose rows the transaction holds. */
export interface HeldPool {
  readonly pool: RatingPool;
  readonly ratings: Map<string, StoredRating>;
  /** When they were read. */
  readonly now: number;
}

/** Rates an event, and leaves its ratings for the next. @throws MatchUnratable; then nothing has changed */
export function apply({ pool, ratings }: HeldPool, event: PlayerEvent): Done {
  const applied = rateEvent(pool, event, ratings);
  for (const { playerId, rating } of applied.players) ratings.set(playerId, rating);
  return { event, applied };
}

/**
 * Reads the pool and locks the events' players in the order of their ids. Rows of strangers are inserted; nearly all
 * players have one, and locking it writes no further version of it.
 *
 * @throws UnknownPool
 */
export async function hold(
  tx: Sql,
  poolName: string,
  events: readonly PlayerEvent[],
  now: number,
): Promise<HeldPool> {
  const playerIds = [...new Set(events.flatMap(playersOf))];
  let row = await holdKnown(tx, poolName, playerIds);
  if (row && (row.ratings ?? []).length < playerIds.length)
    row = await holdAll(tx, poolName, playerIds, new Date(now));
  if (!row) throw unknownPool(poolName);
  const known = (row.ratings ?? []).filter(({ rating }) => rating.state !== null);
  const ratings = new Map(known.map(({ playerId, rating }) => [playerId, withoutNulls(rating)]));
  return { pool: asPool(row), ratings, now };
}

/** A pool with the ratings that a statement holds. */
const poolWithHeld = sqlPart`
  SELECT name, game_mode, modifiers, rating_pool.version, generation, rules, calibration, seasons, (
    SELECT json_agg(json_build_object('playerId', player_id, 'rating', json_build_object('state', state, 'matches', matches,
      'division', division, 'lastRatedAt', floor(extract(epoch FROM last_rated_at) * 1000),
      'setAt', floor(extract(epoch FROM set_at) * 1000), 'season', nullif(season, 0),
      'seasonMatches', CASE WHEN season > 0 THEN season_matches END, 'region', region, 'aspects', aspects))) FROM held) AS ratings
  FROM rating_pool JOIN pool_version ON pool = name AND pool_version.version = rating_pool.version`;

/** Locks the rows of players if all of them have one; otherwise none, because strangers are locked in one order with them. */
async function holdKnown(
  tx: Sql,
  poolName: string,
  playerIds: readonly string[],
): Promise<HeldRow | undefined> {
  const [row] = await tx.$queryRaw<HeldRow[]>`
    WITH asked AS MATERIALIZED (
      SELECT generation, ARRAY(SELECT unnest(${[...playerIds]}::text[])) AS ids FROM rating_pool WHERE name = ${poolName}
    ), known AS MATERIALIZED (
      SELECT count(*) AS many FROM rating
      WHERE pool = ${poolName} AND generation = (SELECT generation FROM asked) AND player_id = ANY((SELECT ids FROM asked)::text[])
    ), held AS MATERIALIZED (
      SELECT player_id, state, matches, division, last_rated_at, set_at, season, season_matches, region, aspects FROM rating
      WHERE (SELECT many FROM known) = ${playerIds.length}::int
        AND pool = ${poolName} AND generation = (SELECT generation FROM asked) AND player_id = ANY((SELECT ids FROM asked)::text[])
      ORDER BY player_id FOR NO KEY UPDATE
    )
    ${poolWithHeld} WHERE name = ${poolName}`;
  return row;
}

/** Locks the rows of players; inserts those of strangers. */
async function holdAll(
  tx: Sql,
  poolName: string,
  playerIds: readonly string[],
  now: Date,
): Promise<HeldRow | undefined> {
  const [row] = await tx.$queryRaw<HeldRow[]>`
    WITH held AS (
      INSERT INTO rating (pool, generation, player_id, state, matches, updated_at)
      SELECT name, generation, player_id, 'null'::jsonb, 0, ${now}
      FROM rating_pool, unnest(${[...playerIds]}::text[]) AS player_id WHERE name = ${poolName} ORDER BY player_id
      ON CONFLICT (pool, generation, player_id) DO UPDATE SET updated_at = EXCLUDED.updated_at
      RETURNING player_id, state, matches, division, last_rated_at, set_at, season, season_matches, region, aspects
    )
    ${poolWithHeld} WHERE name = ${poolName}`;
  return row;
}

/** An event, and what it did. */
export interface Done {
  readonly event: PlayerEvent;
  readonly applied: Applied;
}

/**
 * Writes what events did: the events themselves, the ledger, forecasts and the ratings that the last of them left.
 *
 * The ratings are named a second time, by `= ANY`: Postgres plans a join to `jsonb_to_recordset` for 100 rows, for which it
 * reads a table of ratings whole.
 */
export async function write(
  tx: Sql,
  { pool, now }: Pick<HeldPool, 'pool' | 'now'>,
  done: readonly Done[],
): Promise<void> {
  const ratings = new Map(
    done.flatMap(({ applied }) => applied.players.map(({ playerId, rating }) => [playerId, rating] as const)),
  );
  await tx.$executeRaw`
    WITH event AS MATERIALIZED (
      INSERT INTO rating_event (sequence, pool, kind, event_id, at, detail)
      SELECT nextval('ledger_sequence'), ${pool.name}, kind, event_id, at, detail FROM (
        SELECT i, kind, event_id, at, detail FROM jsonb_to_recordset(${eventRows(done.map(({ event }) => event))}::jsonb)
          AS row(i int, kind text, event_id text, at timestamptz, detail jsonb) ORDER BY i
      ) AS row
      RETURNING sequence, kind, event_id, at
    ), ledger AS (
      INSERT INTO rating_change (pool, generation, kind, event_id, player_id, sequence, before, after, version, at)
      SELECT ${pool.name}, ${pool.generation}, kind, event_id, player_id, sequence, before, after, ${pool.version}, at
      FROM jsonb_to_recordset(${changeRows(done)}::jsonb)
        AS row(kind text, event_id text, player_id text, before jsonb, after jsonb) JOIN event USING (kind, event_id)
    ), forecast AS (
      INSERT INTO rated_match (pool, generation, sequence, version, at, ranks, raw, chances, features, drift, newcomers, converged)
      SELECT ${pool.name}, ${pool.generation}, sequence, ${pool.version}, at, ranks, raw, chances, features, drift, newcomers, converged
      FROM jsonb_to_recordset(${forecastRows(done)}::jsonb)
        AS row(kind text, event_id text, ranks int[], raw float8[], chances float8[], features jsonb, drift float8, newcomers int, converged int)
      JOIN event USING (kind, event_id)
    )
    UPDATE rating SET state = row.state, matches = row.matches, division = row.division, last_rated_at = row.last_rated_at, set_at = row.set_at,
      season = row.season, season_matches = row.season_matches, region = row.region, aspects = row.aspects, updated_at = ${new Date(now)}
    FROM jsonb_to_recordset(${JSON.stringify([...ratings].map(([playerId, rating]) => ({ player_id: playerId, ...ratingRow(rating) })))}::jsonb)
      AS row(player_id text, state jsonb, matches int, division text, last_rated_at timestamptz, set_at timestamptz,
        season int, season_matches int, region text, aspects jsonb)
    WHERE rating.pool = ${pool.name} AND rating.generation = ${pool.generation} AND rating.player_id = row.player_id
      AND rating.player_id = ANY(${[...ratings.keys()]}::text[])`;
  const ended = done.flatMap(({ applied }) => applied.players.flatMap((player) => player.ended ?? []));
  // In the same transaction: the archive reads ratings, and this one no longer holds the last standing of its season.
  if (ended.length > 0) await writeFinal(tx, pool, ended);
}

/** Removes the rows that {@link hold} inserted for strangers of events that were not rated, when the transaction continues. */
export async function forgetStrangers(
  tx: Sql,
  { name, generation }: RatingPool,
  events: readonly PlayerEvent[],
): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM rating WHERE pool = ${name} AND generation = ${generation}
      AND player_id = ANY(${events.flatMap(playersOf)}::text[]) AND state = 'null'::jsonb`;
}

/** A rating that Postgres put together, without the fields that it has not. */
function withoutNulls({
  setAt,
  season,
  seasonMatches,
  region,
  aspects,
  ...rating
}: StoredRating): StoredRating {
  return {
    ...rating,
    ...(setAt ? { setAt } : {}),
    ...(season ? { season, seasonMatches: seasonMatches ?? 0 } : {}),
    ...(region ? { region } : {}),
    ...(aspects ? { aspects } : {}),
  };
}

function eventRows(events: readonly PlayerEvent[]): string {
  return JSON.stringify(
    events.map((event, i) => {
      const { kind, eventId, at } = event;
      return { i, kind, event_id: eventId, at: new Date(at), detail: ownPartOf(event) };
    }),
  );
}

/** What events changed. */
function changeRows(done: readonly Done[]): string {
  return JSON.stringify(
    done.flatMap(({ event: { kind, eventId }, applied }) =>
      applied.players.map(({ playerId, before, after }) => ({
        kind,
        event_id: eventId,
        player_id: playerId,
        before,
        after,
      })),
    ),
  );
}

/** The forecasts of the matches among them. */
function forecastRows(done: readonly Done[]): string {
  return JSON.stringify(
    done.flatMap(({ event, applied: { forecast } }) => {
      if (event.kind !== 'match' || !forecast) return [];
      return [{ ...forecast, kind: event.kind, event_id: event.eventId, ranks: event.ranks }];
    }),
  );
}

/** Tells the queue whose ratings events changed, which are one transaction. @param events at least one */
export function changedBy({ name }: RatingPool, events: readonly Done[]): OutboxJob {
  const players = events.flatMap(({ applied }) => applied.players.map(({ playerId }) => playerId));
  const { kind, eventId } = events[0]?.event ?? {};
  return ratingsChangedJob(name, [...new Set(players)], `${kind}-${eventId}`);
}
