import { seededRandom, type Random } from '@muster/domain';
import { differencesDivisor } from '../two-teams/bounds.js';
import type { Budget } from '../problem/budget.js';
import type { CoreAtom } from '../two-teams/core.js';
import { balancedDifferencing } from '../two-teams/differencing.js';
import { fromExtremes } from './extremes.js';
import { binomial, sample } from '../two-teams/ladder.js';
import {
  finderOf,
  meetThree,
  threeWays,
  threeWaysBytes,
  turned,
  type Meeting,
  type Place,
  type PoolItem,
  type ThreeWays,
} from './ternary.js';
import { ThreeWaysApart } from './ternary-apart.js';
import type { Certificate, Method } from '../problem/problem.js';

/** The best split found of one size. */
export interface SizeSplit {
  readonly size: number;
  /** In quanta. */
  value: number;
  /** For each player, heaviest first: 1 on the first team, −1 on the second, 0 on the bench. */
  places: Place[];
  method: Method;
  /** A lower bound. */
  readonly least: number;
  readonly reason: Certificate['reason'];
  proven: boolean;
}

/** Number of neighbours by weight, benches included, that are solved at once when a pool is searched for even splits. */
const windowSize = 13;
const fewVain = 5;
const mostVain = 24;
const mostRounds = 100;
/** Words of bitsets for counting from the extremes: a millisecond or two; more when all else has failed. */
const fewWords = 400_000;
const mostWords = 4_000_000;
/** With more players, one of each half is kept apart. */
export const mostListed = 30;
/** Up to this number of players, meeting all sizes three ways is faster than a long local search for some of them. */
const quicklyMet = 24;
/** Larger pools do not meet three ways, whatever the memory. */
export const mostMet = 32;

/**
 * The best split of a pool for every size. Sizes whose weights leave little to chance (whole numbers, many players) are
 * first searched for a provably optimal split; the rest meet in the middle, three ways per player, all sizes at once.
 *
 * @param items heaviest first
 * @throws OutOfTime after which `sizes` holds the best so far
 */
export function solvePool(
  items: readonly PoolItem[],
  sizes: readonly SizeSplit[],
  seed: number,
  budget: Budget,
): void {
  const open = (): SizeSplit[] => sizes.filter((split) => !isDone(split));
  for (const split of sizes) firstSplit(items, split);
  const hopeful = hopefulSizes(items, sizes);
  const fits =
    items.length <= mostMet &&
    budget.allows(threeWaysBytes(items.length - (items.length > mostListed ? 2 : 0)));
  // Meeting the largest pools takes seconds, which may exceed the deadline.
  const searched = fits && items.length <= mostListed ? hopeful : sizes;
  if (searched.length > 0) {
    slideWindows(items, searched, budget);
    const two = sizes.find((split) => split.size === 2);
    if (two && !isDone(two) && searched.includes(two)) pairs(items, two, budget);
    const random = seededRandom(seed);
    for (const split of searched) {
      if (isDone(split)) continue;
      refine(items, split, fewVain, random, budget);
      if (!isDone(split)) fromTheExtremes(items, split, fewWords, budget);
      if (!fits || items.length > quicklyMet) refine(items, split, mostVain, random, budget);
      // Sizes that are met three ways need no more than that.
      if (!isDone(split) && !fits) fromTheExtremes(items, split, mostWords, budget);
    }
  }
  const left = open();
  if (left.length > 0 && fits) meetAll(items, left, budget);
}

function isDone(split: SizeSplit): boolean {
  return split.proven || split.value <= split.least;
}

/** Sizes with so many splits that one of them probably is as even as the weights allow. */
function hopefulSizes(items: readonly PoolItem[], sizes: readonly SizeSplit[]): SizeSplit[] {
  const weights = Float64Array.from(items, (item) => item.weight);
  const divisor = differencesDivisor(weights) || 1;
  const range = (weights[0]! - weights[weights.length - 1]!) / divisor;
  return sizes.filter(({ size }) => {
    const ways = binomial(items.length, 2 * size) * binomial(2 * size, size);
    return ways > range * size;
  });
}

/** The heaviest players, differenced, and the heaviest with the lightest against the next: initial splits. */
export function firstSplit(items: readonly PoolItem[], split: SizeSplit): void {
  offerWindow(items, split, 0, 'neighbours');
  if (isDone(split)) return;
  offerWindow(items, split, 0, 'opposites');
  const { size } = split;
  const light = items.length - size + 1;
  offer(
    items,
    split,
    items.map((_, i): Place => (i === 0 || i >= light ? 1 : i <= size ? -1 : 0)),
    'differencing',
  );
}

