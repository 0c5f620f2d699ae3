import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { karmarkarKarp } from './karmarkar-karp.js';

const named = (weights: readonly number[]): { id: string; weight: number }[] =>
  weights.map((weight, i) => ({ id: `p${i}`, weight }));

/** The least difference of two teams of any sizes, by bit masks. */
function least(weights: readonly number[]): number {
  return Math.min(
    ...Array.from({ length: 1 << weights.length }, (_, mask) =>
      Math.abs(weights.reduce((sum, weight, i) => sum + (mask & (1 << i) ? weight : -weight), 0)),
    ),
  );
}

describe('Karmarkar and Karp', () => {
  it('differences the two largest until one is left', () => {
    // 8 − 7 = 1; 6 − 5 = 1; 4 − 1 = 3; 3 − 1 = 2, where 8 + 7 against 6 + 5 + 4 is even
    const { difference, operations, teams } = karmarkarKarp(named([4, 5, 6, 7, 8]));

    expect({ difference, operations }).toEqual({ difference: 2, operations: 4 });
    expect(teams.map((team) => team.length).toSorted()).toEqual([2, 3]);
  });

  it('ignores sizes', () => {
    expect(karmarkarKarp(named([6, 1, 2, 3])).teams).toEqual([['p0'], ['p3', 'p2', 'p1']]);
  });

  it('has consistent sums, and is never better than the optimum', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 90 }), { maxLength: 10 }), (weights) => {
        const { teams, sums, difference } = karmarkarKarp(named(weights));

        expect(teams.flat().toSorted()).toEqual(weights.map((_, i) => `p${i}`).toSorted());
        teams.forEach((team, t) => {
          expect(team.reduce((sum, id) => sum + (weights[Number(id.slice(1))] ?? NaN), 0)).toBe(sums[t]);
        });
        expect(difference).toBeGreaterThanOrEqual(least(weights));
        if (weights.length > 0) {
          expect(difference).toBeLessThanOrEqual(Math.max(...weights.map(Math.abs)));
        }
      }),
      { numRuns: 300 },
    );
  });
});
