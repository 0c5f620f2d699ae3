import type { Sql } from '@muster/db';
import type { StoredRating } from '@muster/domain';
import { detailOf } from '../core/events.store.js';
import { ratingRow } from '../core/rating-rows.store.js';
import type { FoldedEvent, Rebuild } from './rebuild.js';

/** Rows per statement, which bounds the size of a statement. */
const eventsAtOnce = 500;
const ratingsAtOnce = 2_000;

/** Writes the events that a rebuild created itself, as inputs of later rebuilds. */
export async function writeEvents(tx: Sql, pool: string, folded: readonly FoldedEvent[]): Promise<void> {
  for (let i = 0; i < folded.length; i += eventsAtOnce) {
    const part = folded.slice(i, i + eventsAtOnce);
    await tx.$executeRaw`
      INSERT INTO rating_event (sequence, pool, kind, event_id, at, detail)
      SELECT sequence, ${pool}, kind, event_id, at, detail FROM unnest(
        ${part.map(({ sequence }) => sequence)}::bigint[], ${part.map(({ event }) => event.kind)}::text[],
        ${part.map(({ event }) => event.eventId)}::text[], ${part.map(({ event }) => new Date(event.at))}::timestamptz[],
        ${part.map(({ event }) => detailOf(event))}::jsonb[]
      ) AS row(sequence, kind, event_id, at, detail)`;
  }
}

/**
 * Writes folded events. It writes nothing once another process has claimed the rebuild, under a new generation: a claim
 * waits for the lock that a write holds, and the renewal of the lease does not.
 *
 * @param after what the first statement waits for; the rows are prepared before, so the events need not be kept until then
 */
export function writeFolded(
  db: Sql,
  rebuild: Rebuild,
  folded: readonly FoldedEvent[],
  after?: Promise<void>,
): Promise<void> {
  const texts: string[] = [];
  // As JSON texts: large array parameters are much slower, and COPY saves less than a tenth, because the indexes take most.
  for (let i = 0; i < folded.length; i += eventsAtOnce)
    texts.push(JSON.stringify(folded.slice(i, i + eventsAtOnce).map(rowOf)));
  return writeTexts(db, rebuild, texts, after);
}

async function writeTexts(
  db: Sql,
  { pool, generation, rebuildId }: Rebuild,
  texts: readonly string[],
  after: Promise<void> | undefined,
): Promise<void> {
  await after;
  for (const rows of texts)
    await db.$executeRaw`
      WITH held AS MATERIALIZED (
        SELECT id FROM pool_rebuild WHERE id = ${rebuildId} AND generation = ${generation} AND state = 'running' FOR KEY SHARE
      ), event AS MATERIALIZED (
        SELECT row.* FROM held, jsonb_to_recordset(${rows}::jsonb)
          AS row(sequence bigint, kind text, event_id text, version int, at timestamptz, changes jsonb, forecast jsonb)
      ), forecast AS (
        INSERT INTO rated_match (pool, generation, sequence, version, at, ranks, raw, chances, features, drift, newcomers, converged)
        SELECT ${pool}, ${generation}, sequence, version, at, ranks, raw, chances, features, drift, newcomers, converged
        FROM event, jsonb_to_record(forecast)
          AS row(ranks int[], raw float8[], chances float8[], features jsonb, drift float8, newcomers int, converged int)
        WHERE jsonb_typeof(forecast) = 'object'
      )
      INSERT INTO rating_change (pool, generation, kind, event_id, player_id, sequence, before, after, version, at)
      SELECT ${pool}, ${generation}, kind, event_id, change ->> 0, sequence, change -> 1, change -> 2, version, at
      FROM event, jsonb_array_elements(changes) AS change`;
}

function rowOf({ sequence, event, version, applied: { players, forecast } }: FoldedEvent): object {
  return {
    sequence,
    kind: event.kind,
    event_id: event.eventId,
    version,
    at: new Date(event.at),
    changes: players.map(({ playerId, before, after }) => [playerId, before, after]),
    forecast: event.kind === 'match' && forecast ? { ...forecast, ranks: event.ranks } : null,
  };
}

/** As {@link writeFolded}, for ratings. */
export async function writeRatings(
  db: Sql,
  { pool, generation, rebuildId }: Rebuild,
  ratings: ReadonlyMap<string, StoredRating>,
): Promise<void> {
  const rows = [...ratings].map(([playerId, rating]) => ({ player_id: playerId, ...ratingRow(rating) }));
  for (let i = 0; i < rows.length; i += ratingsAtOnce) {
    const part = JSON.stringify(rows.slice(i, i + ratingsAtOnce));
    await db.$executeRaw`
      WITH held AS MATERIALIZED (
        SELECT id FROM pool_rebuild WHERE id = ${rebuildId} AND generation = ${generation} AND state = 'running' FOR KEY SHARE
      )
      INSERT INTO rating (pool, generation, player_id, state, matches, division, last_rated_at, set_at, season, season_matches, region, aspects, updated_at)
      SELECT ${pool}, ${generation}, player_id, state, matches, division, last_rated_at, set_at, season, season_matches, region, aspects, now()
      FROM jsonb_to_recordset(${part}::jsonb) AS row(player_id text, state jsonb, matches int, division text, last_rated_at timestamptz,
        set_at timestamptz, season int, season_matches int, region text, aspects jsonb), held
      ON CONFLICT (pool, generation, player_id) DO UPDATE SET state = EXCLUDED.state, matches = EXCLUDED.matches,
        division = EXCLUDED.division, last_rated_at = EXCLUDED.last_rated_at, set_at = EXCLUDED.set_at,
        season = EXCLUDED.season, season_matches = EXCLUDED.season_matches,
        region = EXCLUDED.region, aspects = EXCLUDED.aspects, updated_at = EXCLUDED.updated_at`;
  }
}
