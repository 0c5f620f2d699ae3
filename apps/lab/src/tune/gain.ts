/** A mean with its 95 % interval. */
export interface Gain {
  readonly mean: number;
  readonly from: number;
  readonly to: number;
}

/** The quantile of the normal distribution for 95 %: the least number of judged matches is near it with Student's. */
const quantile = 1.96;

/** The mean gain of new predictions over old ones of the same matches, by a paired t interval. Above 0 is better. */
export function pairedGain(before: readonly number[], after: readonly number[]): Gain {
  const gains = before.map((loss, i) => loss - (after[i] ?? loss));
  const mean = meanOf(gains);
  const variance = gains.reduce((sum, each) => sum + (each - mean) ** 2, 0) / Math.max(1, gains.length - 1);
  const half = quantile * Math.sqrt(variance / Math.max(1, gains.length));
  return { mean, from: mean - half, to: mean + half };
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / Math.max(1, values.length);
}
