import { heaviestFirst, teamsOf, type Atom } from './problem/atoms.js';
import { Budget, OutOfTime } from './problem/budget.js';
import { checkOptions, checkProblem, refuse } from './problem/check.js';
import { draw } from './problem/draw.js';
import { bySecondGoals } from './problem/goals.js';
import { climb, type Climb } from './two-teams/ladder.js';
import { splitManySizes } from './many-teams/many-sizes.js';
import { isFeasibleForMany } from './many-teams/many-teams.js';
import type {
  Certificate,
  Constraint,
  SplitAnswer,
  SplitOptions,
  SplitProblem,
  SplitRefusal,
  SplitSolution,
} from './problem/problem.js';
import { quantise, type Quantised } from './problem/quantise.js';
import { reach, waysOf } from './two-teams/reach.js';
import { adviceOn, smallestRelaxation } from './problem/relax.js';
import { certificateOf, measureOf, solutionOf, totalOf, type Measure } from './problem/solution.js';
import { twoTeams } from './two-teams/two-teams.js';

/** Step limit of the search for constraints to relax. */
const mostAdvising = 2_000_000;
/** Second goals choose among this many of the best. */
const secondChoice = 100;

/**
 * Splits players into teams that are as equal as possible, and returns a proof of the split's quality. It chooses the
 * method by the problem's shape (docs/solver.md) and never throws: an unsolvable problem is refused, with the reason.
 *
 * The same problem with the same options gives the same answer, unless the deadline interrupts it.
 */
export function split(problem: SplitProblem, options: SplitOptions = {}): SplitAnswer | SplitRefusal {
  const flaw = checkOptions(options) ?? checkProblem(problem);
  if (flaw) return flaw;
  const budget = new Budget(options);
  return problem.teamSizes.length === 2
    ? splitTwo(problem, options, budget)
    : (splitManySizes(problem, options, budget) ?? infeasible(problem, budget));
}

/** For two teams, of a validated problem. */
export function splitTwo(
  problem: SplitProblem,
  options: SplitOptions,
  budget: Budget,
): SplitAnswer | SplitRefusal {
  const weights = weightsOf(problem);
  const order = heaviestFirst(problem.players);
  const two = twoTeams(problem, order, weights);
  if ('conflict' in two) return infeasible(problem, budget);
  const { best = 1, seed = 0 } = options;
  const climbed = climb(
    two,
    problem.second ? Math.max(best, secondChoice) : best,
    seed,
    budget,
    problem.current && sidesOf(problem, two.atoms),
  );
  if (climbed.found.length === 0) {
    if (climbed.stopped)
      return refuse(
        'too-large',
        'No split that keeps all constraints was found in the work allowed, nor was it ruled out; give more time, or fewer constraints.',
      );
    return infeasible(problem, budget);
  }
  const solutions = climbed.found.map(({ sides }) =>
    solutionOf(problem, weights, two.shift, teamsOf(two.atoms, sides)),
  );
  const measure = measureOf(problem, weights, totalOf(solutions[0]!, weights, two.shift));
  const values = climbed.found.map(({ value }) => measure.report(value));
  const ranked = rank(problem, weights, solutions, values, best, climbed);
  return {
    outcome: 'split',
    solutions: ranked.solutions,
    ranked: ranked.isProven,
    chosen: draw(ranked.solutions, options),
    certificate: certify(climbed, values[0]!, measure, weights.quantum),
    method: climbed.method,
    because: climbed.because,
    ways: climbed.ways,
    operations: budget.operations,
    shift: weights.weight(two.shift),
  };
}

/** Second goals choose among the splits within the slack; without them the order stays. */
function rank(
  problem: SplitProblem,
  weights: Quantised,
  solutions: readonly SplitSolution[],
  values: readonly number[],
  best: number,
  { ranked, ways }: Climb,
): { solutions: SplitSolution[]; isProven: boolean } {
  const { second } = problem;
  if (!second) return { solutions: [...solutions], isProven: ranked };
  const close = values.filter((value) => value <= values[0]! + second.slack).length;
  const complete = close < solutions.length || (ways !== null && ways <= close);
  return {
    solutions: [
      ...bySecondGoals(problem, weights, solutions.slice(0, close), second.goals),
      ...solutions.slice(close),
    ].slice(0, best),
    isProven: ranked && complete,
  };
}

function certify(climbed: Climb, value: number, measure: Measure, quantum: number): Certificate {
  // `value` is of the rounded weights; the true one is within their rounding.
  const lowerBound = Math.max(0, Math.min(value, measure.report(climbed.least)) - measure.rounding);
  const { proven, reason, stopped } = climbed;
  return certificateOf(proven, { value, lowerBound, reason, quantum, stopped });
}

function infeasible(problem: SplitProblem, budget: Budget): SplitRefusal {
  const relax = relaxationOf(problem, budget);
  return refuse(
    'infeasible',
    `No split into teams of ${problem.teamSizes.join(' and ')} keeps all parties, avoided pairs and roles. ${relax ? adviceOn(relax) : 'Which constraints to relax was not found out in the work allowed.'}`,
    undefined,
    relax ?? [],
  );
}

/** @returns null when the step limit was reached */
function relaxationOf(problem: SplitProblem, budget: Budget): Constraint[] | null {
  const end = budget.operations + mostAdvising;
  try {
    return smallestRelaxation(problem, (relaxed) => {
      if (budget.operations > end || budget.isOver()) throw new OutOfTime();
      return isFeasible(relaxed, budget);
    });
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    return null;
  }
}

function isFeasible(problem: SplitProblem, budget: Budget): boolean {
  if (problem.teamSizes.length > 2) return isFeasibleForMany(problem, budget);
  const two = twoTeams(problem, heaviestFirst(problem.players), weightsOf(problem));
  if ('conflict' in two || !two.possible) return false;
  const counted = two.counter && reach(two.counter, budget);
  return counted ? waysOf(two.counter, counted) > 0 : climb(two, 1, 0, budget).found.length > 0;
}

/** The players' weights in quanta and, after them, that of a bot. */
function weightsOf({ players, bots, teamSizes }: SplitProblem): Quantised {
  const weights = players.map((player) => player.weight);
  if (!bots) return quantise(weights);
  const places = Math.max(bots.fillTo, teamSizes.length * players.length);
  return quantise([...weights, bots.weight], [...weights.map(() => 1), places]);
}

/** The current teams as atoms' sides, by each atom's first player; atoms on neither start on the second. */
function sidesOf({ players, current = [] }: SplitProblem, atoms: readonly Atom[]): Uint8Array {
  const first = new Set(current[0]);
  return Uint8Array.from(atoms, ({ here }) => (first.has(players[here[0]!]!.id) ? 1 : 0));
}