/** Consecutive players by weight, differenced. */
function offerWindow(
  items: readonly PoolItem[],
  split: SizeSplit,
  start: number,
  pairing: 'neighbours' | 'opposites',
): void {
  const { size } = split;
  const atoms = items
    .slice(start, start + 2 * size)
    .map(({ weight }): CoreAtom => ({ gain: weight, here: 1, there: 0 }));
  const sides = balancedDifferencing(atoms, pairing);
  const places: Place[] = items.map(() => 0);
  sides.forEach((side, i) => (places[start + i] = side ? 1 : -1));
  offer(items, split, places, 'differencing');
}

function offer(items: readonly PoolItem[], split: SizeSplit, places: Place[], method: Method): void {
  let difference = 0;
  places.forEach((place, i) => (difference += place * items[i]!.weight));
  const value = Math.abs(difference);
  if (value >= split.value && split.places.length > 0) return;
  split.value = value;
  split.places = places;
  split.method = method;
}

/** Differences neighbours from every start; small sizes are solved exactly among a window's players. */
function slideWindows(items: readonly PoolItem[], sizes: readonly SizeSplit[], budget: Budget): void {
  const n = items.length;
  const mustPlay = !items[0]!.canSitOut;
  for (const split of sizes) {
    for (let start = 1; start <= n - 2 * split.size && !mustPlay && !isDone(split); start++) {
      budget.spend(split.size * 16);
      offerWindow(items, split, start, 'neighbours');
    }
  }
  const step = Math.max(1, Math.floor((n - windowSize) / 8));
  for (let start = 0; start <= Math.max(0, n - windowSize); start += step) {
    const left = sizes.filter((split) => !isDone(split) && 2 * split.size <= Math.min(windowSize, n));
    if (left.length === 0) return;
    const chosen = Array.from({ length: Math.min(windowSize, n) }, (_, i) =>
      mustPlay && i === 0 ? 0 : start + i,
    );
    const unique = [...new Set(chosen)];
    solveAmong(items, unique, left, 'neighbourhood', budget);
  }
}

/** Solves some sizes exactly among some players, all others benched. */
function solveAmong(
  items: readonly PoolItem[],
  players: readonly number[],
  sizes: readonly SizeSplit[],
  method: Method,
  budget: Budget,
): void {
  const halves = halvesOf(items, players, Math.max(...sizes.map((split) => split.size)), budget);
  for (const split of sizes) {
    const { size } = split;
    const met = meetThree(halves.left, halves.right, size, 0, split.value, split.least, budget);
    if (met) {
      const places: Place[] = items.map(() => 0);
      applyMeeting(places, halves, size, met);
      offer(items, split, places, method);
    }
    // Each size is proven when it is done, whether or not there is time for the next.
    if (players.length < items.length) continue;
    split.method = method;
    split.proven = true;
  }
}

/** The ways of some players in two halves, and how to find the places of a way. */
interface Halves {
  readonly players: readonly number[];
  readonly left: ThreeWays;
  readonly right: ThreeWays;
  readonly onLeft: ReturnType<typeof finderOf>;
  readonly onRight: ReturnType<typeof finderOf>;
}

function halvesOf(
  items: readonly PoolItem[],
  players: readonly number[],
  most: number,
  budget: Budget,
): Halves {
  const chosen = players.map((i) => items[i]!);
  const middle = chosen.length >> 1;
  const left = threeWays(chosen.slice(0, middle), most, budget);
  const right = threeWays(chosen.slice(middle), most, budget);
  return { players, left, right, onLeft: finderOf(left), onRight: finderOf(right) };
}

/** Puts the players of two halves that met on their places. */
function applyMeeting(
  places: Place[],
  { players, onLeft, onRight }: Halves,
  size: number,
  { a, b, left, right, turned: isTurned }: Meeting,
): void {
  // The right half's larger team is the other one.
  const met = [...onLeft(a, b, left), ...onRight(size - b, size - a, right).map(turned)];
  met.forEach((each, i) => (places[players[i]!] = isTurned ? turned(each) : each));
}

/** Size two, exactly. */
function pairs(items: readonly PoolItem[], split: SizeSplit, budget: Budget): void {
  if (items[0]!.canSitOut) anyPairs(items, split, budget);
  else pairsWithTop(items, split, budget);
  split.proven = true;
}

/** Pairs by their sums; neighbours in that order that share no player. */
function anyPairs(items: readonly PoolItem[], split: SizeSplit, budget: Budget): void {
  const n = items.length;
  const all: { readonly sum: number; readonly i: number; readonly j: number }[] = [];
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) all.push({ sum: items[i]!.weight + items[j]!.weight, i, j });
  }
  all.sort((a, b) => a.sum - b.sum);
  for (let p = 0; p < all.length && !isDone(split); p++) {
    const a = all[p]!;
    for (let q = p + 1; q < all.length && all[q]!.sum - a.sum < split.value; q++) {
      budget.spend(1);
      const b = all[q]!;
      if (a.i === b.i || a.i === b.j || a.j === b.i || a.j === b.j) continue;
      offer(items, split, twoAgainstTwo(n, a.i, a.j, b.i, b.j), 'meet-in-the-middle');
    }
  }
}

