import { seededRandom } from '@muster/domain';
import { arrange, BestTeams, keepsAll, type Arrangement } from './arrangement.js';
import { differencesDivisor } from './bounds.js';
import { Budget, OutOfTime } from './budget.js';
import { refuse } from './check.js';
import { draw } from './draw.js';
import { binomial } from './ladder.js';
import { rebalancePairs, shaken } from './pairwise.js';
import { placeAll } from './placing.js';
import type {
  Certificate,
  Method,
  SplitAnswer,
  SplitOptions,
  SplitProblem,
  SplitRefusal,
} from './problem.js';
import { quantise } from './quantise.js';
import { measureOf, solutionOf, totalOf } from './solution.js';
import { TeamSearch } from './team-search.js';

/** Steps of branch and bound when all else is done; and to find any arrangement at all. */
const mostPlacing = 6_000_000;
/** Beyond so many groups, trying every arrangement would not end. */
const mostGroupsToPlace = 20;
/** Steps of the search for teams within a given difference. */
const mostSearching = 2_000_000;
/** Local search starts anew so often; less where a complete search follows. */
const mostStarts = 400;
const fewStarts = 1;
const mostLocalSteps = 2_500_000;

/** Steps that so many placings of a group take. */
function stepsOf({ problem }: Arrangement, placings: number): number {
  return 8 * problem.teamSizes.length * placings;
}

interface Outcome {
  readonly method: Method;
  readonly because: string;
  readonly exhausted: boolean;
  readonly stopped?: Certificate['stopped'];
}

/**
 * Splits into three or more teams so that the largest and the smallest level differ least, then so that levels vary least.
 *
 * @returns null when no arrangement keeps the constraints
 */
export function splitMany(
  problem: SplitProblem,
  options: SplitOptions,
  budget: Budget,
): SplitAnswer | SplitRefusal | null {
  const { best = 1, seed = 0 } = options;
  const weights = quantise(
    [...problem.players.map((player) => player.weight), ...(problem.bots ? [problem.bots.weight] : [])],
    problem.bots
      ? [
          ...problem.players.map(() => 1),
          Math.max(problem.bots.fillTo, 1) + problem.players.length * problem.teamSizes.length,
        ]
      : [],
  );
  const arrangement = arrange(problem, weights);
  if (!arrangement.possible) return null;
  const list = new BestTeams(best, problem.teamSizes);
  const bound = boundOf(arrangement);
  const outcome = search(arrangement, list, bound.least, best, seed, budget);
  if (list.items.length === 0) {
    if (outcome.exhausted) return null;
    return refuse(
      'too-large',
      'No arrangement that keeps all constraints was found in the work allowed, nor was it ruled out; give more time, or fewer constraints.',
    );
  }
  const solutions = list.items.map(({ teams }) => solutionOf(problem, weights, arrangement.shift, teams));
  const measure = measureOf(problem, weights, totalOf(solutions[0]!, weights, arrangement.shift));
  const value = measure.report(list.items[0]!.value);
  const byBound = list.items[0]!.value <= bound.least;
  const proven = outcome.exhausted || byBound;
  const least = outcome.exhausted ? value : Math.min(value, measure.report(bound.least));
  const lowerBound = Math.max(0, least - 2 * measure.rounding);
  return {
    outcome: 'split',
    solutions,
    ranked: outcome.exhausted || list.threshold <= bound.least,
    chosen:
      options.power === undefined
        ? 0
        : draw(
            solutions.map(({ ratio }) => ratio),
            options.power,
            seed,
          ),
    certificate: {
      status: proven ? 'proven' : 'bounded',
      value,
      lowerBound,
      gap: value - lowerBound,
      reason: outcome.exhausted ? 'exhausted' : bound.reason,
      quantum: weights.quantum,
      ...(proven ? {} : { stopped: outcome.stopped ?? 'size' }),
    },
    method: outcome.method,
    because:
      byBound && !outcome.exhausted
        ? 'a local search came to what nothing can be better than'
        : outcome.because,
    ways: waysOf(arrangement),
    operations: budget.operations,
    shift: weights.weight(arrangement.shift),
  };
}

