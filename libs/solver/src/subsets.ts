import { stride, type Budget } from './problem/budget.js';

/** All sets of a given number of weights, by their sums, ascending. */
export interface SubsetList {
  readonly sums: Float64Array;
  /** The members of each, see `membersOf`. */
  readonly codes: Float64Array;
}

/**
 * Up to this number of weights a set is encoded by one bit each, exact in a double; beyond it by up to five indices of
 * 1024.
 */
const mostBits = 52;
const place = 1024;

/** Sets of up to `most` of `n`, limited to the capacity of a list. */
export function subsetsUpTo(n: number, most: number): number {
  let sets = 0;
  let ways = 1;
  for (let size = 0; size <= most; size++) {
    sets += ways;
    ways = (ways * (n - size)) / (size + 1);
  }
  return sets;
}

/** The largest sets that can be encoded. */
export function largestCoded(n: number): number {
  return n <= mostBits ? n : 5;
}

/**
 * Lists the sets of 0, 1 … `most` weights in order without sorting: with each weight, the sets without it and those with
 * it, both in order, are merged.
 *
 * @throws OutOfTime
 */
export function sortedSubsets(weights: readonly number[], most: number, budget: Budget): SubsetList[] {
  const lists: SubsetList[] = [{ sums: Float64Array.of(0), codes: Float64Array.of(0) }];
  const coded = weights.length <= mostBits;
  weights.forEach((weight, i) => {
    for (let size = Math.min(i + 1, most); size >= 1; size--) {
      const without = lists[size] ?? nothing;
      const smaller = lists[size - 1]!;
      lists[size] = merge(without, smaller, weight, coded ? 1 : place, coded ? 2 ** i : i + 1, budget);
    }
  });
  return lists;
}

const nothing: SubsetList = { sums: new Float64Array(0), codes: new Float64Array(0) };

function merge(
  without: SubsetList,
  smaller: SubsetList,
  weight: number,
  times: number,
  plus: number,
  budget: Budget,
): SubsetList {
  const { sums: x, codes: xc } = without;
  const { sums: y, codes: yc } = smaller;
  const sums = new Float64Array(x.length + y.length);
  const codes = new Float64Array(x.length + y.length);
  let i = 0;
  let j = 0;
  for (let to = 0; to < sums.length; to++) {
    if (to % stride === 0) budget.spend(Math.min(stride, sums.length - to));
    if (j === y.length || (i < x.length && x[i]! <= y[j]! + weight)) {
      sums[to] = x[i]!;
      codes[to] = xc[i++]!;
    } else {
      sums[to] = y[j]! + weight;
      codes[to] = yc[j++]! * times + plus;
    }
  }
  return { sums, codes };
}

/** The members of a set of `n`, ascending. */
export function membersOf(code: number, n: number): number[] {
  const members: number[] = [];
  if (n <= mostBits) {
    for (let i = 0, left = code; left > 0; i++, left = Math.floor(left / 2))
      if (left % 2 === 1) members.push(i);
    return members;
  }
  for (let left = code; left > 0; left = Math.floor(left / place)) members.unshift((left % place) - 1);
  return members;
}
