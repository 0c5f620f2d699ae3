import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { truncatedAbove, truncatedWithin } from './truncated.js';

/** Mean and variance of the density e^(−fall·s − s²/2) on [0, width], by Simpson's rule. */
function momentsOf(fall: number, width: number): { mean: number; variance: number } {
  const end = Math.min(width, 45 / Math.max(fall, 1) + Math.max(0, -2 * fall));
  const pieces = 8000;
  // To avoid overflow: the exponent at its highest point is subtracted.
  const peak = Math.min(end, Math.max(0, -fall));
  const top = -fall * peak - (peak * peak) / 2;
  let [mass, first, second] = [0, 0, 0];
  for (let i = 0; i <= pieces; i++) {
    const s = (end * i) / pieces;
    const weight = (i === 0 || i === pieces ? 1 : i % 2 ? 4 : 2) * Math.exp(-fall * s - (s * s) / 2 - top);
    mass += weight;
    first += weight * (s - peak);
    second += weight * (s - peak) ** 2;
  }
  const mean = first / mass;
  return { mean: mean + peak, variance: second / mass - mean * mean };
}

const anywhere = fc.double({ min: -1e300, max: 1e300, noNaN: true });

describe('R7 the effect of a result on a normal variable', () => {
  it.each([-1e4, -3000, -101, -99, -40, -12, -8.3, -5, -1, 0, 0.5, 3, 6])(
    'a win seen at %d is the mean and variance of the part above 0',
    (x) => {
      const { mean, variance } = momentsOf(-x, Infinity);
      const [v, w] = truncatedAbove(x);
      expect(Math.abs(v - (mean - x))).toBeLessThan(1e-9);
      expect(Math.abs(w - (1 - variance))).toBeLessThan(1e-9);
    },
  );

  const distances = [0, 1e-6, 0.01, 0.4, 1, 3, 8, 30, 200, 900, 1100, 5000];
  const margins = [1e-12, 1e-6, 9.9e-4, 1.1e-3, 0.02, 0.126, 1, 2.6, 9, 40];
  it.each(distances.flatMap((x) => margins.map((margin) => [x, margin] as const)))(
    'a draw seen at %d with margin %d is the mean and variance of the part within',
    (x, margin) => {
      const { mean, variance } = momentsOf(x - margin, 2 * margin);
      const [v, w] = truncatedWithin(x, margin);
      expect(Math.abs(x + v - (margin - mean))).toBeLessThan(2e-9);
      expect(Math.abs(w - (1 - variance))).toBeLessThan(2e-9);
      expect(truncatedWithin(-x, margin)).toEqual([x === 0 ? 0 : -v, w]);
    },
  );

  it('is finite, in bounds, and continuous for any input', () => {
    fc.assert(
      fc.property(anywhere, fc.double({ min: 0, max: 1e300, noNaN: true }), (x, margin) => {
        for (const [v, w] of [truncatedAbove(x), truncatedWithin(x, margin)]) {
          expect(Number.isFinite(v)).toBe(true);
          expect(w).toBeGreaterThanOrEqual(0);
          expect(w).toBeLessThanOrEqual(1);
        }
        expect(truncatedAbove(x)[0]).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 500 },
    );
  });

  it('a draw without a margin is an exact one', () => {
    expect(truncatedWithin(2.5, 0)).toEqual([-2.5, 1]);
    expect(truncatedWithin(-2.5, 0)).toEqual([2.5, 1]);
  });
});
