import type { FormedMatch, FormResult } from '../match.js';
import { message } from '../messages/index.js';
import type { Decision, MatchJob } from './decision.js';
import { ticketIdsOf } from './state.js';

/** The obstacles to a proposed match. */
export interface FormingFacts {
  /** The earlier verdict on the proposal; null: none. */
  readonly verdict: 'formed' | 'refused' | null;
  /** Players of the match who are in another live match. */
  readonly held: readonly string[];
}

/** A proposal becomes a match, unless it was decided before or one of its players is in another live match. */
export function decideForm(
  { verdict, held }: FormingFacts,
  match: FormedMatch,
): Omit<Decision<FormResult>, 'changes'> {
  if (verdict !== null) return { outcome: { outcome: 'decided', verdict }, jobs: [] };
  if (held.length > 0) return { outcome: { outcome: 'busy', playerIds: held }, jobs: [] };
  return { outcome: { outcome: 'formed' }, jobs: formedJobs(match) };
}

/** A server is searched for, and the tickets are notified. */
export function formedJobs(match: Pick<FormedMatch, 'matchId' | 'players'>): MatchJob[] {
  const { matchId } = match;
  return [
    { kind: 'place', matchId },
    {
      kind: 'update',
      matchId,
      ticketIds: ticketIdsOf(match),
      reason: message('match.formed'),
      update: { to: 'formed' },
    },
  ];
}
