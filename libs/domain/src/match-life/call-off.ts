import type { ServerIdentity } from '../servers/server.js';
import { message, verbatim } from '../messages/index.js';
import { unchanged, type Decision } from './decision.js';
import { abandonMatch, remadeWithout } from './end-match.js';
import { accuse, mayLeave } from './offences.js';
import { notInMatch, type MatchFacts, type SessionFacts } from './state.js';

/** Why a session ends without a result, and who is to blame. */
export interface CalledOff {
  readonly reason: string;
  /** Players who never connected. */
  readonly noShows: readonly string[];
  readonly leavers: readonly string[];
  /** Tickets without any of those return to the queue. */
  readonly remake: boolean;
}

export type CallOffResult =
  /** `again` when the session had been abandoned before, whatever was reported then. */
  | { readonly outcome: 'abandoned' | 'again'; readonly matchId: string }
  | { readonly outcome: 'withdrawn'; readonly state: string }
  | { readonly outcome: 'superseded' }
  | { readonly outcome: 'not-yours' }
  /** A blamed player is not in the match. */
  | { readonly outcome: 'not-in-match'; readonly playerIds: readonly string[] }
  | { readonly outcome: 'unknown' };

/**
 * A server ends its session without a result: players did not come, or left. The match is abandoned and nobody is rated.
 * With `remake`, the players who are not to blame return to the queue, also without others of their party.
 *
 * @param hosted null: there is no such session
 */
export function decideCallOff(
  hosted: { readonly session: SessionFacts; readonly match: MatchFacts } | null,
  { serverId, incarnation }: ServerIdentity,
  calledOff: CalledOff,
  now: number,
): Decision<CallOffResult> {
  if (!hosted) return unchanged({ outcome: 'unknown' });
  const { session, match } = hosted;
  const { matchId, sessionId, state } = session;
  if (session.serverId !== serverId) return unchanged({ outcome: 'not-yours' });
  if (state === 'abandoned') return unchanged({ outcome: 'again', matchId });
  if (state !== 'live') return unchanged({ outcome: 'withdrawn', state });
  if (session.incarnation !== incarnation) return unchanged({ outcome: 'superseded' });
  const { noShows, leavers, remake } = calledOff;
  const playerIds = notInMatch([...noShows, ...leavers], match);
  if (playerIds.length > 0) return unchanged({ outcome: 'not-in-match', playerIds });
  const reason = verbatim(calledOff.reason);
  // Players who left or were finished before do not return either.
  const toBlame = new Set([...noShows, ...leavers]);
  const remade = remadeWithout(
    match.players,
    (player) => toBlame.has(player.playerId) || player.leftAt !== null || mayLeave(player),
  );
  const { blame, jobs } = accuse(match, { noShows, leavers }, now);
  const abandonment = {
    reason,
    told: message('match.called-off', { detail: calledOff.reason }),
    blame,
    ...(remake ? { remade } : {}),
  };
  const abandoned = abandonMatch(match, abandonment, now);
  if (!abandoned) throw new Error(`match ${matchId} is ${match.state} although session ${sessionId} is live`);
  return {
    outcome: { outcome: 'abandoned', matchId },
    changes: {
      ...abandoned.changes,
      session: { sessionId, from: ['live'], to: 'abandoned', closedAt: now, reason },
    },
    jobs: [...abandoned.jobs, ...jobs],
  };
}
