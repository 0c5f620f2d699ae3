import type { Budget } from '../problem/budget.js';
import { refuse } from '../problem/check.js';
import { splitMany } from './many-teams.js';
import { draw } from '../problem/draw.js';
import type { SplitAnswer, SplitOptions, SplitProblem, SplitRefusal } from '../problem/problem.js';
import { certificateOf } from '../problem/solution.js';

/** Steps after which no further choice of sizes is tried. */
const mostChoosing = 6_000_000;
/** Most choices of sizes that are tried, the most even first. */
const mostChoices = 60;

/**
 * More than two teams whose sizes may differ, with bots in the free places: each choice of sizes is a separate problem,
 * except for the number added to weights, and the best ratio of all is returned.
 *
 * @returns null when no choice of sizes has an arrangement that satisfies the constraints
 */
export function splitManySizes(
  problem: SplitProblem,
  options: SplitOptions,
  budget: Budget,
): SplitAnswer | SplitRefusal | null {
  const { bots, players, teamSizes } = problem;
  if (!bots || bots.maxSizeDifference === 0) return splitMany(problem, options, budget);
  const choices = sizesWithin(players.length, teamSizes.length, bots.maxSizeDifference);
  const tried = choices.slice(0, mostChoices);
  const answers: SplitAnswer[] = [];
  let skipped = choices.length > tried.length;
  const end = budget.operations + mostChoosing;
  const within = (sizes: readonly number[], current: SplitProblem['current'], mostSteps?: number) =>
    // The rules of the bots stay, so that all choices add the same number to weights and their ratios are comparable.
    splitMany({ ...problem, teamSizes: sizes, current }, { ...options, power: undefined, mostSteps }, budget);
  for (const sizes of tried) {
    if (answers.length > 0 && (budget.operations > end || budget.isOver())) {
      skipped = true;
      break;
    }
    const answer = within(sizes, undefined, 0);
    if (answer?.outcome === 'split') answers.push(answer);
    else if (answer) skipped = true;
  }
  if (answers.length === 0) {
    if (!skipped) return null;
    return refuse('too-large', 'No arrangement that keeps all constraints was found in the work allowed.');
  }
  const first = answers.reduce((a, b) => (b.certificate.value < a.certificate.value ? b : a));
  if (first.certificate.status === 'bounded') {
    // The remaining time is for the best choice.
    const { teams } = first.solutions[0]!;
    const again = within(
      teams.map((team) => team.length),
      teams,
      options.mostSteps,
    );
    if (again?.outcome === 'split' && again.solutions.length >= first.solutions.length)
      answers[answers.indexOf(first)] = again;
  }
  return merged(answers, skipped, options, budget);
}

/** Combines several answers into the best one. */
function merged(
  answers: readonly SplitAnswer[],
  skipped: boolean,
  options: SplitOptions,
  budget: Budget,
): SplitAnswer {
  const first = answers.reduce((a, b) => (b.certificate.value < a.certificate.value ? b : a));
  const solutions = answers
    .flatMap((answer) => answer.solutions)
    .toSorted((a, b) => b.ratio - a.ratio)
    .slice(0, options.best ?? 1);
  const { value } = first.certificate;
  const lowerBound = skipped ? 0 : Math.min(...answers.map((answer) => answer.certificate.lowerBound));
  const allProven = !skipped && answers.every((answer) => answer.certificate.status === 'proven');
  const proven = allProven || value <= lowerBound;
  return {
    ...first,
    solutions,
    ranked: allProven && answers.every((answer) => answer.ranked),
    chosen: draw(solutions, options),
    certificate: certificateOf(proven, { stopped: 'size', ...first.certificate, lowerBound }),
    because:
      answers.length === 1
        ? first.because
        : `${first.because}; the best of ${answers.length} choices of sizes`,
    ways: null,
    operations: budget.operations,
  };
}

/** Sizes, largest first, that add up and differ by at most `most`; the most even first. */
function sizesWithin(players: number, teams: number, most: number): number[][] {
  const choices: number[][] = [];
  const add = (sizes: number[], left: number): void => {
    if (choices.length >= 10 * mostChoices) return;
    const open = teams - sizes.length;
    if (open === 0) {
      if (left === 0) choices.push(sizes);
      return;
    }
    const largest = sizes[0] ?? left;
    const last = sizes[sizes.length - 1] ?? largest;
    // From the even share upward for the first, so that even choices come early.
    for (let size = Math.ceil(left / open); size <= Math.min(last, left - open + 1); size++) {
      if (sizes.length > 0 && largest - size > most) continue;
      add([...sizes, size], left - size);
    }
  };
  add([], players);
  return choices
    .filter((sizes) => sizes[0]! - sizes[sizes.length - 1]! <= most)
    .toSorted((a, b) => a[0]! - a[a.length - 1]! - (b[0]! - b[b.length - 1]!));
}
