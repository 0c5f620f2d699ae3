import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestGap } from './evenness.js';

/** Every partition of tickets into teams of a size, by brute force. */
function naive(sums: readonly number[], sizes: readonly number[], teams: number, teamSize: number): number {
  const load = Array.from({ length: teams }, () => 0);
  const room = Array.from({ length: teams }, () => teamSize);
  let best = Infinity;
  const place = (i: number): void => {
    if (i === sums.length) {
      if (room.every((free) => free === 0)) best = Math.min(best, Math.max(...load) - Math.min(...load));
      return;
    }
    for (let t = 0; t < teams; t++) {
      if (room[t]! < sizes[i]!) continue;
      room[t]! -= sizes[i]!;
      load[t]! += sums[i]!;
      place(i + 1);
      room[t]! += sizes[i]!;
      load[t]! -= sums[i]!;
    }
  };
  place(0);
  return best;
}

const gap = (sums: readonly number[], sizes: readonly number[], teams: number, teamSize: number): number =>
  bestGap(Float64Array.from(sums), Uint8Array.from(sizes), sums.length, teams, teamSize);

/** Tickets that fill the places, if their parties can be seated at all. */
const filling = (places: number) =>
  fc
    .array(fc.record({ size: fc.constantFrom(1, 1, 1, 2, 3), skill: fc.integer({ min: -50, max: 50 }) }), {
      minLength: places,
      maxLength: places,
    })
    .map((drawn) => {
      const taken: { size: number; sum: number }[] = [];
      let left = places;
      for (const { size, skill } of drawn) {
        if (left === 0) break;
        const fits = Math.min(size, left);
        taken.push({ size: fits, sum: skill * fits });
        left -= fits;
      }
      return { sums: taken.map(({ sum }) => sum), sizes: taken.map(({ size }) => size) };
    });

describe('the smallest gap of teams', () => {
  it('is exact for two teams', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }).chain((size) => fc.tuple(fc.constant(size), filling(2 * size))),
        ([teamSize, { sums, sizes }]) => {
          expect(gap(sums, sizes, 2, teamSize)).toBeCloseTo(naive(sums, sizes, 2, teamSize), 9);
        },
      ),
    );
  });

  it('leaves no team to bots alone', () => {
    // The humans together would be as strong as the bots.
    const [sums, sizes] = [Float64Array.of(1, 9, 5, 5), Uint8Array.of(1, 1, 1, 1)];
    expect(bestGap(sums, sizes, 4, 2, 2, 2)).toBe(8);
    expect(bestGap(sums, sizes, 4, 2, 2)).toBe(0);
  });

  it('is exact for teams of one ticket each', () => {
    expect(gap([3, 9, 4], [1, 1, 1], 3, 1)).toBe(6);
    expect(gap([3, 9, 4], [2, 2, 1], 3, 2)).toBe(Infinity);
  });

  it('of more teams, or more tickets, is never less than the optimum, and mostly near it', () => {
    let sum = 0;
    let best = 0;
    fc.assert(
      fc.property(filling(9), ({ sums, sizes }) => {
        const found = gap(sums, sizes, 3, 3);
        const exact = naive(sums, sizes, 3, 3);
        expect(found).toBeGreaterThanOrEqual(exact - 1e-9);
        if (Number.isFinite(found)) {
          sum += found;
          best += exact;
        }
      }),
      { seed: 1 },
    );
    expect(sum).toBeLessThan(2 * best);
  });

  it('makes large teams nearly even', () => {
    const sums = Array.from({ length: 32 }, (_, i) => 25 + 10 * Math.sin(i * i));
    expect(
      gap(
        sums,
        sums.map(() => 1),
        2,
        16,
      ),
    ).toBeLessThan(0.5);
  });
});
