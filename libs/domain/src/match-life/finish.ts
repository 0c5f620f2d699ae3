import { message } from '../messages/index.js';
import type { ServerIdentity } from '../servers/server.js';
import { unchanged, type Decision, type MatchJob } from './decision.js';
import { mayLeave } from './offences.js';
import { notInMatch, type MatchFacts, type SessionFacts } from './state.js';

export type FinishResult =
  | { readonly outcome: 'finished'; readonly matchId: string }
  | { readonly outcome: 'withdrawn'; readonly state: string }
  | { readonly outcome: 'not-in-match'; readonly playerIds: readonly string[] }
  | { readonly outcome: 'superseded' | 'not-yours' | 'unknown' };

/**
 * A server says that players are finished in a match that goes on, as in a free-for-all: they may join another one, and are no
 * leavers. The result counts for them. A ticket is over when all of its players are finished or left.
 *
 * @param hosted null: there is no such session
 */
export function decideFinish(
  hosted: { readonly session: SessionFacts; readonly match: MatchFacts } | null,
  { serverId, incarnation }: ServerIdentity,
  named: readonly string[],
  now: number,
): Decision<FinishResult> {
  if (!hosted) return unchanged({ outcome: 'unknown' });
  const { session, match } = hosted;
  const { matchId, state } = session;
  if (session.serverId !== serverId) return unchanged({ outcome: 'not-yours' });
  const strangers = notInMatch(named, match);
  if (strangers.length > 0) return unchanged({ outcome: 'not-in-match', playerIds: strangers });
  if (state !== 'live') return unchanged({ outcome: 'withdrawn', state });
  if (session.incarnation !== incarnation) return unchanged({ outcome: 'superseded' });
  const isOut = (player: MatchFacts['players'][number]): boolean =>
    player.leftAt !== null || mayLeave(player);
  const fresh = match.players.filter((player) => named.includes(player.playerId) && !isOut(player));
  const outcome: FinishResult = { outcome: 'finished', matchId };
  if (fresh.length === 0) return unchanged(outcome);
  const stays = new Set(
    match.players.flatMap((player) => (isOut(player) || fresh.includes(player) ? [] : [player.ticketId])),
  );
  const ticketIds = [
    ...new Set(fresh.flatMap(({ ticketId }) => (ticketId === null || stays.has(ticketId) ? [] : [ticketId]))),
  ];
  const job: MatchJob = {
    kind: 'update',
    matchId,
    ticketIds,
    reason: message('match.you-finished'),
    update: { to: 'abandoned', queue: match.queue, offences: [], matchState: 'placed' },
  };
  return {
    outcome,
    changes: { matchId, finished: { playerIds: fresh.map(({ playerId }) => playerId), at: now } },
    jobs: ticketIds.length > 0 ? [job] : [],
  };
}
