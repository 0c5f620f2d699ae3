import { seededRandom } from '@muster/domain';
import { arrange, BestTeams, keepsAll, type Arrangement } from './arrangement.js';
import { Budget, OutOfTime } from '../problem/budget.js';
import { refuse } from '../problem/check.js';
import { draw } from '../problem/draw.js';
import { GreedyStarts } from './greedy-starts.js';
import { binomial } from '../two-teams/ladder.js';
import { LocalSearch } from './local-search.js';
import { boundOfMany } from './many-bounds.js';
import { pack } from './packing.js';
import { placeAll } from './placing.js';
import type {
  Certificate,
  Method,
  SplitAnswer,
  SplitOptions,
  SplitProblem,
  SplitRefusal,
} from '../problem/problem.js';
import { quantise } from '../problem/quantise.js';
import { Seating } from './seating.js';
import { settle, widths } from './settle.js';
import { certificateOf, measureOf, solutionOf, totalOf } from '../problem/solution.js';
import { Standing } from './standing.js';
import { snakeDraft, swapGroups, swapPlayers } from './swaps.js';
import { TeamSearch, type Teams } from './team-search.js';

/** Steps of branch and bound after all other methods; and to find any arrangement at all. */
const mostPlacing = 6_000_000;
/** Beyond this number of groups, trying every arrangement would not end. */
const mostGroupsToPlace = 20;
/** Steps of the search for teams within a given difference. */
const mostSearching = 10_000_000;
/** Sets of half of the players that it lists. */
const mostSets = 20_000;
/** Turns of the local search where a complete one follows: a good split is found, and the proof is soon. */
const fewTurns = 3;
/** Its steps before settling is limited. */
const mostLocalSteps = 2_500_000;
/** Steps of all methods after which the local search ends, by default. */
const mostStepsByDefault = 20_000_000;
/** Greedy starts until one finds room, before a deadline applies. */
const mostTries = 20;
/** Steps of swaps, and of settling teams, before a deadline applies: a millisecond each. */
const mostSwapping = 2_000_000;
const mostSettlingFirst = 200_000;

/** Steps per placement of a group. */
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
 * @returns null when no arrangement satisfies the constraints
 */
