import type { FormedMatch } from '../matches/match.js';
import { message } from '../messages/index.js';
import type { MatchJob } from './decision.js';
import { ticketIdsOf } from './state.js';

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
