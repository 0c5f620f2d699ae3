import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jointNormal, type Seen } from './joint-normal.js';
import { normalBelow } from './normal.js';

const spread = fc.double({ min: 0.3, max: 2, noNaN: true });
const mean = fc.double({ min: -1.5, max: 1.5, noNaN: true });
const priors = fc.array(fc.record({ mean, variance: spread.map((s) => s * s) }), {
  minLength: 2,
  maxLength: 2,
});
const seen: fc.Arbitrary<Seen> = fc.record({
  of: fc.constant([0, 1]),
  shares: fc.constantFrom([1, -1], [-1, 1], [0.5, 0.5], [1, -0.25]),
  offset: fc.double({ min: -1, max: 1, noNaN: true }),
  noise: spread.map((s) => s * s),
  sign: fc.constantFrom(1 as const, 0 as const, -1 as const),
});

/** Means and variances of two variables by a sum over a grid. */
function byGrid(
  known: readonly { mean: number; variance: number }[],
  observations: readonly Seen[],
): { mean: number; variance: number }[] {
  const [a, b] = known as [{ mean: number; variance: number }, { mean: number; variance: number }];
  const steps = 120;
  const at = ({ mean: m, variance }: typeof a, i: number): number =>
    m + (i / steps - 0.5) * 14 * Math.sqrt(variance);
  const sums = [0, 0, 0, 0, 0];
  for (let i = 0; i <= steps; i++)
    for (let j = 0; j <= steps; j++) {
      const [x, y] = [at(a, i), at(b, j)];
      let weight = Math.exp(-0.5 * ((x - a.mean) ** 2 / a.variance + (y - b.mean) ** 2 / b.variance));
      for (const { shares, offset, noise, sign } of observations) {
        const z = (offset + (shares[0] ?? 0) * x + (shares[1] ?? 0) * y) / Math.sqrt(noise);
        weight *= sign === 0 ? Math.exp(-0.5 * z * z) : normalBelow(sign * z);
      }
      for (const [k, value] of [1, x, y, x * x, y * y].entries()) sums[k] = (sums[k] ?? 0) + weight * value;
    }
  const [total = 1, x = 0, y = 0, xx = 0, yy = 0] = sums;
  return [
    { mean: x / total, variance: xx / total - (x / total) ** 2 },
    { mean: y / total, variance: yy / total - (y / total) ** 2 },
  ];
}

describe('jointNormal', () => {
  it('agrees with a plain sum over all values of two variables', () => {
    fc.assert(
      fc.property(priors, fc.array(seen, { maxLength: 6 }), (known, observations) => {
        const exact = byGrid(known, observations);
        for (const [i, { mean: found, variance }] of jointNormal(known, observations).entries()) {
          const before = known[i]?.variance ?? NaN;
          expect(Math.abs(found - (exact[i]?.mean ?? NaN))).toBeLessThan(0.02 * Math.sqrt(before));
          expect(Math.abs(variance - (exact[i]?.variance ?? NaN))).toBeLessThan(0.08 * before);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('is exact for observed sums, in any order', () => {
    // x + y = 2 with noise 1, x = 0 with noise 3; by the textbook: precision [[1+1+1/3, 1], [1, 2]], weighted [2, 2].
    const one: Seen = { of: [0, 1], shares: [1, 1], offset: -2, noise: 1, sign: 0 };
    const other: Seen = { of: [0], shares: [1], offset: 0, noise: 3, sign: 0 };
    const standard = { mean: 0, variance: 1 };
    for (const order of [
      [one, other],
      [other, one],
    ]) {
      const [x, y] = jointNormal([standard, standard], order);
      const determinant = (2 + 1 / 3) * 2 - 1;
      expect(x?.mean).toBeCloseTo((2 * 2 - 2) / determinant, 9);
      expect(y?.mean).toBeCloseTo(((2 + 1 / 3) * 2 - 2) / determinant, 9);
      expect(x?.variance).toBeCloseTo(2 / determinant, 9);
      expect(y?.variance).toBeCloseTo((2 + 1 / 3) / determinant, 9);
    }
  });

  it('leaves the joint position of two unknown, for any number of comparisons between them', () => {
    const compared = Array.from({ length: 40 }, (_, i): Seen => ({
      of: [0, 1],
      shares: [1, -1],
      offset: 0,
      noise: 0.5,
      sign: i % 2 === 0 ? 1 : -1,
    }));
    const [x] = jointNormal(
      [
        { mean: 0, variance: 1 },
        { mean: 0, variance: 1 },
      ],
      compared,
    );
    // Their mean has half the variance of each, and no observation concerns it.
    expect(x?.variance).toBeGreaterThan(0.5);
    expect(x?.variance).toBeLessThan(0.53);
  });

  it('is finite, and has less variance than before, for any observations', () => {
    const wild = fc.array(
      fc.record({
        of: fc.constantFrom([0], [1], [0, 1, 2]),
        shares: fc.constant([1, -1, 0.5]),
        offset: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        noise: fc.double({ min: 1e-12, max: 1e12, noNaN: true }),
        sign: fc.constantFrom(1 as const, 0 as const, -1 as const),
      }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(wild, (observations) => {
        const known = [1, 2, 0.1].map((variance) => ({ mean: 0, variance }));
        for (const [i, one] of jointNormal(known, observations).entries()) {
          expect(Number.isFinite(one.mean)).toBe(true);
          expect(one.variance).toBeGreaterThan(-1e-9);
          expect(one.variance).toBeLessThan((known[i]?.variance ?? 0) * (1 + 1e-6));
        }
      }),
    );
  });
});
