import type { Sql } from '@muster/db';
import type { LateFacts } from '@muster/domain';

/** Locks an abandoned match and reads the facts that decide whether the result of its lost session counts. */
export async function holdLateFacts(
  tx: Sql,
  { sessionId, matchId }: { readonly sessionId: string; readonly matchId: string },
): Promise<LateFacts> {
  const [match] = await tx.$queryRaw<LateFacts[]>`
    SELECT match.state AS "matchState", (extract(epoch FROM match.closed_at) * 1000)::float8 AS "closedAt",
      (rules->>'lateResultSeconds')::float8 AS "lateResultSeconds",
      EXISTS (SELECT 1 FROM session WHERE session.match_id = match.id AND session.id <> ${sessionId}
        AND session.state IN ('reserved', 'live', 'ended')) AS replaced,
      EXISTS (SELECT 1 FROM match_player
        JOIN rating_pool ON rating_pool.name = match.pool
        JOIN rating ON rating.pool = match.pool AND rating.generation = rating_pool.generation
          AND rating.player_id = match_player.player_id
        WHERE match_player.match_id = match.id AND rating.last_rated_at > match.closed_at) AS "ratedSince",
      EXISTS (SELECT 1 FROM match_player JOIN live_player ON live_player.player_id = match_player.player_id
        WHERE match_player.match_id = match.id AND live_player.match_id <> match.id) AS "playsElsewhere"
    FROM match WHERE match.id = ${matchId} FOR UPDATE OF match`;
  if (!match) throw new Error(`there is no match ${matchId}`);
  return match;
}