/** Whether there is any arrangement, as far as the work allowed tells. */
export function isFeasibleForMany(problem: SplitProblem, budget: Budget): boolean {
  const arrangement = arrange(
    problem,
    quantise(problem.players.map(() => 0).concat(problem.bots ? [0] : [])),
  );
  if (!arrangement.possible) return false;
  const list = new BestTeams(1, problem.teamSizes);
  try {
    placeAll(arrangement, list, 1, budget, stepsOf(arrangement, 40 * arrangement.groups.length + 3_000));
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
  }
  return list.items.length > 0;
}

function search(
  arrangement: Arrangement,
  list: BestTeams,
  least: number,
  best: number,
  seed: number,
  budget: Budget,
): Outcome {
  const { problem } = arrangement;
  const isDone = (): boolean => list.threshold <= least;
  let stopped: Certificate['stopped'] = 'size';
  try {
    const current = problem.current && indicesOf(problem);
    if (current && keepsAll(arrangement, current)) list.offer(arrangement.measure(current));
    if (
      list.items.length === 0 &&
      placeAll(arrangement, list, 1, budget, mostPlacing) &&
      list.items.length === 0
    )
      return { method: 'branch-and-bound', because: 'no arrangement keeps the constraints', exhausted: true };
    if (list.items.length > 0) improve(arrangement, list, least, seed, budget);
    if (isDone())
      return {
        method: 'pairwise-rebalancing',
        because: 'splitting two teams at a time anew came to what the weights allow',
        exhausted: false,
      };
    if (searchTeams(arrangement, list, least, best, budget))
      return {
        method: 'branch-and-bound',
        because: 'every set of teams within that difference was looked for, team after team',
        exhausted: true,
      };
    if (
      arrangement.groups.length <= mostGroupsToPlace &&
      placeAll(arrangement, list, Infinity, budget, mostPlacing)
    )
      return {
        method: 'branch-and-bound',
        because: 'every arrangement was tried or ruled out',
        exhausted: true,
      };
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    stopped = 'deadline';
    if (list.items.length === 0)
      placeAll(arrangement, list, 1, new Budget({}), stepsOf(arrangement, 4 * arrangement.groups.length));
  }
  return {
    method: 'pairwise-rebalancing',
    because:
      'there are too many arrangements to rule out, so the best of a local search is answered with its bound',
    exhausted: false,
    stopped,
  };
}

function improve(
  arrangement: Arrangement,
  list: BestTeams,
  least: number,
  seed: number,
  budget: Budget,
): void {
  const random = seededRandom(seed);
  const end = budget.operations + mostLocalSteps;
  let teams = list.items[0]!.teams;
  const starts = canSearchTeams(arrangement) ? fewStarts : mostStarts;
  for (let start = 0; start < starts; start++) {
    teams = rebalancePairs(arrangement, teams, budget);
    if (keepsAll(arrangement, teams)) list.offer(arrangement.measure(teams));
    if (list.threshold <= least || budget.operations > end) return;
    // From near the best, from further away, in turn: the best may lie behind a hill.
    const from = shaken(list.items[0]!.teams, 2 + (start % 4) * teams.length, random);
    teams = keepsAll(arrangement, from) ? from : list.items[0]!.teams;
  }
}

/** A complete search is for lone players in teams of one size that are few enough to list, where differences decide. */
function canSearchTeams({ plain, order, problem }: Arrangement): boolean {
  return (
    plain &&
    !problem.bots &&
    problem.objective?.kind !== 'mean' &&
    binomial(order.length - 1, problem.teamSizes[0]! - 1) <= 200_000
  );
}

/**
 * For lone players in teams of one size: looks for teams within a small difference, then within twice as much, until some
 * are found. As each search is complete, the first that finds any proves them the best.
 */
