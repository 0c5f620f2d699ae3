import type { VoidResult, VoidRequest } from '../ratings/ledger.js';
import { message, type Message } from '../messages/index.js';
import { unchanged, type Changes, type Decision } from './decision.js';
import { acquit } from './offences.js';
import { ticketIdsOf, type MatchFacts, type RosterEntry } from './state.js';

/** The result of the pool's model for a match. */
export type Rating =
  | { readonly outcome: 'rated' }
  /** The model cannot rate it. */
  | { readonly outcome: 'unratable'; readonly reason: string };

/** Whether a match is due for rating: `not-ended` may be later, `closed` is over. */
export function ratingDue(match: Pick<MatchFacts, 'state'> | null): 'due' | 'not-ended' | 'closed' {
  if (!match || match.state === 'formed' || match.state === 'placed') return 'not-ended';
  return match.state === 'ended' ? 'due' : 'closed';
}

/** An ended match is rated, or is void when the pool's model cannot rate it. Its players are released. */
export function decideRating(match: MatchFacts<RosterEntry>, rating: Rating, now: number): Decision<Rating> {
  if (ratingDue(match) !== 'due') throw new Error(`match ${match.matchId} is ${match.state}, not ended`);
  const reason: Message =
    rating.outcome === 'rated' ? message('match.rated') : message('match.unrated', { detail: rating.reason });
  const { matchId } = match;
  const changes: Changes = {
    matchId,
    match:
      rating.outcome === 'rated'
        ? { from: ['ended'], to: 'rated', closedAt: now }
        : { from: ['ended'], to: 'void', closedAt: now, reason },
    freesPlayers: true,
  };
  return { outcome: rating, changes, jobs: [endJob(match, 'rated', reason, rating.outcome === 'rated')] };
}

/** A match that may be declared void. */
export type VoidableMatch = MatchFacts<RosterEntry> & {
  readonly pool: string;
  /** Whether it was rated and the ledger records that it is void. */
  readonly isTakenOut: boolean;
};

/**
 * An operator declares a match void. Its penalties go with it unless the operator keeps them. An ended match is dropped before it is rated. A rebuild of the pool removes the effect
 * of a rated one.
 */
export function decideVoid(
  match: VoidableMatch | null,
  { by, reason: detail, rebuildId, penalties = 'drop' }: VoidRequest,
  now: number,
): Decision<VoidResult> {
  if (!match) return unchanged({ outcome: 'unknown' });
  const { matchId, state, pool } = match;
  if (state === 'void') return unchanged({ outcome: 'again', pool: match.isTakenOut ? pool : null });
  if (state !== 'rated' && state !== 'ended') return unchanged({ outcome: 'not-over', state });
  // Players read it: they do not read which operator.
  const reason: Message = message('match.void', { by: 'operator', detail });
  const changes: Changes = {
    matchId,
    match: { from: [state], to: 'void', closedAt: now, reason },
    freesPlayers: true,
  };
  const { blame, jobs } =
    penalties === 'keep'
      ? { blame: match.blame, jobs: [] }
      : acquit(match, message('penalty.match-void'), now);
  const rebuild = { rebuildId, reason: message('rebuild.match-void', { matchId, detail }) };
  const takenOut = { pool, by, detail, at: now, rebuild };
  // The tickets of a rated match were notified when it was rated.
  return state === 'rated'
    ? { outcome: { outcome: 'void', pool }, changes: { ...changes, takenOut }, jobs }
    : {
        outcome: { outcome: 'dropped' },
        changes,
        jobs: [endJob({ ...match, blame }, 'abandoned', reason, false), ...jobs],
      };
}

function endJob(
  match: MatchFacts<RosterEntry>,
  to: 'rated' | 'abandoned',
  reason: Message,
  isRated: boolean,
): Decision<never>['jobs'][number] {
  const { matchId, queue, blame: offences } = match;
  return {
    kind: 'update',
    matchId,
    ticketIds: ticketIdsOf(match),
    reason,
    update: { to, queue, offences, ...(isRated ? {} : { matchState: 'void' }) },
  };
}
