import { atomically, type Db } from '@muster/db';
import type { LeaveMatchResult } from '@muster/domain';
import { abandon } from '../sessions/end-session.store.js';

interface Unplaced {
  state: string;
  formed_at: Date | null;
  /** From how many seconds after it was formed the match may be left; null: from the first attempt that found no server. */
  seconds: number | null;
  has_server: boolean;
  tickets: string[];
  /** Whether the ticket's players left before; null when it is not in this match. */
  gone: boolean | null;
}

const reason = 'Somebody left the match before it had a server.';

/**
 * The players of a ticket leave a match that has no server.
 *
 * 1. Take the placement's row, waiting for it: `place` reserves a session only with that row, so a placement that is under way is
 *    decided by then, and none begins before this is.
 * 2. Look whether the match may be left: it is formed, an attempt to find a server has been made, none hosts it or is being asked.
 * 3. Abandon it: a compare-and-set of the match's row, with the news that puts the other tickets back.
 */
export function leaveUnplaced(
  db: Db,
  matchId: string,
  ticketId: string,
  now: number,
): Promise<LeaveMatchResult> {
  return atomically(db, async (tx): Promise<LeaveMatchResult> => {
    const [placement] = await tx.$queryRaw<{ attempts: number }[]>`
      SELECT attempts FROM placement WHERE match_id = ${matchId} FOR UPDATE`;
    // A statement of its own, which sees what whoever had the row before has committed.
    const [match] = await tx.$queryRaw<Unplaced[]>`
      SELECT state, formed_at, (rules->>'leaveWithoutServerSeconds')::float8 AS seconds,
        EXISTS (SELECT 1 FROM session WHERE session.match_id = match.id AND session.state IN ('reserved', 'live')) AS has_server,
        ARRAY(SELECT DISTINCT ticket_id FROM match_player
          WHERE match_player.match_id = match.id AND ticket_id IS NOT NULL ORDER BY 1) AS tickets,
        (SELECT bool_and(left_at IS NOT NULL) FROM match_player
          WHERE match_player.match_id = match.id AND ticket_id = ${ticketId}) AS gone
      FROM match WHERE id = ${matchId}`;
    if (!match || match.gone === null) return { outcome: 'unknown' };
    const { state, tickets: ticketIds } = match;
    if (state === 'abandoned' && match.gone) return { outcome: 'left', ticketIds, reason };
    if (state === 'placed' || match.has_server) return { outcome: 'has-server' };
    if (state !== 'formed') return { outcome: 'over' };
    if (!placement || placement.attempts === 0) return { outcome: 'too-soon', waitMs: null };
    const waitMs = (match.formed_at?.getTime() ?? now) + (match.seconds ?? 0) * 1000 - now;
    if (match.seconds !== null && waitMs > 0) return { outcome: 'too-soon', waitMs };
    await tx.matchPlayer.updateMany({ where: { matchId, ticketId }, data: { leftAt: new Date(now) } });
    const left = [ticketId];
    const ended = await abandon(tx, matchId, reason, now, () => ({
      kind: 'remade',
      matchId,
      ticketIds,
      reason,
      // Replicas of a release before know no tickets that left: to them it failed.
      failedTicketIds: left,
      leftTicketIds: left,
    }));
    return ended ? { outcome: 'left', ticketIds, reason } : { outcome: 'over' };
  });
}
