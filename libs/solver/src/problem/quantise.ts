/** Weights as integers, so that sums and proofs are exact. */
export interface Quantised {
  /** Whole numbers; every sum of them, bots included, is below 2^51. */
  readonly values: Float64Array;
  /** Weights were rounded to multiples of this; 0 when none was changed. */
  readonly quantum: number;
  /** A whole number of quanta as a weight, correctly rounded. */
  readonly weight: (value: number) => number;
}

const largestSum = 2 ** 50;
const mostDecimals = 6;

/**
 * Rounds weights to a common quantum, as fine as 2^50 allows: 1, 0.1 … 0.000001 where all weights are such decimals (23.1
 * is no double, but sums of tenths are exact), a power of two otherwise.
 *
 * @param weights finite numbers
 * @param times how often each may count in a sum; 1 for all except bots
 */
export function quantise(weights: readonly number[], times: readonly number[] = []): Quantised {
  let magnitude = 0;
  for (let i = 0; i < weights.length; i++) magnitude += Math.abs(weights[i]!) * (times[i] ?? 1);
  for (let decimals = 0, scale = 1; decimals <= mostDecimals; decimals++, scale *= 10) {
    if (magnitude * scale >= largestSum) break;
    if (weights.every((weight) => Math.round(weight * scale) / scale === weight)) {
      return {
        values: Float64Array.from(weights, (weight) => Math.round(weight * scale) + 0),
        quantum: 0,
        weight: (value) => value / scale,
      };
    }
  }
  const exponent = Math.max(-1000, Math.min(1000, 50 - Math.ceil(Math.log2(magnitude)) - 1));
  const scale = 2 ** exponent;
  const values = Float64Array.from(weights, (weight) => Math.round(weight * scale) + 0);
  const changed = weights.some((weight, i) => values[i]! / scale !== weight);
  return { values, quantum: changed ? 1 / scale : 0, weight: (value) => value / scale };
}

/** Greatest common divisor of two whole numbers below 2^53, of any sign; gcd(0, 0) = 0. */
export function gcd(a: number, b: number): number {
  let x = Math.abs(a);
  let y = Math.abs(b);
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}