function searchTeams(
  arrangement: Arrangement,
  list: BestTeams,
  least: number,
  best: number,
  budget: Budget,
): boolean {
  if (!canSearchTeams(arrangement)) return false;
  const { order, weights, problem } = arrangement;
  const count = problem.teamSizes.length;
  const values = Float64Array.from(order, (i) => weights.values[i]!);
  const end = budget.operations + mostSearching;
  const worst = list.threshold;
  let most = Math.max(least, Math.floor((worst === Infinity ? list.items[0]!.value : worst) / 64), 1);
  for (;;) {
    const found = new TeamSearch(values, count, Math.min(most, worst), best, budget, end - budget.operations);
    if (!found.run()) return false;
    if (found.found.length >= best || most >= worst) {
      for (const { teams, ...evened } of found.found)
        list.offer({ ...evened, teams: teams.map((team) => team.map((at) => order[at]!)) });
      return true;
    }
    most *= 2;
    if (most > 2 ** 52) return false;
  }
}

/** What no arrangement can go below: sums share a residue, and the heaviest (or lightest) players weigh on some team. */
function boundOf({ problem, order, weights }: Arrangement): {
  readonly least: number;
  readonly reason: 'residue' | 'structural';
} {
  const { teamSizes, objective, bots } = problem;
  const count = teamSizes.length;
  const size = teamSizes[0]!;
  if (bots || teamSizes.some((other) => other !== size)) return { least: 0, reason: 'residue' };
  const scale = objective?.kind === 'mean' ? 1 / size : 1;
  const values = Float64Array.from(order, (i) => weights.values[i]!);
  const total = values.reduce((sum, value) => sum + value, 0);
  const divisor = differencesDivisor(values);
  const reduced = values.reduce((sum, value) => sum + (value - values[0]!), 0);
  const residue = divisor > 0 && Math.abs(reduced / divisor) % count !== 0 ? divisor : 0;
  const n = values.length;
  const sumOf = (from: number, to: number): number =>
    values.slice(from, to).reduce((sum, value) => sum + value, 0);
  // The team of the heaviest weighs at least this, the others share the rest; and the same for the lightest.
  const heavy = values[0]! + sumOf(n - size + 1, n);
  const light = values[n - 1]! + sumOf(0, size - 1);
  // Sums of teams are apart by multiples of the divisor, so the others' average is rounded to what a sum can be.
  const step = divisor || 1;
  const lightest = size * values[n - 1]!;
  const average = (rest: number): number => (rest / (count - 1) - lightest) / step;
  const below = Math.floor(average(total - heavy) + 1e-9) * step + lightest;
  const above = Math.ceil(average(total - light) - 1e-9) * step + lightest;
  const structural = Math.max(heavy - below, above - light, unequalShares(values, count), 0);
  return structural > residue
    ? { least: structural * scale, reason: 'structural' }
    : { least: residue * scale, reason: 'residue' };
}

/**
 * Where the t heaviest cannot be shared out equally, some team has one more of them than another: the least that such a team
 * can weigh, less the most that the other can.
 */
function unequalShares(values: Float64Array, count: number): number {
  const n = values.length;
  const size = n / count;
  const before = new Float64Array(n + 1);
  values.forEach((value, i) => (before[i + 1] = before[i]! + value));
  let most = 0;
  for (let t = 1; t < n; t++) {
    const fewer = Math.floor(t / count);
    const more = Math.ceil(t / count);
    if (fewer === more) continue;
    const lightest = before[t]! - before[t - more]! + before[n]! - before[n - size + more]!;
    const heaviest = before[fewer]! + before[Math.min(n, t + size - fewer)]! - before[t]!;
    if (n - t >= size - fewer && t >= more) most = Math.max(most, lightest - heaviest);
  }
  return most;
}

/** How many arrangements there are, where counting them is a formula. */
function waysOf({ plain, problem }: Arrangement): number | null {
  if (!plain) return null;
  let left = problem.players.length;
  let ways = 1;
  problem.teamSizes.forEach((size, t) => {
    ways *= binomial(left, size) / (t + 1);
    left -= size;
  });
  return Math.round(ways);
}

function indicesOf({ players, current = [] }: SplitProblem): number[][] {
  const at = new Map(players.map((player, i) => [player.id, i]));
  return current.map((team) => team.map((id) => at.get(id)!));
}
