/** The contribution of one decision about an item. */
export interface Part {
  /** Added to a whole number that identifies which choices are feasible; never negative. */
  readonly key: number;
  readonly sum: number;
}

/** An item that is taken or left. */
export interface Item {
  readonly taken: Part;
  readonly left: Part;
}

/** Combinations of decisions about some items, ordered by sum. A code has a bit for every item taken. */
interface Ways {
  readonly sums: Float64Array;
  readonly codes: Float64Array;
}

/** All combinations of decisions about some items, by key. */
export interface Half {
  readonly items: number;
  readonly byKey: ReadonlyMap<number, Ways>;
}

/** Most combinations of a half: a few milliseconds' worth. */
const mostWays = 2 ** 16;
/** Codes stay exact in a double. */
const mostItems = 50;

/**
 * Lists the combinations without sorting: for each item, the combinations that leave it and those that take it, both in
 * order, are merged.
 *
 * @param mostKey combinations with a larger key are left out
 * @returns null when there are too many to list
 */
export function halfOf(items: readonly Item[], mostKey = Infinity): Half | null {
  if (items.length > mostItems || !isWorthListing(items, mostKey)) return null;
  let byKey = new Map<number, Ways>([[0, { sums: Float64Array.of(0), codes: Float64Array.of(0) }]]);
  for (const [i, { taken, left }] of items.entries()) {
    const next = new Map<number, Ways>();
    for (const key of byKey.keys()) {
      for (const to of [key + left.key, key + taken.key]) {
        if (to > mostKey || next.has(to)) continue;
        const merged = merge(
          byKey.get(to - left.key),
          left.sum,
          byKey.get(to - taken.key),
          taken.sum,
          2 ** i,
        );
        next.set(to, merged);
      }
    }
    byKey = next;
  }
  return { items: items.length, byKey };
}

/** Counts the combinations first: abandoning lists midway would cost milliseconds. */
function isWorthListing(items: readonly Item[], mostKey: number): boolean {
  let byKey = new Map<number, number>([[0, 1]]);
  for (const { taken, left } of items) {
    const next = new Map<number, number>();
    let ways = 0;
    for (const [key, number] of byKey) {
      for (const to of [key + left.key, key + taken.key]) {
        if (to > mostKey) continue;
        next.set(to, (next.get(to) ?? 0) + number);
        ways += number;
      }
    }
    if (ways > mostWays) return false;
    byKey = next;
  }
  return true;
}

const nothing: Ways = { sums: new Float64Array(0), codes: new Float64Array(0) };

function merge(
  { sums: x, codes: xc } = nothing,
  gainX: number,
  { sums: y, codes: yc } = nothing,
  gainY: number,
  bit: number,
): Ways {
  const sums = new Float64Array(x.length + y.length);
  const codes = new Float64Array(x.length + y.length);
  let i = 0;
  let j = 0;
  for (let to = 0; to < sums.length; to++) {
    const ofX = i < x.length ? x[i]! + gainX : Infinity;
    const ofY = j < y.length ? y[j]! + gainY : Infinity;
    if (ofY <= ofX) {
      sums[to] = ofY;
      codes[to] = yc[j++]! + bit;
    } else {
      sums[to] = ofX;
      codes[to] = xc[i++]!;
    }
  }
  return { sums, codes };
}

export interface Meeting {
  /** Distance of the sum from the target. */
  readonly distance: number;
  /** Which items of both halves, in order, are taken. */
  readonly taken: readonly boolean[];
}

/** The choice with exactly this key whose sum is nearest to the target; null where no choice has it. */
export function nearest(a: Half, b: Half, key: number, target: number): Meeting | null {
  let best = { distance: Infinity, first: -1, second: -1 };
  for (const [keyA, x] of a.byKey) {
    const y = b.byKey.get(key - keyA);
    if (!y) continue;
    for (let i = 0, j = y.sums.length - 1; i < x.sums.length && j >= 0;) {
      const off = x.sums[i]! + y.sums[j]! - target;
      const distance = Math.abs(off);
      if (distance < best.distance) best = { distance, first: x.codes[i]!, second: y.codes[j]! };
      if (off < 0) i++;
      else j--;
    }
  }
  if (best.first < 0) return null;
  const bits = (code: number, items: number): boolean[] =>
    Array.from({ length: items }, (_, i) => Math.floor(code / 2 ** i) % 2 === 1);
  return { distance: best.distance, taken: [...bits(best.first, a.items), ...bits(best.second, b.items)] };
}
