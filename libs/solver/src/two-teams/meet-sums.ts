import { Budget } from '../problem/budget.js';
import { closestSum } from './closest.js';
import type { CoreAtom, Lane } from './core.js';
import { halfOf, sourcesOf } from './half.js';
import { merged } from './merge.js';

/** All placements of some atoms with one key, by sum alone. */
interface Sums {
  readonly key: number;
  /** Ascending. */
  readonly sums: Float64Array;
}

/** From this number of atoms on, halves are lists of sums alone: this saves a third of the memory, and more of the time. */
export const manyAtoms = 22;

/** This many atoms of either half are kept apart and tried each way, which halves its lists that many times. */
function apartOf(atoms: number): number {
  return atoms > 44 ? 2 : atoms > 36 ? 1 : 0;
}

/** Peak bytes of meeting this many atoms by sums, including dropped lists before garbage collection. */
export function meetSumsBytes(atoms: number): number {
  return 2 ** (Math.ceil(atoms / 2) - apartOf(atoms)) * 8 * 5;
}

/**
 * Meets two halves whose placements are listed by their sums alone; the positions are reconstructed for the best one only,
 * by meeting within each half. The last atoms of each half are not listed with the others: for each of their placements the
 * lists are walked once more, from where they can come near.
 *
 * @param fixFirst the first atom of the left half is always here
 * @param laneOf the lane of the keys of both halves together
 * @param below only nearer results are searched
 * @param met called with the positions of the best one, bit i for the half's atom i; not when there is none
 * @param apart number of atoms of each half that are not listed
 * @throws OutOfTime after `met` was called with the result so far
 */
export function meetSums(
  left: readonly CoreAtom[],
  right: readonly CoreAtom[],
  fixFirst: boolean,
  laneOf: (key: number) => Lane | null,
  below: number,
  budget: Budget,
  met: (left: number, right: number) => void,
  apart = apartOf(left.length + right.length),
): void {
  const a = halvesOf(left, apart, fixFirst, budget);
  const b = halvesOf(right, apart, false, budget);
  const nearest = new Float64Array(3);
  let best = below;
  let tell: (() => void) | null = null;
  const take = (p: Sums, q: Sums, x: Apart, y: Apart, scale: number): void => {
    if (!(nearest[1]! >= 0 && nearest[0]! * scale < best)) return;
    best = nearest[0]! * scale;
    const [first, second] = [p.sums[nearest[1]!]!, q.sums[nearest[2]!]!];
    tell = () =>
      met(x.mask | wayOf(a.listed, fixFirst, p.key, first), y.mask | wayOf(b.listed, false, q.key, second));
  };
  try {
    for (const p of a.sums) {
      for (const q of b.sums) {
        for (const x of a.apart) {
          for (const y of b.apart) {
            const lane = laneOf(p.key + q.key + x.key + y.key);
            if (!lane) continue;
            nearest[0] = best / lane.scale;
            nearest[1] = -1;
            try {
              closestSum(p.sums, q.sums, lane.target - x.sum - y.sum, nearest, budget);
            } finally {
              take(p, q, x, y, lane.scale);
            }
            if (best === 0) return;
          }
        }
      }
    }
  } finally {
    (tell as (() => void) | null)?.();
  }
}

/** One placement of the atoms kept apart. */
interface Apart {
  readonly key: number;
  readonly sum: number;
  readonly mask: number;
}

interface Half {
  readonly listed: readonly CoreAtom[];
  readonly sums: readonly Sums[];
  readonly apart: readonly Apart[];
}

function halvesOf(atoms: readonly CoreAtom[], apart: number, fixFirst: boolean, budget: Budget): Half {
  const listed = atoms.slice(0, atoms.length - apart);
  let ways: Apart[] = [{ key: 0, sum: 0, mask: 0 }];
  atoms.slice(listed.length).forEach(({ here, there, gain }, i) => {
    const bit = 1 << (listed.length + i);
    ways = ways.flatMap(({ key, sum, mask }) => [
      { key: key + here, sum: sum + gain, mask: mask | bit },
      { key: key + there, sum: sum - gain, mask },
    ]);
  });
  return { listed, sums: sumsOf(listed, fixFirst, budget), apart: ways };
}

/** As `halfOf`, without masks. */
function sumsOf(atoms: readonly CoreAtom[], fixFirst: boolean, budget: Budget): Sums[] {
  const first = fixFirst ? atoms[0]! : null;
  let lists: Sums[] = [{ key: first ? first.here : 0, sums: Float64Array.of(first ? first.gain : 0) }];
  for (const atom of first ? atoms.slice(1) : atoms) {
    lists = Array.from(sourcesOf(lists, atom, none), ([key, { here, there }]) => ({
      key,
      sums: merged(here.sums, atom.gain, there.sums, -atom.gain, budget),
    }));
  }
  return lists;
}

const none: Sums = { key: 0, sums: new Float64Array(0) };

/** The positions of a placement with known key and sum. */
function wayOf(atoms: readonly CoreAtom[], fixFirst: boolean, key: number, sum: number): number {
  const unhurried = new Budget({});
  const middle = atoms.length >> 1;
  const late = new Map(halfOf(atoms.slice(middle), false, unhurried).map((group) => [group.key, group]));
  for (const p of halfOf(atoms.slice(0, middle), fixFirst, unhurried)) {
    const q = late.get(key - p.key);
    if (!q) continue;
    for (let i = 0, j = q.sums.length - 1; i < p.sums.length && j >= 0;) {
      const off = p.sums[i]! + q.sums[j]! - sum;
      if (off === 0) return p.masks[i]! | (q.masks[j]! << middle);
      if (off < 0) i++;
      else j--;
    }
  }
  throw new Error('a sum that was met has no players');
}