/** The heaviest with each other player; their opponents are searched from both ends. */
function pairsWithTop(items: readonly PoolItem[], split: SizeSplit, budget: Budget): void {
  const n = items.length;
  for (let mate = 1; mate < n && !isDone(split); mate++) {
    budget.spend(n);
    const wanted = items[0]!.weight + items[mate]!.weight;
    let i = 1;
    let j = n - 1;
    while (i < j) {
      if (i === mate) i++;
      else if (j === mate) j--;
      else {
        const over = items[i]!.weight + items[j]!.weight - wanted;
        if (Math.abs(over) < split.value)
          offer(items, split, twoAgainstTwo(n, 0, mate, i, j), 'meet-in-the-middle');
        if (over > 0) i++;
        else j--;
      }
    }
  }
}

function twoAgainstTwo(players: number, a: number, b: number, c: number, d: number): Place[] {
  return Array.from({ length: players }, (_, i) => (i === a || i === b ? 1 : i === c || i === d ? -1 : 0));
}

/** Counts combinations of few changes of the extreme, where the heaviest always plays: exact within its limit. */
function fromTheExtremes(items: readonly PoolItem[], split: SizeSplit, words: number, budget: Budget): void {
  if (items[0]!.canSitOut && 2 * split.size < items.length) return;
  const places = fromExtremes(items, split.size, split.value, words, budget);
  if (places === undefined) return;
  if (places) offer(items, split, places, 'dynamic-programming');
  split.proven = true;
}

/** Local search: some players of either team and of the bench are placed again optimally. */
function refine(
  items: readonly PoolItem[],
  split: SizeSplit,
  most: number,
  random: Random,
  budget: Budget,
): void {
  // Rounds that get nearer do not count: an outlier is outweighed step by step.
  for (let vain = 0, round = 0; vain < most && round < mostRounds && !isDone(split); round++) {
    if (!placeAnew(items, split, freePlayers(split.places, random), budget)) vain++;
  }
}

/** @returns whether the split got more even */
function placeAnew(
  items: readonly PoolItem[],
  split: SizeSplit,
  free: readonly number[],
  budget: Budget,
): boolean {
  const chosen = new Set(free);
  let fixed = 0;
  split.places.forEach((place, i) => (fixed += chosen.has(i) ? 0 : place * items[i]!.weight));
  const size = free.filter((i) => split.places[i] === 1).length;
  const halves = halvesOf(items, free, size, budget);
  const met = meetThree(halves.left, halves.right, size, -fixed, split.value, split.least, budget);
  if (!met) return false;
  const places = [...split.places];
  applyMeeting(places, halves, size, met);
  offer(items, split, places, 'neighbourhood');
  return true;
}

/** As many of the first team as of the second, and some of the bench, in random order. */
function freePlayers(places: readonly Place[], random: Random): number[] {
  const of = (place: Place): number[] => places.flatMap((at, i) => (at === place ? [i] : []));
  const pick = (from: readonly number[], number: number): number[] =>
    sample(from.length, Math.min(number, from.length), random).map((i) => from[i]!);
  const bench = pick(of(0), 4);
  const each = Math.floor((windowSize - bench.length) / 2);
  const first = pick(of(1), each);
  const second = pick(of(-1), first.length);
  const free = [...first, ...second, ...bench];
  return sample(free.length, free.length, random).map((i) => free[i]!);
}

/** All open sizes at once over the whole pool. Every other player goes to the other half, so that both are alike. */
function meetAll(items: readonly PoolItem[], sizes: readonly SizeSplit[], budget: Budget): void {
  const indices = items.map((_, i) => i);
  const order = [...indices.filter((i) => i % 2 === 0), ...indices.filter((i) => i % 2 === 1)];
  if (items.length <= mostListed) solveAmong(items, order, sizes, 'ternary-meet-in-the-middle', budget);
  else meetApart(items, order, sizes, budget);
}

/** The same for pools whose halves have too many placements to list. */
function meetApart(
  items: readonly PoolItem[],
  order: readonly number[],
  sizes: readonly SizeSplit[],
  budget: Budget,
): void {
  const most = Math.max(...sizes.map((split) => split.size));
  const ways = new ThreeWaysApart(
    order.map((i) => items[i]!),
    order.length >> 1,
    most,
    budget,
  );
  for (const split of sizes) {
    const found = ways.best(split.size, split.value, split.least);
    const places: Place[] = items.map(() => 0);
    found?.forEach((place, at) => (places[order[at]!] = place));
    if (found) offer(items, split, places, 'ternary-meet-in-the-middle');
    split.method = 'ternary-meet-in-the-middle';
    split.proven = true;
  }
}
