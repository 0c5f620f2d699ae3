import { truncatedAbove } from './truncated.js';

/** An observation of a sum of variables: one share for each variable in it, by its number. */
export interface Seen {
  readonly of: readonly number[];
  readonly shares: readonly number[];
  /** A known constant, added to the sum. */
  readonly offset: number;
  /** Variance of the noise added to the sum before it is observed; above 0. */
  readonly noise: number;
  /** The noisy sum was above 0 (1), below it (−1), or exactly 0. */
  readonly sign: 1 | 0 | -1;
}

/** The information of one observation about its sum, as a normal factor: precision, and precision times mean. */
interface Factor {
  precision: number;
  weighted: number;
}

/** Iterations over all observations; a handful converges. */
const rounds = 30;
const settled = 1e-3;

/**
 * The joint normal distribution of independent normal variables, given observations of sums of them, by expectation
 * propagation with the full covariance: two variables that were only compared with each other stay unknown together. Exact
 * where every observation is an exact value. For comparisons, of 600 random problems of two variables the worst mean was off
 * by a hundredth of the spread known before, the worst variance by a seventeenth of the variance known before.
 *
 * @param priors mean and variance by variable
 * @returns mean and variance by variable
 * @see Minka (2001), Expectation propagation for approximate Bayesian inference; Rasmussen and Williams (2006), Gaussian
 *   Processes for Machine Learning, algorithm 3.5
 */
export function jointNormal(
  priors: readonly { readonly mean: number; readonly variance: number }[],
  seen: readonly Seen[],
): { mean: number; variance: number }[] {
  const n = priors.length;
  const means = Float64Array.from(priors, ({ mean }) => mean);
  const covariance = new Float64Array(n * n);
  for (const [i, { variance }] of priors.entries()) covariance[i * n + i] = variance;
  const factors = seen.map((): Factor => ({ precision: 0, weighted: 0 }));
  const along = new Float64Array(n);

  for (let round = 0; round < rounds; round++) {
    let moved = 0;
    for (const [s, one] of seen.entries()) {
      const factor = factors[s] as Factor;
      along.fill(0);
      let [mean, variance] = [one.offset, 0];
      for (const [k, variable] of one.of.entries()) {
        const share = one.shares[k] ?? 0;
        mean += share * (means[variable] ?? 0);
        for (let i = 0; i < n; i++) along[i] = (along[i] ?? 0) + share * (covariance[i * n + variable] ?? 0);
      }
      for (const [k, variable] of one.of.entries()) variance += (one.shares[k] ?? 0) * (along[variable] ?? 0);
      if (!(variance > 0)) continue;
      const next = factorOf(one, factor, mean, variance);
      const precision = next.precision - factor.precision;
      const gain = 1 + precision * variance;
      const pull = (next.weighted - factor.weighted - precision * mean) / gain;
      const shrink = precision / gain;
      for (let i = 0; i < n; i++) {
        const own = along[i] ?? 0;
        if (own === 0) continue;
        means[i] = (means[i] ?? 0) + pull * own;
        const scaled = shrink * own;
        const row = i * n;
        for (let j = 0; j < n; j++) covariance[row + j]! -= scaled * along[j]!;
      }
      moved = Math.max(moved, Math.abs(pull) * Math.sqrt(variance), Math.abs(shrink) * variance);
      factors[s] = next;
    }
    if (moved < settled) break;
  }
  return priors.map((_, i) => ({ mean: means[i] ?? 0, variance: covariance[i * n + i] ?? 0 }));
}

/** The factor of an observation about its sum, offset included, given the cavity distribution: `mean` and `variance`. */
function factorOf({ sign, noise }: Seen, factor: Factor, mean: number, variance: number): Factor {
  if (sign === 0) return { precision: 1 / noise, weighted: 0 };
  const without = 1 / variance - factor.precision;
  const cavity = 1 / Math.max(without, 1e-12 / variance);
  const cavityMean = cavity * (mean / variance - factor.weighted);
  const total = Math.sqrt(cavity + noise);
  const [v, w] = truncatedAbove((sign * cavityMean) / total);
  const precision = w / (total * total - cavity * w);
  const seenMean = cavityMean + (sign * cavity * v) / total;
  // 1/seenVariance = 1/cavity + precision.
  return { precision, weighted: seenMean * (1 / cavity + precision) - cavityMean / cavity };
}
