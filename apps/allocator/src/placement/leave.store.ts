import type { Sql } from '@muster/db';
import type { LeavableFacts } from '@muster/domain';
import { asMatch, type MatchRow, playerJson } from '../match-life/facts.store.js';

type Row = MatchRow & Omit<LeavableFacts, 'match' | 'attempts'>;

/**
 * Locks the match's placement and reads the match. `place` reserves a session only under this lock, so a concurrent
 * placement is decided before the lock is granted, and none begins before this transaction ends. Of a live match it locks the
 * session, as all do who change its players.
 */
export async function holdUnplaced(
  tx: Sql,
  matchId: string,
  silentBefore: number,
): Promise<LeavableFacts | null> {
  const [placement] = await tx.$queryRaw<{ attempts: number }[]>`
    SELECT attempts FROM placement WHERE match_id = ${matchId} FOR UPDATE`;
  if (!placement)
    await tx.$executeRaw`SELECT 1 FROM session WHERE match_id = ${matchId} AND state = 'live' FOR UPDATE`;
  // A separate statement, which sees what the previous holder of the lock committed.
  const [row] = await tx.$queryRaw<Row[]>`
    SELECT state, queue, blame, (extract(epoch FROM formed_at) * 1000)::float8 AS "formedAt",
      (rules->>'leaveWithoutServerSeconds')::float8 AS "leaveAfterSeconds",
      EXISTS (SELECT 1 FROM session WHERE session.match_id = match.id AND session.state IN ('reserved', 'live')) AS "hasServer",
      coalesce((SELECT server.heartbeat_at < ${new Date(silentBefore)} FROM session JOIN server ON server.id = session.server_id
        WHERE session.match_id = match.id AND session.state = 'live'), false) AS "serverIsSilent",
      (SELECT (extract(epoch FROM live_at) * 1000)::float8 FROM session WHERE session.match_id = match.id AND session.state = 'live') AS "liveAt",
      (rules->>'leaveMatchAfterSeconds')::float8 AS "leaveMatchAfterSeconds",
      (SELECT json_agg(${playerJson} ORDER BY ticket_id, player_id)
        FROM match_player WHERE match_player.match_id = match.id) AS players
    FROM match WHERE id = ${matchId}`;
  if (!row) return null;
  const { state, queue, blame, players, ...facts } = row;
  const match = asMatch(matchId, { state, queue, blame, players });
  return { ...facts, match, attempts: placement?.attempts ?? null };
}
