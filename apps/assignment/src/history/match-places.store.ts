import type { PageOfMatches } from '@muster/contracts';
import type { MatchState } from '@muster/domain';
import { joinParts, sqlPart, verbatim, type SqlPart } from '@muster/db';

/** Which matches to list. With `from` or `to` they are listed by their end. */
export interface MatchQuery extends Readonly<Omit<PageOfMatches, 'cursor'>> {
  /** The end of the previous page. */
  readonly cursor?: { readonly at: number; readonly matchId: string } | undefined;
}

/** The position of a match in a list. */
export interface Place {
  readonly id: string;
  readonly at: Date;
}

/** A state as a literal: a parameter would get the same plan for `void` and for `rated`. */
const stateAsText: Readonly<Record<MatchState, SqlPart>> = {
  formed: sqlPart`'formed'`,
  placed: sqlPart`'placed'`,
  ended: sqlPart`'ended'`,
  rated: sqlPart`'rated'`,
  abandoned: sqlPart`'abandoned'`,
  void: sqlPart`'void'`,
};

/**
 * Selects the matches of a page. Each index on `match` by time serves one form of the query, in order and from the cursor
 * on; the statement contains only the given conditions, since a plan for all of them scans history.
 *
 * 1. With `from` or `to` the time is the match's end, which an abandoned match has too; else when it was formed.
 * 2. With a player, only their matches are read, whatever the number of others.
 */
export function placesOf(query: MatchQuery): SqlPart {
  const { limit, order, state, pool, playerId, queue, serverId, region, map } = query;
  const over = query.from !== undefined || query.to !== undefined;
  const { cursor, from, to } = boundsOf(query);
  const at = over ? sqlPart`coalesce(match.ended_at, match.closed_at)` : sqlPart`match.formed_at`;
  const [direction, past] =
    order === 'newest' ? [verbatim('DESC'), verbatim('<')] : [verbatim('ASC'), verbatim('>')];
  const wanted = [
    sqlPart`${at} IS NOT NULL`,
    ...(from === undefined ? [] : [sqlPart`${at} >= ${new Date(from)}`]),
    ...(to === undefined ? [] : [sqlPart`${at} < ${new Date(to)}`]),
    ...(cursor
      ? [sqlPart`(${at}, match.id) ${past} (${new Date(cursor.at)}::timestamptz, ${cursor.matchId})`]
      : []),
    ...(state === undefined ? [] : [sqlPart`match.state = ${stateAsText[state]}`]),
    ...(pool === undefined ? [] : [sqlPart`match.pool = ${pool}`]),
    ...(queue === undefined ? [] : [sqlPart`match.queue = ${queue}`]),
    ...(serverId === undefined ? [] : [sqlPart`match.server_id = ${serverId}`]),
    ...(region === undefined ? [] : [sqlPart`match.region = ${region}`]),
    ...(map === undefined ? [] : [sqlPart`match.map = ${map}`]),
  ];
  // `OFFSET 0` forces a lookup by key for each of the player's matches: otherwise the planner may scan all matches.
  const source =
    playerId === undefined
      ? sqlPart`match`
      : sqlPart`(SELECT match_id FROM match_player WHERE player_id = ${playerId}) AS theirs CROSS JOIN LATERAL
          (SELECT id, state, pool, queue, server_id, region, map, formed_at, ended_at, closed_at FROM match WHERE id = theirs.match_id OFFSET 0) AS match`;
  return sqlPart`SELECT match.id, ${at} AS at FROM ${source} WHERE ${joinParts(wanted, ' AND ')}
    ORDER BY ${at} ${direction}, match.id ${direction} LIMIT ${limit}::int`;
}

/**
 * One bound at each end: of a cursor and a limit at the same end, the one that excludes more. The planner estimates how many rows
 * three bounds leave so low that it prefers an index without the pool.
 */
function boundsOf({ order, cursor, from, to }: MatchQuery): Pick<MatchQuery, 'cursor' | 'from' | 'to'> {
  if (!cursor) return { from, to };
  if (order === 'newest') return to !== undefined && to <= cursor.at ? { from, to } : { cursor, from };
  return from !== undefined && from > cursor.at ? { from, to } : { cursor, to };
}

/** The newest matches of a player, by the index that has their times. */
export function placesOfPlayer(playerId: string, limit: number, cursor?: MatchQuery['cursor']): SqlPart {
  const after = cursor
    ? sqlPart`AND (formed_at, match_id) < (${new Date(cursor.at)}::timestamptz, ${cursor.matchId})`
    : sqlPart``;
  return sqlPart`SELECT match_id AS id, formed_at AS at FROM match_player WHERE player_id = ${playerId} ${after}
    ORDER BY formed_at DESC, match_id DESC LIMIT ${limit}::int`;
}
