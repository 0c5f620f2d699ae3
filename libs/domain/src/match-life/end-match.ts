import type { Message } from '../messages/index.js';
import type { Changes, Decision, MatchJob, TicketUpdate } from './decision.js';
import type { MatchOffence } from './offences.js';
import { ticketIdsOf, type MatchFacts, type Roster } from './state.js';
import { mayStep } from './transitions.js';

type Step = Pick<Decision<never>, 'jobs'> & { readonly changes: Changes };

/** The match keeps looking for a server: its next attempt is due now, and its tickets are told why. */
export function placeAgain(match: Roster & { readonly matchId: string }, reason: Message, now: number): Step {
  const { matchId } = match;
  return {
    changes: { matchId, placement: { dueAt: now } },
    jobs: [{ kind: 'update', matchId, ticketIds: ticketIdsOf(match), reason, update: { to: 'placing' } }],
  };
}

/** How the tickets of an abandoned match end. Without `failedTicketIds` all of them end; otherwise the others wait again. */
export interface Abandonment {
  /** Why, as the match's row keeps it. */
  readonly reason: Message;
  /** Why, as its tickets are told; the same unless given. */
  readonly told?: Message | undefined;
  readonly remade?: {
    readonly failedTicketIds: readonly string[];
    readonly leftTicketIds?: readonly string[];
  };
  /** Offences that come to those of the match. */
  readonly blame?: readonly MatchOffence[];
}

/**
 * Ends a match that has no result: its players are free and its tickets are told.
 *
 * @returns null when the match ended before
 */
export function abandonMatch(match: MatchFacts, abandonment: Abandonment, now: number): Step | null {
  const { matchId, queue } = match;
  const { reason, told = reason, remade, blame = [] } = abandonment;
  if (!mayStep(match.state, 'abandoned')) return null;
  const ending = { queue, offences: [...match.blame, ...blame] };
  const update: TicketUpdate = remade
    ? { to: 'remade', ...remade, ...ending }
    : { to: 'abandoned', ...ending };
  const job: MatchJob = { kind: 'update', matchId, ticketIds: ticketIdsOf(match), reason: told, update };
  return {
    changes: {
      matchId,
      match: { from: ['formed', 'placed'], to: 'abandoned', closedAt: now, reason },
      placement: 'over',
      freesPlayers: true,
      ...(blame.length > 0 ? { blame } : {}),
    },
    jobs: [job],
  };
}
