import type { Clock, QueueRules } from '@muster/domain';
import type { GapOf } from '@muster/matchmaking';
import { split } from '@muster/solver';

/**
 * Matches of more players are formed without a look at their teams: a tick weighs dozens of sets, and solving each would
 * hold it up. Two teams of 24 players are solved in less than a millisecond; three of them take a hundred times that.
 */
const mostPlayersOfTwo = 24;
const mostPlayersOfMany = 12;
/** A set that takes longer is taken for as even as the best teams found by then. */
const deadlineMs = 5;

/** How even the best teams of some tickets would be, by the solver that will split them. */
export function gapOf({ teams, teamSize }: QueueRules, clock: Clock): GapOf {
  if (teams * teamSize > (teams === 2 ? mostPlayersOfTwo : mostPlayersOfMany)) return () => 0;
  const teamSizes = Array.from({ length: teams }, () => teamSize);
  return (tickets) => {
    const players = tickets.flatMap(({ ticketId, players: members }) =>
      members.map(({ playerId, mu }) => ({
        id: playerId,
        weight: mu,
        ...(members.length > 1 ? { party: ticketId } : {}),
      })),
    );
    const now = (): number => clock.now();
    const answer = split({ players, teamSizes }, { deadline: { now, at: now() + deadlineMs } });
    return answer.outcome === 'split' ? (answer.solutions[0]?.difference ?? Infinity) : Infinity;
  };
}
