import { gcd } from '../problem/quantise.js';

/** A lower bound for every split, and its source. */
export interface Bound {
  readonly least: number;
  readonly reason: 'residue' | 'structural';
}

/**
 * The least |D − target| that the weights' common divisor allows. Moving players between teams of fixed sizes changes D by
 * multiples of 2g, g being the divisor of all differences of weights, so D keeps its residue modulo 2g.
 *
 * @param values whole numbers
 * @param size of the first team
 */
export function residueBound(values: Float64Array, size: number, target: number): number {
  const divisor = differencesDivisor(values);
  if (divisor === 0) {
    // All weights are equal: D is constant.
    const weight = values[0] ?? 0;
    return Math.abs((2 * size - values.length) * weight - target);
  }
  // D of the split whose first team are the first players; exact, since sums stay below 2^51.
  let difference = 0;
  values.forEach((value, i) => (difference += i < size ? value : -value));
  const period = 2 * divisor;
  const off = Math.abs(difference - target) % period;
  return Math.min(off, period - off);
}

/** The greatest common divisor of all differences between weights; 0 when all are equal. */
export function differencesDivisor(values: Float64Array): number {
  let divisor = 0;
  for (let i = 1; i < values.length && divisor !== 1; i++) divisor = gcd(divisor, values[i]! - values[0]!);
  return divisor;
}

/** Number of the heaviest, and of the lightest, that the structural bound uses. */
const deepest = 6;

/**
 * The least |D − target| that a few outliers allow: for any number of the t heaviest (or of the t lightest) on the first
 * team, its sum lies between that of the lightest and of the heaviest team with that many of them.
 *
 * @param descending whole numbers, heaviest first
 * @param size of the first team
 */
export function structuralBound(descending: Float64Array, size: number, target: number): number {
  const n = descending.length;
  const before = new Float64Array(n + 1);
  descending.forEach((value, i) => (before[i + 1] = before[i]! + value));
  const total = before[n]!;
  const between = (from: number, to: number): number => before[to]! - before[from]!;
  let least = 0;
  for (let depth = 1; depth <= deepest; depth++) {
    for (const t of [depth, n - depth]) {
      if (t < 1 || t >= n) continue;
      let nearest = Infinity;
      for (let j = Math.max(0, size - (n - t)); j <= Math.min(t, size); j++) {
        const lightest = between(t - j, t) + between(n - (size - j), n);
        const heaviest = between(0, j) + between(t, t + size - j);
        const low = 2 * lightest - total - target;
        const high = 2 * heaviest - total - target;
        nearest = Math.min(nearest, low > 0 ? low : high < 0 ? -high : 0);
      }
      least = Math.max(least, nearest);
    }
  }
  return least;
}

/** The better of the two bounds for a first team of `size`. */
export function boundOf(descending: Float64Array, size: number, target: number): Bound {
  const residue = residueBound(descending, size, target);
  const structural = structuralBound(descending, size, target);
  return structural > residue
    ? { least: structural, reason: 'structural' }
    : { least: residue, reason: 'residue' };
}
