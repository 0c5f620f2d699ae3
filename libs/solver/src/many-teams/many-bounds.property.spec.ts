import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { named } from '../../test-support/generators.js';
import { everySplit } from '../../test-support/partitions.js';
import { arrange } from './arrangement.js';
import { boundOfMany } from './many-bounds.js';
import { quantise } from '../problem/quantise.js';
import { sharesOf } from '../shares.js';
import { split } from '../split.js';

/** Weights for three teams of two or three, or four of two: of two clusters, with an outlier, primes, or of any kind. */
const lists = fc.constantFrom([3, 2], [3, 3], [4, 2]).chain(([count = 0, size = 0]) => {
  const n = count * size;
  const small = fc.integer({ min: 0, max: 9 });
  const list = (weight: fc.Arbitrary<number>): fc.Arbitrary<number[]> =>
    fc.array(weight, { minLength: n, maxLength: n });
  return fc
    .oneof(
      list(small),
      list(fc.integer({ min: -300, max: 300 })),
      list(fc.tuple(fc.boolean(), small).map(([is, more]) => (is ? 400 : 0) + more)),
      list(small).map((all) => all.map((weight, i) => (i === 0 ? 40 : weight))),
      list(fc.constantFrom(2, 3, 5, 7, 11, 13, 17, 19, 23, 29)),
    )
    .map((weights) => ({ weights, count, size }));
});

describe('the lower bound of equal teams', { timeout: 60_000 }, () => {
  it('holds for every arrangement', () => {
    fc.assert(
      fc.property(lists, ({ weights, count, size }) => {
        const problem = { players: named(weights), teamSizes: Array.from({ length: count }, () => size) };
        const quantised = quantise(weights);
        const least = quantised.weight(boundOfMany(arrange(problem, quantised)).least);

        expect(least).toBeLessThanOrEqual((everySplit(problem)[0]?.value ?? NaN) + 1e-9);
      }),
      { numRuns: 65 },
    );
  });

  it('holds for the largest and for the smallest sum of every arrangement', () => {
    fc.assert(
      fc.property(lists, ({ weights, count, size }) => {
        const problem = { players: named(weights), teamSizes: Array.from({ length: count }, () => size) };
        const weightOf = new Map(problem.players.map(({ id, weight }) => [id, weight]));
        const values = Float64Array.from(weights).sort().reverse();
        const { largest, smallest, furthest } = sharesOf(values, values.length, count);

        for (const { teams } of everySplit(problem)) {
          const sums = teams.map((team) => team.reduce((sum, id) => sum + (weightOf.get(id) ?? NaN), 0));
          expect(Math.max(...sums)).toBeGreaterThanOrEqual(largest - 1e-9);
          expect(Math.min(...sums)).toBeLessThanOrEqual(smallest + 1e-9);
          expect(furthest.above).toBeLessThanOrEqual(largest);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('is reached by two clusters that cannot be shared equally, up to the weights of the others in a cluster', () => {
    // Four of 400 on three teams: one has two of them, 802 with 1 at least, and the others 409.5 on average at most.
    const problem = { players: named([400, 401, 402, 403, 1, 2, 3, 4, 5]), teamSizes: [3, 3, 3] };

    expect(boundOfMany(arrange(problem, quantise(problem.players.map(({ weight }) => weight))))).toEqual({
      least: 393,
      reason: 'structural',
    });
  });

  it('takes into account that one odd weight among even ones makes only one odd sum', () => {
    // 2 among odd primes: sums of 13 and 14, or of 12 and 14, but never of 13 twice.
    const weights = [3, 11, 5, 7, 7, 7, 2, 3, 3, 3, 5, 7];
    const answer = split({ players: named(weights), teamSizes: [3, 3, 3, 3] });

    expect(answer).toMatchObject({ certificate: { status: 'proven' } });
  });
});

describe('unproven teams of single players', { timeout: 60_000 }, () => {
  /** Bell-shaped, by the sum of twelve. */
  const wild = (i: number): number => {
    const value = Math.sin((i + 1) * 12.9898) * 43_758.545_3;
    return value - Math.floor(value);
  };

  it.each([
    ['two clusters in five teams of five', 25, 5, (i: number) => (i % 2 === 0 ? 400 : 1_600) + wild(i)],
    ['doubles in six teams of six', 36, 6, (i: number) => 700 + 600 * wild(i)],
    [
      'doubles with an outlier in six teams of six',
      36,
      6,
      (i: number) => (i === 0 ? 5_000 : 700 + 600 * wild(i)),
    ],
  ])('%s are', (_, players, count, weight) => {
    const answer = split({
      players: named(Array.from({ length: players }, (__, i) => weight(i))),
      teamSizes: Array.from({ length: count }, () => players / count),
    });

    expect(answer).toMatchObject({ certificate: { status: 'proven', reason: 'exhausted' } });
  });
});
