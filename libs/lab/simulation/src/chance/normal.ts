/**
 * The chance that a standard normal variable is below `x`, to 1e-7.
 *
 * @see Zelen and Severo (1964), formula 26.2.17 of Abramowitz and Stegun
 */
export function normalBelow(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const series =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const above = (Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI)) * series;
  return x < 0 ? above : 1 - above;
}

const low = 0.02425;

/**
 * The quantile of a standard normal variable for `p`, to a relative 1.2e-9.
 *
 * @param p above 0 and below 1
 * @see Acklam (2003), An algorithm for computing the inverse normal cumulative distribution function
 */
export function normalAt(p: number): number {
  if (p > 1 - low) return -normalAt(1 - p);
  if (p < low) {
    const q = Math.sqrt(-2 * Math.log(p));
    return (
      (((((-7.784894002430293e-3 * q - 0.3223964580411365) * q - 2.400758277161838) * q - 2.549732539343734) *
        q +
        4.374664141464968) *
        q +
        2.938163982698783) /
      ((((7.784695709041462e-3 * q + 0.3224671290700398) * q + 2.445134137142996) * q + 3.754408661907416) *
        q +
        1)
    );
  }
  const q = p - 0.5;
  const r = q * q;
  return (
    ((((((-39.69683028665376 * r + 220.9460984245205) * r - 275.9285104469687) * r + 138.357751867269) * r -
      30.66479806614716) *
      r +
      2.506628277459239) *
      q) /
    (((((-54.47609879822406 * r + 161.5858368580409) * r - 155.6989798598866) * r + 66.80131188771972) * r -
      13.28068155288572) *
      r +
      1)
  );
}
