import erfc from '@stdlib/math-base-special-erfc';
import erfcx from '@stdlib/math-base-special-erfcx';

const rootHalf = Math.SQRT1_2;
const density0 = 1 / Math.sqrt(2 * Math.PI);

/** Density of the standard normal distribution. */
export function normalDensity(x: number): number {
  return density0 * Math.exp(-0.5 * x * x);
}

/** The chance that a standard normal variable is below `x`. */
export function normalBelow(x: number): number {
  return 0.5 * erfc(-x * rootHalf);
}

/**
 * density(x) / below(x): the mean of the truncated part. About −x far to the left; never 0/0, since the scaled
 * complementary error function is accurate where both vanish.
 */
export function millsBelow(x: number): number {
  return Math.sqrt(2 / Math.PI) / erfcx(-x * rootHalf);
}
