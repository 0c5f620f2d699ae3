/** The logistic function 1 / (1 + e^(−x)). */
export function sigmoid(x: number): number {
  if (x >= 0) return 1 / (1 + Math.exp(-x));
  const e = Math.exp(x);
  return e / (1 + e);
}

/** ln(p / (1 − p)), with `p` clamped to 1e-12 from 0 and 1 so that it is finite. */
export function logit(p: number): number {
  const held = Math.min(1 - 1e-12, Math.max(1e-12, p));
  return Math.log(held / (1 - held));
}

/** e^x over the sum of all; adds up to 1, whatever the size of the inputs. */
export function softmax(xs: readonly number[]): number[] {
  const top = Math.max(...xs);
  const weights = xs.map((x) => Math.exp(x - top));
  const total = weights.reduce((sum, w) => sum + w, 0);
  return weights.map((w) => w / total);
}

/** σ(x) ≈ Φ(x · this): equal slopes at 0. Converts log-odds to standard deviations for models with normal distributions. */
export const logisticToNormal = Math.sqrt(2 * Math.PI) / 4;
