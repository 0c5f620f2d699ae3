import { stride, type Budget } from '../problem/budget.js';
import type { CoreAtom } from './core.js';

/** All placements of some atoms with one key. */
export interface Group {
  readonly key: number;
  /** Sums of gains, ascending. */
  readonly sums: Float64Array;
  /** Bit i: the half's atom i is here. */
  readonly masks: Int32Array;
}

/** Beyond this a half does not fit 32-bit masks, nor reasonable memory. */
export const mostAtomsInHalf = 26;

/** Peak bytes of building a half: two generations of sums and masks. */
export function halfBytes(atoms: number): number {
  return 2 ** atoms * 18;
}

/**
 * Builds the half of some atoms in sorted order without sorting (Horowitz and Sahni 1974): each atom doubles the lists, and
 * the placements with it here and with it there, both already in order, are merged.
 *
 * @param fixFirst the first atom is always here
 * @throws OutOfTime
 */
export function halfOf(atoms: readonly CoreAtom[], fixFirst: boolean, budget: Budget): Group[] {
  const first = fixFirst ? atoms[0]! : null;
  let groups: Group[] = [
    {
      key: first ? first.here : 0,
      sums: Float64Array.of(first ? first.gain : 0),
      masks: Int32Array.of(first ? 1 : 0),
    },
  ];
  for (let i = first ? 1 : 0; i < atoms.length; i++) {
    groups = Array.from(sourcesOf(groups, atoms[i]!, nothing), ([key, { here, there }]) =>
      merge(key, here, there, atoms[i]!.gain, 1 << i, budget),
    );
  }
  return groups;
}

/** For each key with one more atom, what it is made from: the placements with the atom here, and with it there. */
export function sourcesOf<T extends { readonly key: number }>(
  groups: readonly T[],
  { here, there }: CoreAtom,
  empty: T,
): Map<number, { here: T; there: T }> {
  const sources = new Map<number, { here: T; there: T }>();
  for (const group of groups) {
    const grown = sources.get(group.key + here);
    if (grown) grown.here = group;
    else sources.set(group.key + here, { here: group, there: empty });
    const other = sources.get(group.key + there);
    if (other) other.there = group;
    else sources.set(group.key + there, { here: empty, there: group });
  }
  return sources;
}

const nothing: Group = { key: 0, sums: new Float64Array(0), masks: new Int32Array(0) };

/** Merges here + gain and there − gain. */
function merge(key: number, here: Group, there: Group, gain: number, bit: number, budget: Budget): Group {
  const { sums: x, masks: xm } = here;
  const { sums: y, masks: ym } = there;
  const n = x.length;
  const m = y.length;
  const sums = new Float64Array(n + m);
  const masks = new Int32Array(n + m);
  let i = 0;
  let j = 0;
  let to = 0;
  while (to < n + m) {
    // In pieces, so that a deadline is noticed.
    const end = Math.min(to + stride, n + m);
    budget.spend(end - to);
    while (to < end && i < n && j < m) {
      const p = x[i]! + gain;
      const q = y[j]! - gain;
      if (p <= q) {
        sums[to] = p;
        masks[to++] = xm[i++]! | bit;
      } else {
        sums[to] = q;
        masks[to++] = ym[j++]!;
      }
    }
    while (to < end && i < n && j === m) {
      sums[to] = x[i]! + gain;
      masks[to++] = xm[i++]! | bit;
    }
    while (to < end && j < m && i === n) {
      sums[to] = y[j]! - gain;
      masks[to++] = ym[j++]!;
    }
  }
  return { key, sums, masks };
}
