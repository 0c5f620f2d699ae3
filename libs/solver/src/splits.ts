import { heaviestFirst } from './problem/atoms.js';
import { differencesDivisor, boundOf } from './two-teams/bounds.js';
import { Budget, OutOfTime } from './problem/budget.js';
import { checkOptions, checkPlayers, malformed } from './problem/check.js';
import { firstSplit, mostMet, solvePool, type SizeSplit } from './pools/pools.js';
import type {
  Certificate,
  PoolAnswer,
  PoolPlayer,
  PoolProblem,
  PoolSplit,
  SplitOptions,
  SplitRefusal,
} from './problem/problem.js';
import { quantise, type Quantised } from './problem/quantise.js';
import { certificateOf, sumOf } from './problem/solution.js';
import { splitTwo } from './split.js';
import type { PoolItem } from './pools/ternary.js';

/**
 * The best split of a pool for every size from 2 to ⌊players / 2⌋, each optimal for its size; the rest sit out. Like
 * `split` it never throws, and the same pool gives the same answer unless the deadline interrupts it.
 */
export function splits(problem: PoolProblem, options: SplitOptions = {}): PoolAnswer | SplitRefusal {
  const flaw = checkOptions(options) ?? checkPool(problem);
  if (flaw) return flaw;
  const budget = new Budget(options);
  return {
    outcome: 'splits',
    splits:
      problem.bench === 'longest-waiting'
        ? byWaiting(problem, options, budget)
        : byWeight(problem, options, budget),
    operations: budget.operations,
  };
}

function checkPool({ players, bench }: PoolProblem): SplitRefusal | null {
  if (!['anyone', 'top-plays', 'longest-waiting'].includes(bench))
    return malformed(
      `There is no bench policy "${bench}"; there are anyone, top-plays and longest-waiting.`,
      'bench',
    );
  const waited = players.findIndex(
    (player) => player.waited !== undefined && !Number.isFinite(player.waited),
  );
  if (waited >= 0)
    return malformed(`waited of ${players[waited]!.id} is not a finite number.`, `players[${waited}].waited`);
  const flaw = checkPlayers(players);
  if (flaw) return flaw;
  if (players.length < 4)
    return malformed(`Two teams of two need 4 players; there are ${players.length}.`, 'players');
  return null;
}

/** The players who waited longest play: the bench is given, and each size is a separate split. */
function byWaiting({ players }: PoolProblem, { seed }: SplitOptions, budget: Budget): PoolSplit[] {
  const longest = players
    .map((player, i) => ({ player, i }))
    .toSorted((a, b) => (b.player.waited ?? 0) - (a.player.waited ?? 0) || a.i - b.i)
    .map(({ player }) => player);
  return Array.from({ length: Math.floor(players.length / 2) - 1 }, (_, i) => {
    const size = i + 2;
    const playing = longest.slice(0, 2 * size);
    const answer = budget.isOver()
      ? null
      : splitTwo(
          { players: playing.map(({ id, weight }) => ({ id, weight })), teamSizes: [size, size] },
          { seed },
          budget,
        );
    const bench = longest.slice(2 * size).map((player) => player.id);
    if (answer?.outcome !== 'split') return { ...inHaste(playing, size), bench };
    const { solutions, certificate, method } = answer;
    const { teams, sums, difference } = solutions[0]!;
    return {
      size,
      teams: [teams[0]!, teams[1]!],
      bench,
      sums: [sums[0]!, sums[1]!],
      difference,
      certificate,
      method,
    };
  });
}

/** A split of all the players when there is no time for a good one. */
function inHaste(players: readonly PoolPlayer[], size: number): PoolSplit {
  const weights = quantise(players.map((player) => player.weight));
  const order = heaviestFirst(players);
  const items = order.map((i): PoolItem => ({ weight: weights.values[i]!, canSitOut: false }));
  const found = newSplit(size, { least: 0, reason: 'residue' });
  firstSplit(items, found);
  return answerOf(found, players, order, weights, 'deadline');
}

