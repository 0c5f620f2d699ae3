import type { QueueRules, Ticket, TicketPlayer } from '@muster/domain';
import type { MatchProposal } from '@muster/matchmaking';
import { split, type SplitProblem } from '@muster/solver';
import type { Judge } from '../baselines/waiting-list.js';
import { normalBelow } from '../chance/normal.js';

/** The teams of a match. */
export interface Teams {
  /** Player ids by team. */
  readonly players: readonly (readonly string[])[];
  /** Bots of each team. */
  readonly bots: readonly number[];
  /** Largest team sum less the smallest, in units of mu. */
  readonly gap: number;
}

const botName = /^bot:/;

/**
 * Splits the tickets of a proposal exactly. Bots are ordinary players, so a party may face a team of bots alone.
 *
 * @throws Error when they cannot be split
 */
export function teamsOf(
  tickets: readonly Ticket[],
  { teamSize, bots }: Pick<MatchProposal, 'teamSize' | 'bots'>,
  rules: QueueRules,
): Teams {
  const answer = split(problemOf(tickets, teamSize, bots, rules));
  const best = answer.outcome === 'split' ? answer.solutions[0] : undefined;
  if (best)
    return {
      players: best.teams.map((team) => team.filter((id) => !botName.test(id))),
      bots: best.teams.map((team) => team.filter((id) => botName.test(id)).length),
      gap: best.difference,
    };
  const names = tickets.map(({ ticketId }) => ticketId).join(', ');
  throw new Error(
    `The matcher proposed a match that cannot be split (${names}): ${answer.outcome === 'refused' ? answer.message : 'no solution'}`,
  );
}

/**
 * Judges sets of tickets by their best split.
 *
 * @param performance the judge's standard deviation of one performance
 */
export function judgeOf(rules: QueueRules, performance: number): Judge {
  const spread = Math.sqrt(rules.teams * rules.teamSize) * performance;
  return (tickets) => {
    const { gap } = teamsOf(tickets, { teamSize: rules.teamSize, bots: 0 }, rules);
    return { gap, unfairness: normalBelow(gap / spread) - 0.5 };
  };
}

function leastOf(roles: Readonly<Record<string, number>>): SplitProblem['roles'] {
  return Object.fromEntries(Object.entries(roles).map(([role, min]) => [role, { min }]));
}

function problemOf(
  tickets: readonly Ticket[],
  teamSize: number,
  bots: number,
  { teams, roles, bots: fill }: QueueRules,
): SplitProblem {
  const humans = tickets.flatMap(({ ticketId, players: members }) =>
    members.map((member: TicketPlayer) => ({
      id: member.playerId,
      weight: member.mu,
      ...(members.length > 1 ? { party: ticketId } : {}),
      ...(roles ? { canPlay: member.canPlay ?? [] } : {}),
    })),
  );
  const filled = Array.from({ length: bots }, (_, i) => ({
    id: `bot:${i}`,
    weight: fill?.skill ?? 0,
    ...(roles ? { canPlay: Object.keys(roles) } : {}),
  }));
  return {
    players: [...humans, ...filled],
    teamSizes: Array.from({ length: teams }, () => teamSize),
    ...(roles ? { roles: leastOf(roles) } : {}),
  };
}
