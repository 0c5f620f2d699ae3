import type { FormedMatch } from '../matches/match.js';
import { message } from '../messages/index.js';
import type { MatchFigures, MatchJob } from './decision.js';
import { ticketIdsOf } from './state.js';

/** What is counted of a match. */
export function figuresOf({
  queue,
  split,
  prediction,
  players,
}: Pick<FormedMatch, 'queue' | 'split' | 'prediction' | 'players'>): MatchFigures {
  const [first, second, ...others] = prediction;
  const isOfTwo = first !== undefined && second !== undefined && others.length === 0;
  const waits = new Map(players.map(({ ticketId, waitedMs }) => [ticketId, waitedMs]));
  return {
    queue,
    teamGap: split.difference,
    favouriteLead: isOfTwo ? Math.abs(first - second) / 2 : null,
    waitsMs: [...waits.values()].flatMap((waitMs) => waitMs ?? []),
  };
}

/** A server is searched for, and the tickets are notified. */
export function formedJobs(
  match: Pick<FormedMatch, 'matchId' | 'players' | 'queue' | 'split' | 'prediction'>,
): MatchJob[] {
  const { matchId } = match;
  return [
    { kind: 'place', matchId },
    {
      kind: 'update',
      matchId,
      ticketIds: ticketIdsOf(match),
      reason: message('match.formed'),
      update: { to: 'formed', figures: figuresOf(match) },
    },
  ];
}
