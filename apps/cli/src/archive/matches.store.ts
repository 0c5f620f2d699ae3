import { type Db, sqlPart, type SqlPart } from '@muster/db';

/** The position of a match in the order of their ends. */
export interface Place {
  readonly at: Date;
  readonly id: string;
}

/** A match with its players and orders, as a line of JSON. */
export interface Archivable extends Place {
  readonly line: string;
}

/**
 * Reads a page of matches that are over, oldest first.
 *
 * Left out are matches whose sessions are still stored, because they count their placements, and reported matches: their
 * row is what refuses a second report of the same external id.
 *
 * @param before milliseconds since the epoch
 */
export function oldMatches(
  db: Db,
  before: number,
  after: Place | null,
  limit: number,
): Promise<Archivable[]> {
  return db.$sql.$queryRaw<Archivable[]>(selectOld(before, after, limit));
}

/** The statement of `oldMatches`. */
export function selectOld(before: number, after: Place | null, limit: number): SqlPart {
  const { at, id } = after ?? { at: new Date(0), id: '' };
  return sqlPart`
    SELECT match.id, coalesce(match.ended_at, match.closed_at) AS at, (to_jsonb(match) || jsonb_build_object(
      'players', (SELECT coalesce(jsonb_agg(to_jsonb(p) - 'match_id' ORDER BY p.team, p.player_id), '[]'::jsonb)
        FROM match_player AS p WHERE p.match_id = match.id),
      'orders', (SELECT coalesce(jsonb_agg(to_jsonb(o) - 'match_id' ORDER BY o.number), '[]'::jsonb)
        FROM balance_order AS o WHERE o.match_id = match.id)))::text AS line
    FROM match
    WHERE coalesce(match.ended_at, match.closed_at) IS NOT NULL
      AND (coalesce(match.ended_at, match.closed_at), match.id) > (${at}::timestamptz, ${id})
      AND coalesce(match.ended_at, match.closed_at) < ${new Date(before)}
      AND match.state IN ('rated', 'abandoned', 'void') AND match.origin = 'queue'
      AND NOT EXISTS (SELECT 1 FROM session WHERE session.match_id = match.id OFFSET 0)
    ORDER BY coalesce(match.ended_at, match.closed_at), match.id LIMIT ${limit}::int`;
}

/**
 * Deletes matches with their players and orders. One that has changed since it was read, so that it is no longer old,
 * stays.
 *
 * @returns how many
 */
export async function deleteMatches(db: Db, ids: readonly string[], before: number): Promise<number> {
  if (ids.length === 0) return 0;
  return db.$sql.$executeRaw`
    DELETE FROM match WHERE id = ANY(${[...ids]}::text[])
      AND coalesce(ended_at, closed_at) < ${new Date(before)}
      AND state IN ('rated', 'abandoned', 'void') AND origin = 'queue'
      AND NOT EXISTS (SELECT 1 FROM session WHERE session.match_id = match.id OFFSET 0)`;
}