export function splitMany(
  problem: SplitProblem,
  options: SplitOptions,
  budget: Budget,
): SplitAnswer | SplitRefusal | null {
  const { best = 1 } = options;
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
  const bound = boundOfMany(arrangement);
  const outcome = search(arrangement, list, bound.least, options, budget);
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
    chosen: draw(solutions, options),
    certificate: certificateOf(proven, {
      value,
      lowerBound,
      reason: outcome.exhausted ? 'exhausted' : bound.reason,
      quantum: weights.quantum,
      stopped: outcome.stopped ?? 'size',
    }),
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

/** Whether any arrangement exists, as far as the step limit allows. */
export function isFeasibleForMany(problem: SplitProblem, budget: Budget): boolean {
  const arrangement = arrange(
    problem,
    quantise(problem.players.map(() => 0).concat(problem.bots ? [0] : [])),
  );
  if (!arrangement.possible) return false;
  const list = new BestTeams(1, problem.teamSizes);
  try {
    if (!arrangement.bound) return Boolean(pack(arrangement, budget));
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
  { best = 1, seed = 0, mostSteps = mostStepsByDefault, patience }: SplitOptions,
  budget: Budget,
): Outcome {
  const isDone = (): boolean => list.threshold <= least;
  let stopped: Certificate['stopped'] = 'size';
  try {
    begin(arrangement, list, least, seed, budget);
    if (
      list.items.length === 0 &&
      (arrangement.bound
        ? placeAll(arrangement, list, 1, budget, mostPlacing) && list.items.length === 0
        : pack(arrangement, budget) === null)
    )
      return { method: 'branch-and-bound', because: 'no arrangement keeps the constraints', exhausted: true };
    const local = new LocalSearch(arrangement, list, least, seed, budget);
    const bySearch: Outcome = {
      method: 'local-search',
      because: 'a local search came to what the weights allow',
      exhausted: false,
    };
    const canBeTried = arrangement.groups.length <= mostGroupsToPlace;
    if (list.items.length > 0)
      local.run(
        canSearchTeams(arrangement) ? 1 : canBeTried ? fewTurns : Infinity,
        budget.operations + mostLocalSteps,
      );
    if (isDone()) return bySearch;
    if (searchTeams(arrangement, list, least, best, budget))
      return {
        method: 'branch-and-bound',
        because: 'every set of teams within that difference was looked for, team after team',
        exhausted: true,
      };
    if (canBeTried && placeAll(arrangement, list, Infinity, budget, mostPlacing))
      return {
        method: 'branch-and-bound',
        because: 'every arrangement was tried or ruled out',
        exhausted: true,
      };
    if (list.items.length > 0 && local.run(Infinity, mostSteps, patience)) stopped = 'stalled';
    if (isDone()) return bySearch;
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    stopped = 'deadline';
  }
  return {
    method: 'local-search',
    because:
      stopped === 'stalled'
        ? 'a local search found nothing more even for long, and there are too many arrangements to rule out'
        : 'there are too many arrangements to rule out, so the best of a local search is answered with its bound',
    exhausted: false,
    stopped,
  };
}

/**
 * The methods that run whatever the deadline, in a millisecond or two: single players are drafted and swapped, groups start
 * greedily until they find room. All later methods start from the best of these.
 */
function begin(arrangement: Arrangement, list: BestTeams, least: number, seed: number, budget: Budget): void {
  const { problem, groups } = arrangement;
  const unhurried = new Budget({});
  const current = problem.current && indicesOf(problem);
  if (current && keepsAll(arrangement, current)) improve(arrangement, list, current, unhurried);
  if (arrangement.lone) draft(arrangement, list, least, seed, unhurried);
  else {
    const starts = new GreedyStarts(new Seating(arrangement), seededRandom(seed));
    for (let tries = 0; tries < mostTries && !starts.start(list, unhurried); tries++);
  }
  if (list.items.length === 0) {
    const first = new BestTeams(1, problem.teamSizes);
    placeAll(arrangement, first, 1, unhurried, stepsOf(arrangement, 4 * groups.length));
    const teams = first.items[0]?.teams ?? (arrangement.bound ? null : pack(arrangement, unhurried));
    if (teams) improve(arrangement, list, teams, unhurried);
  }
  budget.operations += unhurried.operations;
}

/** Offers teams, and what swaps make of them. */
function improve(arrangement: Arrangement, list: BestTeams, teams: Teams, budget: Budget): void {
  list.offer(arrangement.measure(teams));
  const standing = new Standing(arrangement, teams);
  swapGroups(arrangement, standing, budget, mostSwapping);
  list.offer(standing.evened);
}

/** A snake draft with either kind of swaps; the best is settled. */
function draft(arrangement: Arrangement, list: BestTeams, least: number, seed: number, budget: Budget): void {
  const drafted = snakeDraft(arrangement.order, arrangement.problem.teamSizes);
  improve(arrangement, list, drafted, budget);
  if (list.threshold <= least) return;
  const standing = new Standing(arrangement, drafted);
  swapPlayers(arrangement, standing, budget, mostSwapping);
  list.offer(standing.evened);
  if (list.threshold <= least) return;
  const settled = new Standing(arrangement, list.items[0]!.teams);
  const end = budget.operations + mostSettlingFirst;
  settle(arrangement, settled, widths[0], least, end, seededRandom(seed), budget);
  list.offer(settled.evened);
}

/** A complete search is for single players in teams of one size that are few enough to list, where differences decide. */
function canSearchTeams({ plain, order, problem }: Arrangement): boolean {
  return (
    plain &&
    !problem.bots &&
    problem.objective?.kind !== 'mean' &&
    order.length <= 62 &&
    binomial(Math.ceil(order.length / 2), problem.teamSizes[0]!) <= mostSets
  );
}

/**
 * For single players in teams of one size: searches for teams within a small difference, then within twice as much, until
 * some are found. As each search is complete, the first that finds any proves them optimal.
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
  const worst = list.threshold;
  const complete = new TeamSearch(values, count, best, budget, mostSearching);
  const value = worst === Infinity ? list.items[0]!.value : worst;
  for (let more = Math.max(1, Math.floor((value - least) / 64)); ; more *= 2) {
    const most = Math.min(least + more, worst);
    let isComplete = false;
    try {
      isComplete = complete.within(most);
    } finally {
      // All results are kept, whether or not the search was completed.
      for (const { teams, ...evened } of complete.found)
        list.offer({ ...evened, teams: teams.map((team) => team.map((at) => order[at]!)) });
    }
    if (!isComplete) return false;
    if (complete.found.length >= best || most >= worst) return true;
    if (more > 2 ** 52) return false;
  }
}

/** The number of arrangements, where it has a formula. */
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
