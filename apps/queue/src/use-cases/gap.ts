import { Unsolvable, type QueueRules } from '@muster/domain';
import type { GapOf } from '@muster/matchmaking';
import { split } from '@muster/solver';

/** Matches of more players are formed without a look at their teams: enumerating their splits would hold up the tick. */
const mostPlayers = 12;

/** How even the best teams of some tickets would be, by the solver that will split them. */
export function gapOf({ teams, teamSize }: QueueRules): GapOf {
  if (teams * teamSize > mostPlayers) return () => 0;
  const teamSizes = Array.from({ length: teams }, () => teamSize);
  return (tickets) => {
    const players = tickets.flatMap(({ ticketId, players: members }) =>
      members.map(({ playerId, mu }) => ({
        id: playerId,
        weight: mu,
        ...(members.length > 1 ? { party: ticketId } : {}),
      })),
    );
    try {
      return split({ players, teamSizes }).best.difference;
    } catch (error) {
      if (error instanceof Unsolvable) return Infinity;
      throw error;
    }
  };
}
