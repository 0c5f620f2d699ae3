import { message, type Message } from '../messages/index.js';
import type { MatchState } from '../matches/match.js';
import { unchanged, type Changes, type Decision } from './decision.js';
import { abandonMatch } from './end-match.js';
import { acquit, type Accusation } from './offences.js';
import type { MatchFacts, SessionFacts } from './state.js';

/** An operator's word that ends a match. */
export interface EndMatchRequest {
  readonly by: string;
  readonly reason: string;
  readonly as: 'abandoned' | 'void';
  readonly penalties: 'keep' | 'drop';
}

export type EndMatchResult =
  /** `serverId`: the server to wake; null: none has it. */
  | { readonly outcome: 'ended'; readonly serverId: string | null }
  | { readonly outcome: 'again' }
  /** It has a result, or ended in another way. */
  | { readonly outcome: 'over'; readonly state: MatchState }
  | { readonly outcome: 'unknown' };

/** A match, with its open session if it has one. */
export interface EndableMatch {
  readonly match: MatchFacts;
  readonly session: SessionFacts | null;
}

/**
 * An operator ends a match that is formed or played, also one that hangs while its server heartbeats: nobody is rated, the players
 * are free, and the server is commanded to end the session. One that was abandoned is settled as void, so that a late result does
 * not count. A match with a result is declared void instead.
 *
 * @param ending null: there is no such match
 */
export function decideEnd(
  ending: EndableMatch | null,
  { by, reason: detail, as, penalties }: EndMatchRequest,
  now: number,
): Decision<EndMatchResult> {
  if (!ending) return unchanged({ outcome: 'unknown' });
  const { match, session } = ending;
  const { state } = match;
  if (state === as) return unchanged({ outcome: 'again' });
  const reason = message('match.ended', { by, detail });
  const { blame, jobs } =
    penalties === 'keep'
      ? { blame: match.blame, jobs: [] }
      : acquit(match, message('penalty.match-ended'), now);
  if (state === 'abandoned' && as === 'void') return settleAsVoid(match, { reason, blame, jobs }, now);
  const step = abandonMatch(match, { reason, as, blame }, now);
  if (!step) return unchanged({ outcome: 'over', state });
  const changes: Changes = { ...step.changes, ...(session ? sessionChanges(session, reason, now) : {}) };
  return {
    outcome: { outcome: 'ended', serverId: session?.serverId ?? null },
    changes,
    jobs: [...step.jobs, ...jobs],
  };
}

/** A match without a result, whose players are free already: only a late result could have changed that it counts for nothing. */
function settleAsVoid(
  { matchId }: MatchFacts,
  { reason, blame, jobs }: Pick<Accusation, 'blame' | 'jobs'> & { readonly reason: Message },
  now: number,
): Decision<EndMatchResult> {
  const match = { from: ['abandoned'], to: 'void', closedAt: now, reason } as const;
  return {
    outcome: { outcome: 'ended', serverId: null },
    changes: { matchId, match, freesPlayers: true, blame },
    jobs,
  };
}

function sessionChanges(
  { sessionId, serverId, state }: SessionFacts,
  reason: ReturnType<typeof message>,
  now: number,
): Partial<Changes> {
  return {
    withdrawnOrderOf: sessionId,
    session: {
      sessionId,
      from: [state],
      to: state === 'live' ? 'abandoned' : 'lost',
      closedAt: now,
      reason,
    },
    command: { serverId, kind: 'end-session', sessionId, payload: { reason }, at: now },
  };
}
