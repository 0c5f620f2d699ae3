/** What one way to decide about something adds. */
export interface Part {
  /** To a whole number that tells which choices may be had; never negative. */
  readonly key: number;
  readonly sum: number;
}

/** Something that is taken or left. */
export interface Item {
  readonly taken: Part;
  readonly left: Part;
}

/** All ways to decide about some items, by key; in each the sums ascend. A code has a bit for every item taken. */
export interface Half {
  readonly items: number;
  readonly byKey: ReadonlyMap<number, { readonly sums: Float64Array; readonly codes: Float64Array }>;
}

interface Way extends Part {
  readonly code: number;
}

/** Ways that one half may have. */
const mostWays = 2 ** 17;

/**
 * Lists the ways to decide about up to 50 items.
 *
 * @param mostKey ways with a larger key are left out
 * @returns null when there are more than are worth listing
 */
export function halfOf(items: readonly Item[], mostKey = Infinity): Half | null {
  let ways: Way[] = [{ key: 0, sum: 0, code: 0 }];
  for (const [i, { taken, left }] of items.entries()) {
    const next: Way[] = [];
    for (const { key, sum, code } of ways) {
      if (key + left.key <= mostKey) next.push({ key: key + left.key, sum: sum + left.sum, code });
      if (key + taken.key <= mostKey)
        next.push({ key: key + taken.key, sum: sum + taken.sum, code: code + 2 ** i });
    }
    if (next.length > mostWays || items.length > 50) return null;
    ways = next;
  }
  ways.sort((a, b) => a.key - b.key || a.sum - b.sum || a.code - b.code);
  const byKey = new Map<number, { sums: Float64Array; codes: Float64Array }>();
  for (let start = 0; start < ways.length;) {
    const { key } = ways[start]!;
    let end = start;
    while (end < ways.length && ways[end]!.key === key) end++;
    const those = ways.slice(start, end);
    byKey.set(key, {
      sums: Float64Array.from(those, ({ sum }) => sum),
      codes: Float64Array.from(those, ({ code }) => code),
    });
    start = end;
  }
  return { items: items.length, byKey };
}

export interface Met {
  /** How far the sum is from the target. */
  readonly distance: number;
  /** Of the items of both halves in a row, which are taken. */
  readonly taken: readonly boolean[];
}

/** The choice with exactly this key whose sum is nearest to the target; null where no choice has it. */
export function nearest(a: Half, b: Half, key: number, target: number): Met | null {
  let best: { distance: number; codes: readonly [number, number] } | null = null;
  for (const [keyA, x] of a.byKey) {
    const y = b.byKey.get(key - keyA);
    if (!y) continue;
    for (let i = 0, j = y.sums.length - 1; i < x.sums.length && j >= 0;) {
      const off = x.sums[i]! + y.sums[j]! - target;
      const distance = Math.abs(off);
      if (!best || distance < best.distance) best = { distance, codes: [x.codes[i]!, y.codes[j]!] };
      if (off < 0) i++;
      else j--;
    }
  }
  if (!best) return null;
  const bits = (code: number, items: number): boolean[] =>
    Array.from({ length: items }, (_, i) => Math.floor(code / 2 ** i) % 2 === 1);
  return {
    distance: best.distance,
    taken: [...bits(best.codes[0], a.items), ...bits(best.codes[1], b.items)],
  };
}
