import type { Budget } from '../problem/budget.js';
import type { Core } from './core.js';
import { differencesDivisor } from './bounds.js';

/**
 * Dynamic programming for single players with small whole weights: the sums that each number of players can have. One
 * bitset per count, shifted and joined for every player; the player by whom a sum is first reached is stored, and the best
 * sum is traced back.
 */
interface Table {
  /** Weights less the least, over the greatest common divisor. */
  readonly reduced: Float64Array;
  /** Sums of `size` players run from 0 to this. */
  readonly most: number;
  readonly least: number;
  readonly divisor: number;
}

function table(core: Core, size: number): Table {
  // A player's gain is their weight: nobody is there.
  const weights = Float64Array.from(core.atoms, (atom) => atom.gain);
  const divisor = differencesDivisor(weights) || 1;
  const least = weights.reduce((a, b) => Math.min(a, b), Infinity);
  const reduced = weights.map((weight) => (weight - least) / divisor);
  const heaviest = reduced.toSorted((a, b) => b - a).slice(0, size);
  return { reduced, most: heaviest.reduce((a, b) => a + b, 0), least, divisor };
}

/** Steps of the counting, comparable in cost to those of a meet, and the bytes of its tables. */
export function countingCost(core: Core, size: number): { readonly steps: number; readonly bytes: number } {
  const { most } = table(core, size);
  const words = Math.ceil(most / 32) + 8;
  return {
    steps: core.atoms.length * size * words + size * most,
    bytes: (size + 1) * (2 * most + 4 * words),
  };
}

/**
 * The split whose first team of `size` comes nearest to the target.
 *
 * @throws OutOfTime
 */
export function bestByCounting(core: Core, size: number, budget: Budget): Uint8Array {
  const { reduced, most, least, divisor } = table(core, size);
  const words = Math.floor(most / 32) + 2;
  const reached = Array.from({ length: size + 1 }, () => new Uint32Array(words));
  const by = Array.from({ length: size + 1 }, () => new Uint16Array(most + 1));
  reached[0]![0] = 1;
  for (let i = 0; i < reduced.length; i++) {
    const shift = reduced[i]!;
    const whole = Math.floor(shift / 32);
    const part = shift % 32;
    for (let count = Math.min(i + 1, size); count >= 1; count--) {
      budget.spend(words);
      const from = reached[count - 1]!;
      const into = reached[count]!;
      const first = by[count]!;
      for (let w = words - 1; w >= whole; w--) {
        let bits = from[w - whole]! << part;
        if (part > 0 && w > whole) bits |= from[w - whole - 1]! >>> (32 - part);
        let fresh = bits & ~into[w]!;
        if (fresh === 0) continue;
        into[w] = into[w]! | fresh;
        while (fresh !== 0) {
          const bit = 31 - Math.clz32(fresh & -fresh);
          first[32 * w + bit] = i + 1;
          fresh &= fresh - 1;
        }
      }
    }
  }
  return walkBack(core, size, reached[size]!, by, { reduced, most, least, divisor });
}

function walkBack(
  core: Core,
  size: number,
  reached: Uint32Array,
  by: readonly Uint16Array[],
  { reduced, most, least, divisor }: Table,
): Uint8Array {
  const n = core.atoms.length;
  const total = core.atoms.reduce((sum, atom) => sum + atom.gain, 0);
  const target = core.laneOf(size)?.target ?? 0;
  let bestSum = 0;
  let bestOff = Infinity;
  for (let sum = 0; sum <= most; sum++) {
    if (!((reached[sum >>> 5]! >>> (sum & 31)) & 1)) continue;
    const off = Math.abs(2 * (sum * divisor + least * size) - total - target);
    if (off < bestOff) {
      bestOff = off;
      bestSum = sum;
    }
  }
  const sides = new Uint8Array(n);
  for (let count = size, sum = bestSum; count > 0; count--) {
    const player = by[count]![sum]! - 1;
    sides[player] = 1;
    sum -= reduced[player]!;
  }
  return sides;
}
