import type { Applied, Json, Rater, RatingEvent, RatingPool, StoredRating } from '@muster/domain';
import type { Tx } from '../transaction.js';
import { detailOf, playersOf } from './events.js';
import { asPool, unknownPool, type PoolRow } from './pools.js';

interface HeldRow extends PoolRow {
  player_id: string;
  state: Json;
  matches: number;
  division: string | null;
  last_rated_at: Date | null;
}

/**
 * Every transaction that rates holds the pool's lock, shared with the others: who wants the pool to itself (a rebuild that
 * comes into force) waits for them, and they for it. To be taken before the pool's row is read, in a statement of its own, since
 * a statement sees what was committed when it began.
 */
export async function sharePool(tx: Tx, pool: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(hashtextextended(${pool}, 0))`;
}

/** The pool to oneself: every event of before is committed, and none comes until this transaction ends. */
export async function takePool(tx: Tx, pool: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${pool}, 0))`;
}

/**
 * Rates an event within the transaction: reads the pool and locks its players' rows in the order of their ids, in one
 * statement; asks the pool's rules; writes event, ledger and ratings, in another. The sequence is drawn after the rows are
 * locked, so events that share a player are numbered as they took effect.
 *
 * @throws UnknownPool, and whatever the rater throws
 */
export async function applyEvent(
  tx: Tx,
  poolName: string,
  event: RatingEvent,
  rater: Rater,
  now: number,
): Promise<{ pool: RatingPool; applied: Applied }> {
  const at = new Date(now);
  const rows = await tx.$queryRaw<HeldRow[]>`
    WITH held AS (
      INSERT INTO rating (pool, generation, player_id, state, matches, updated_at)
      SELECT name, generation, player_id, 'null'::jsonb, 0, ${at}
      FROM rating_pool, unnest(${playersOf(event)}::text[]) AS player_id WHERE name = ${poolName} ORDER BY player_id
      ON CONFLICT (pool, generation, player_id) DO UPDATE SET updated_at = EXCLUDED.updated_at
      RETURNING player_id, state, matches, division, last_rated_at
    )
    SELECT held.*, name, game_mode, modifiers, rating_pool.version, generation, rules, calibration
    FROM rating_pool JOIN pool_version ON pool = name AND pool_version.version = rating_pool.version, held
    WHERE name = ${poolName}`;
  const [first] = rows;
  if (!first) throw unknownPool(poolName);
  const pool = asPool(first);
  const ratings = new Map(
    rows.flatMap((row): [string, StoredRating][] =>
      row.state === null ? [] : [[row.player_id, asRating(row)]],
    ),
  );
  const applied = rater.apply(pool, event, ratings);
  await tx.$executeRaw`
    WITH event AS MATERIALIZED (
      INSERT INTO rating_event (sequence, pool, kind, event_id, at, detail)
      VALUES (nextval('ledger_sequence'), ${pool.name}, ${event.kind}, ${event.eventId}, ${new Date(event.at)}, ${detailOf(event)}::jsonb)
      RETURNING sequence
    ), changes AS (
      SELECT * FROM jsonb_to_recordset(${changeRows(applied)}::jsonb)
        AS row(player_id text, before jsonb, after jsonb, state jsonb, matches int, division text, last_rated_at timestamptz)
    ), ledger AS (
      INSERT INTO rating_change (pool, generation, kind, event_id, player_id, sequence, before, after, version, at)
      SELECT ${pool.name}, ${pool.generation}, ${event.kind}, ${event.eventId}, player_id, event.sequence, before, after, ${pool.version}, ${new Date(event.at)}
      FROM changes, event
    ), forecast AS (
      INSERT INTO rated_match (pool, generation, sequence, version, at, ranks, raw, chances, features, drift, newcomers, converged)
      SELECT ${pool.name}, ${pool.generation}, event.sequence, ${pool.version}, ${new Date(event.at)}, ranks, raw, chances, features, drift, newcomers, converged
      FROM event, jsonb_to_recordset(${forecastRows(event, applied)}::jsonb)
        AS row(ranks int[], raw float8[], chances float8[], features jsonb, drift float8, newcomers int, converged int)
    )
    UPDATE rating SET state = changes.state, matches = changes.matches, division = changes.division, last_rated_at = changes.last_rated_at
    FROM changes
    WHERE rating.pool = ${pool.name} AND rating.generation = ${pool.generation} AND rating.player_id = changes.player_id`;
  return { pool, applied };
}

export function asRating(
  row: Pick<HeldRow, 'state' | 'matches' | 'division' | 'last_rated_at'>,
): StoredRating {
  return {
    state: row.state,
    matches: row.matches,
    division: row.division,
    lastRatedAt: row.last_rated_at?.getTime() ?? null,
  };
}

/** What an event changed, as rows for `jsonb_to_recordset`. */
function changeRows({ players }: Applied): string {
  return JSON.stringify(
    players.map(({ playerId, before, after, rating }) => ({
      player_id: playerId,
      before,
      after,
      ...ratingRow(rating),
    })),
  );
}

/** A rating as columns. */
export function ratingRow({ state, matches, division, lastRatedAt }: StoredRating): Record<string, unknown> {
  return {
    state,
    matches,
    division,
    last_rated_at: lastRatedAt === null ? null : new Date(lastRatedAt),
  };
}

/** The forecast of a match as a row or none. */
function forecastRows(event: RatingEvent, { forecast }: Applied): string {
  if (event.kind !== 'match' || !forecast) return '[]';
  const { raw, chances, features, drift, newcomers, converged } = forecast;
  return JSON.stringify([{ ranks: event.ranks, raw, chances, features, drift, newcomers, converged }]);
}
