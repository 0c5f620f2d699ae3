/**
 * The error function, to about 1e-15: the Maclaurin series for small arguments, a continued fraction beyond.
 *
 * @see Abramowitz and Stegun (1964), 7.1.6 and 7.1.14
 */
export function erf(x: number): number {
  if (x < 0) return -erf(-x);
  if (x > 6) return 1;
  if (x < 2.5) {
    let term = x;
    let sum = x;
    for (let n = 1; term > 1e-17 * sum; n++) {
      term *= (2 * x * x) / (2 * n + 1);
      sum += term;
    }
    return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
  }
  let fraction = x;
  for (let n = 60; n >= 1; n--) fraction = x + n / 2 / fraction;
  return 1 - Math.exp(-x * x) / (Math.sqrt(Math.PI) * fraction);
}