function newSplit(size: number, bound: { least: number; reason: Certificate['reason'] }): SizeSplit {
  return { size, value: Infinity, places: [], method: 'differencing', proven: false, ...bound };
}

function byWeight({ players, bench }: PoolProblem, { seed = 0 }: SplitOptions, budget: Budget): PoolSplit[] {
  const weights = quantise(players.map((player) => player.weight));
  const order = heaviestFirst(players);
  const items = order.map((i, at): PoolItem => ({
    weight: weights.values[i]!,
    canSitOut: bench === 'anyone' || at > 0,
  }));
  const sizes: SizeSplit[] = [];
  for (let size = 2; size <= players.length / 2; size++) {
    sizes.push(newSplit(size, leastFor(items, size)));
  }
  let stopped: Certificate['stopped'] = players.length <= mostMet ? 'memory' : 'size';
  try {
    solvePool(items, sizes, seed, budget);
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    stopped = 'deadline';
  }
  return sizes.map((found) => answerOf(found, players, order, weights, stopped));
}

/** A lower bound for this size, for any bench. */
function leastFor(
  items: readonly PoolItem[],
  size: number,
): { least: number; reason: Certificate['reason'] } {
  const weights = Float64Array.from(items, (item) => item.weight);
  const n = weights.length;
  if (2 * size === n) return boundOf(weights, size, 0);
  const structural = items[0]!.canSitOut
    ? 0
    : weights[0]! + sumWithin(weights, n - size + 1, n) - sumWithin(weights, 1, size + 1);
  const residue = canBeEven(items, weights, n - 2 * size) ? 0 : differencesDivisor(weights);
  return structural > residue
    ? { least: structural, reason: 'structural' }
    : { least: residue, reason: 'residue' };
}

/** Whether some bench leaves an even number of odd steps on the teams, without which their sums cannot be equal. */
function canBeEven(items: readonly PoolItem[], weights: Float64Array, benched: number): boolean {
  const divisor = differencesDivisor(weights);
  if (divisor === 0) return true;
  const isOdd = Array.from(weights, (weight) => Math.abs((weight - weights[0]!) / divisor) % 2 === 1);
  const odd = isOdd.filter((is, i) => is && items[i]!.canSitOut).length;
  const even = isOdd.filter((is, i) => !is && items[i]!.canSitOut).length;
  const all = isOdd.filter(Boolean).length;
  for (let j = Math.max(0, benched - even); j <= Math.min(odd, benched); j++)
    if ((all - j) % 2 === 0) return true;
  return false;
}

function sumWithin(weights: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += weights[i]!;
  return sum;
}

function answerOf(
  { size, value, places, method, least, reason, proven }: SizeSplit,
  players: readonly PoolPlayer[],
  order: readonly number[],
  weights: Quantised,
  stopped: Certificate['stopped'],
): PoolSplit {
  const on = (place: number): number[] =>
    order.filter((_, at) => places[at] === place).toSorted((a, b) => a - b);
  const teams = [on(1), on(-1)] as const;
  const { quantum, weight } = weights;
  const sums = [sumOf(teams[0], players, weights), sumOf(teams[1], players, weights)] as const;
  const difference = quantum > 0 ? Math.abs(sums[0] - sums[1]) : weight(value);
  const byBound = value <= least;
  const isProven = proven || byBound;
  const rounding = size * quantum;
  const lowerBound = Math.max(0, Math.min(difference, weight(isProven ? value : least)) - rounding);
  return {
    size,
    teams: [teams[0].map((i) => players[i]!.id), teams[1].map((i) => players[i]!.id)],
    bench: on(0).map((i) => players[i]!.id),
    sums,
    difference,
    certificate: certificateOf(isProven, {
      value: difference,
      lowerBound,
      reason: byBound || !proven ? reason : 'exhausted',
      quantum,
      stopped,
    }),
    method,
  };
}
