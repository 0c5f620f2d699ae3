import { conductJobs, offencesOf } from '@muster/contracts';
import { atomically, type Db, enqueueAfterCommit, type Tx } from '@muster/db';
import type { CalledOff, CallOffResult, PlayingTime, ServerIdentity } from '@muster/domain';
import { noteBlame } from './blame.store.js';
import { abandon } from './end-session.store.js';

interface Hosted {
  match_id: string;
  server_id: string;
  state: string;
  incarnation: number;
}

/** A player of a match, with their times in it. */
export interface Rostered extends PlayingTime {
  readonly ticketId: string | null;
}

/** Players of a match, with the queue it came from. */
export async function rosterOf(tx: Tx, matchId: string): Promise<{ queue: string; players: Rostered[] }> {
  const [match] = await tx.$queryRaw<{ queue: string | null; players: Rostered[] | null }[]>`
    SELECT queue, (
      SELECT jsonb_agg(jsonb_build_object('playerId', player_id, 'ticketId', ticket_id,
        'joinedAt', floor(extract(epoch FROM joined_at) * 1000), 'leftAt', floor(extract(epoch FROM left_at) * 1000)))
      FROM match_player WHERE match_id = match.id) AS players
    FROM match WHERE id = ${matchId}`;
  if (!match) throw new Error(`there is no match ${matchId}`);
  return { queue: match.queue ?? '', players: match.players ?? [] };
}

/** Those who are named and are not in the match. */
export function notInMatch(named: readonly string[], players: readonly Rostered[]): string[] {
  const known = new Set(players.map(({ playerId }) => playerId));
  return [...new Set(named)].filter((id) => !known.has(id));
}

export function callOff(
  db: Db,
  sessionId: string,
  { serverId, incarnation }: ServerIdentity,
  { reason, noShows, leavers, remake }: CalledOff,
  now: number,
): Promise<CallOffResult> {
  return atomically(db, async (tx): Promise<CallOffResult> => {
    // The session's row before the match's, as in `receive`: a result and this wait for one another, and one of them counts.
    const [session] = await tx.$queryRaw<Hosted[]>`
      SELECT match_id, server_id, state, incarnation FROM session WHERE id = ${sessionId} FOR UPDATE`;
    if (!session) return { outcome: 'unknown' };
    if (session.server_id !== serverId) return { outcome: 'not-yours' };
    const { match_id: matchId, state } = session;
    if (state === 'abandoned') return { outcome: 'again', matchId };
    if (state !== 'live') return { outcome: 'withdrawn', state };
    if (session.incarnation !== incarnation) return { outcome: 'superseded' };
    const { queue, players } = await rosterOf(tx, matchId);
    const toBlame = new Set([...noShows, ...leavers]);
    const unknown = notInMatch([...toBlame], players);
    if (unknown.length > 0) return { outcome: 'notInMatch', playerIds: unknown };
    await tx.session.update({
      where: { id: sessionId },
      data: { state: 'abandoned', reason, closedAt: new Date(now) },
    });
    const failedTicketIds = [
      ...new Set(
        players.flatMap(({ playerId, ticketId, leftAt }) =>
          toBlame.has(playerId) || leftAt !== null ? (ticketId ?? []) : [],
        ),
      ),
    ];
    await noteBlame(tx, matchId, offencesOf({ noShows, leavers }, now));
    const words = `The server called the match off (${reason}).`;
    const ended = await abandon(tx, matchId, reason, now, (ticketIds) =>
      remake
        ? { kind: 'remade', matchId, ticketIds, reason: words, failedTicketIds }
        : { kind: 'abandoned', matchId, ticketIds, reason: words },
    );
    if (!ended) throw new Error(`match ${matchId} is closed although session ${sessionId} is live`);
    await enqueueAfterCommit(tx, 'allocator', conductJobs(matchId, queue, { noShows, leavers }, now));
    return { outcome: 'abandoned', matchId };
  });
}
