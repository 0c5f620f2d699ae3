import type { SecondGoal, SplitPlayer, SplitProblem, SplitSolution } from './problem.js';
import { parties } from './atoms.js';

/**
 * How far a split is from a second goal; 0 is reached.
 * - `spread`: how much the variances of the weights within the teams differ, largest less smallest;
 * - `parties`: how much the parties' sizes differ, team by team, largest against largest, summed;
 * - `roles`: how much the numbers of those who can play each role differ, summed.
 */
export function missOf(goal: SecondGoal, problem: SplitProblem, solution: SplitSolution): number {
  const byId = new Map(problem.players.map((player) => [player.id, player]));
  const teams = solution.teams.map((team) => team.map((id) => byId.get(id)!));
  switch (goal) {
    case 'spread':
      return range(teams.map(variance));
    case 'parties': {
      const sizes = teams.map(partySizes);
      const longest = Math.max(...sizes.map((list) => list.length));
      return sumOf(Array.from({ length: longest }, (_, i) => range(sizes.map((list) => list[i] ?? 1))));
    }
    case 'roles':
      return sumOf(
        Object.keys(problem.roles ?? {}).map((role) =>
          range(teams.map((team) => team.filter((player) => player.canPlay?.includes(role)).length)),
        ),
      );
  }
}

/** Orders splits that are as good as one another by second goals, the first goal first; otherwise as they were. */
export function bySecondGoals(
  problem: SplitProblem,
  solutions: readonly SplitSolution[],
  goals: readonly SecondGoal[],
): SplitSolution[] {
  return solutions
    .map((solution) => ({ solution, misses: goals.map((goal) => missOf(goal, problem, solution)) }))
    .toSorted((a, b) => {
      for (let g = 0; g < goals.length; g++) {
        if (a.misses[g] !== b.misses[g]) return a.misses[g]! - b.misses[g]!;
      }
      return 0;
    })
    .map(({ solution }) => solution);
}

function variance(team: readonly SplitPlayer[]): number {
  const mean = sumOf(team.map((player) => player.weight)) / team.length;
  return sumOf(team.map((player) => (player.weight - mean) ** 2)) / team.length;
}

/** Largest first; lone players are not listed. */
function partySizes(team: readonly SplitPlayer[]): number[] {
  return [...parties(team).values()].map((members) => members.length).toSorted((a, b) => b - a);
}

function range(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
