import { parties } from './atoms.js';
import type { SecondGoal, SplitPlayer, SplitProblem, SplitSolution } from './problem.js';
import type { Quantised } from './quantise.js';

/** The distance of a split from a goal: a fraction of whole numbers, `under` above 0, so that ties are exact. */
interface Miss {
  readonly over: bigint;
  readonly under: bigint;
}

/**
 * Orders equally good splits by second goals, the first goal first; otherwise keeps the order. Misses are compared without
 * rounding: a difference caused only by the order of additions must not overrule the next goal.
 *
 * @param weights the players' weights, in the order of the problem
 */
export function bySecondGoals(
  problem: SplitProblem,
  weights: Quantised,
  solutions: readonly SplitSolution[],
  goals: readonly SecondGoal[],
): SplitSolution[] {
  const quanta = new Map(problem.players.map(({ id }, i) => [id, BigInt(weights.values[i]!)]));
  const byId = new Map(problem.players.map((player) => [player.id, player]));
  return solutions
    .map((solution) => {
      const teams = solution.teams.map((team) => team.map((id) => byId.get(id)!));
      return { solution, misses: goals.map((goal) => missOf(goal, problem, teams, quanta)) };
    })
    .toSorted((a, b) => {
      for (let g = 0; g < goals.length; g++) {
        const order = compare(a.misses[g]!, b.misses[g]!);
        if (order !== 0) return order;
      }
      return 0;
    })
    .map(({ solution }) => solution);
}

function compare(a: Miss, b: Miss): number {
  const [left, right] = [a.over * b.under, b.over * a.under];
  return left < right ? -1 : Number(left > right);
}

/**
 * The distance of a split from a second goal; 0 is reached.
 * - `spread`: the difference of the weights' variances within the teams, largest less smallest;
 * - `parties`: the differences of the parties' sizes, team by team, largest against largest, summed;
 * - `roles`: the differences of the numbers of players who can play each role, summed.
 */
function missOf(
  goal: SecondGoal,
  problem: SplitProblem,
  teams: readonly (readonly SplitPlayer[])[],
  quanta: ReadonlyMap<string, bigint>,
): Miss {
  switch (goal) {
    case 'spread':
      return unlikeness(teams.map((team) => team.map(({ id }) => quanta.get(id)!)));
    case 'parties': {
      const sizes = teams.map(partySizes);
      const longest = Math.max(...sizes.map((list) => list.length));
      return whole(
        sumOf(Array.from({ length: longest }, (_, i) => range(sizes.map((list) => list[i] ?? 1)))),
      );
    }
    case 'roles':
      return whole(
        sumOf(
          Object.keys(problem.roles ?? {}).map((role) =>
            range(teams.map((team) => team.filter((player) => player.canPlay?.includes(role)).length)),
          ),
        ),
      );
  }
}

function whole(miss: number): Miss {
  return { over: BigInt(miss), under: 1n };
}

/**
 * Largest variance less the smallest. Of k weights, k times the sum of squares less the square of the sum is k² variances.
 */
function unlikeness(teams: readonly (readonly bigint[])[]): Miss {
  const under = teams.reduce((product, team) => product * BigInt(team.length) ** 2n, 1n);
  const variances = teams.map((team) => {
    const size = BigInt(team.length);
    const sum = team.reduce((total, weight) => total + weight, 0n);
    const squares = team.reduce((total, weight) => total + weight * weight, 0n);
    return ((size * squares - sum * sum) * under) / size ** 2n;
  });
  const most = variances.reduce((a, b) => (a > b ? a : b));
  const least = variances.reduce((a, b) => (a < b ? a : b));
  return { over: most - least, under };
}

/** Largest first; single players are not listed. */
function partySizes(team: readonly SplitPlayer[]): number[] {
  return [...parties(team).values()].map((members) => members.length).toSorted((a, b) => b - a);
}

function range(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
