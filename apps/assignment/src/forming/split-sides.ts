import type { FormTeamsJob } from '@muster/contracts';
import type { SplitAnswer, SplitOptions, SplitSolution } from '@muster/solver';
import { splitMatch } from './split-match.js';

/** What players count in a match, in rating points. */
export interface PlayerWeights {
  /** On any side. */
  of(playerId: string): number;
  /** In addition on each side, in team order; empty where nothing is known. */
  onSides(playerId: string): readonly number[];
}

/** How the sides of a match were chosen: with the teams, for teams that were finished, or not at all. */
export type SideChoice = 'together' | 'afterwards' | 'none';

export interface SidedSplit {
  /** Team t plays side t. */
  readonly answer: SplitAnswer;
  readonly choice: SideChoice;
}

/** Teams for which every order of sides is tried. */
const mostOrdered = 6;

/**
 * The most even teams of a match, each for its side.
 *
 * Two teams without bots: exact. A player who counts w + a on the first side and w + b on the second counts w + (a + b)/2
 * for either, plus (a − b)/2 for the first team's lead, wherever the player is. So the lead of all players together is a
 * constant, a head start of the first side, and the solver splits players who count the same on both.
 *
 * Otherwise the teams are split by what counts on any side, and then get the sides under which they are most even.
 *
 * @throws Unsolvable when there are no such teams
 */
export function splitForSides(job: FormTeamsJob, weights: PlayerWeights, options: SplitOptions): SidedSplit {
  const { sides = [], teams } = job.rules;
  const playerIds = job.tickets.flatMap((ticket) => ticket.playerIds);
  const isSided =
    sides.length === teams && playerIds.some((id) => weights.onSides(id).some((each) => each !== 0));
  if (!isSided) return { answer: splitMatch(job, weights.of, options), choice: 'none' };
  if (teams === 2 && job.bots === 0)
    return { answer: together(job, weights, playerIds, options), choice: 'together' };
  const answer = splitMatch(job, weights.of, options);
  return {
    answer: { ...answer, solutions: answer.solutions.map((solution) => ordered(solution, weights)) },
    choice: 'afterwards',
  };
}

function together(
  job: FormTeamsJob,
  { of, onSides }: PlayerWeights,
  playerIds: readonly string[],
  options: SplitOptions,
): SplitAnswer {
  const on = (id: string, side: number): number => onSides(id)[side] ?? 0;
  const headStart = playerIds.reduce((sum, id) => sum + (on(id, 0) - on(id, 1)) / 2, 0);
  const answer = splitMatch(job, (id) => of(id) + (on(id, 0) + on(id, 1)) / 2, options, headStart);
  return {
    ...answer,
    solutions: answer.solutions.map((solution) => ({
      ...solution,
      sums: solution.teams.map((team, t) => team.reduce((sum, id) => sum + of(id) + on(id, t), 0)),
    })),
  };
}

/** The teams of a split in the order in which their sums on these sides differ least; of equals the first. */
function ordered(solution: SplitSolution, { onSides }: PlayerWeights): SplitSolution {
  const { teams, sums } = solution;
  if (teams.length > mostOrdered) return solution;
  // What each team counts on each side.
  const counts = teams.map((team, t) =>
    teams.map((_side, s) => team.reduce((sum, id) => sum + (onSides(id)[s] ?? 0), sums[t] ?? 0)),
  );
  let best: readonly number[] = teams.map((_team, t) => t);
  let least = Infinity;
  for (const order of ordersOf(teams.length)) {
    const strengths = order.map((t, s) => counts[t]?.[s] ?? 0);
    const apart = Math.max(...strengths) - Math.min(...strengths);
    if (apart < least) [best, least] = [order, apart];
  }
  const inOrder = <T>(of: readonly T[]): T[] => best.flatMap((t) => of.slice(t, t + 1));
  return { ...solution, teams: inOrder(teams), bots: inOrder(solution.bots), sums: inOrder(sums) };
}

/** Every order of the numbers below n, that of the numbers themselves first. */
function ordersOf(n: number): number[][] {
  if (n === 0) return [[]];
  return Array.from({ length: n }, (_, first) => first).flatMap((first) =>
    ordersOf(n - 1).map((rest) => [first, ...rest.map((each) => (each >= first ? each + 1 : each))]),
  );
}
