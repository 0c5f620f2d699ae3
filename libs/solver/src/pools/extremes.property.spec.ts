import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { named } from '../../test-support/generators.js';
import { leastBySize } from '../../test-support/pools.js';
import { Budget } from '../problem/budget.js';
import { fromExtremes } from './extremes.js';
import { splits } from '../splits.js';
import type { PoolItem } from './ternary.js';

/** One heavy player among whole weights, heaviest first; the heaviest plays. */
const pools = fc
  .tuple(
    fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 4, maxLength: 9 }),
    fc.integer({ min: 1, max: 160 }),
    fc.integer({ min: 2, max: 5 }),
  )
  .filter(([rest, , size]) => 2 * size <= rest.length + 1)
  .map(([rest, more, size]) => ({
    weights: [Math.max(...rest) + more, ...rest.toSorted((a, b) => b - a)],
    size,
  }));

const itemsOf = (weights: readonly number[]): PoolItem[] =>
  weights.map((weight, i) => ({ weight, canSitOut: i > 0 }));

describe('the search from the extremes', { timeout: 60_000 }, () => {
  it('equals the reference solution, if that is below the limit', () => {
    fc.assert(
      fc.property(pools, fc.integer({ min: 1, max: 60 }), ({ weights, size }, below) => {
        const least = leastBySize({ players: named(weights), bench: 'top-plays' })[size - 2] ?? NaN;
        const places = fromExtremes(itemsOf(weights), size, below, 1e6, new Budget({}));
        if (places === undefined) return;

        expect(places === null).toBe(least >= below);
        if (places === null) return;
        expect(places.filter((place) => place === 1)).toHaveLength(size);
        expect(places.filter((place) => place === -1)).toHaveLength(size);
        expect(places[0]).toBe(1);
        expect(Math.abs(places.reduce((sum: number, place, i) => sum + place * weights[i]!, 0))).toBe(least);
      }),
      { numRuns: 130 },
    );
  });

  it('gives up when the work would exceed its limit', () => {
    const weights = Array.from({ length: 60 }, (_, i) => (i === 0 ? 9_001 : 2_000 - 17 * i + (i % 7)));

    expect(fromExtremes(itemsOf(weights), 8, 100, 1_000, new Budget({}))).toBeUndefined();
  });

  it('proves every size of a pool of a hundred whose heaviest can only just be outweighed', () => {
    // Fourteen of the next heaviest outweigh the heaviest and thirteen of the lightest by some hundred steps.
    const wild = (i: number): number => {
      const value = Math.sin((i + 1) * 78.233) * 43_758.545_3;
      return value - Math.floor(value);
    };
    const rest = Array.from({ length: 99 }, (_, i) =>
      Math.round(1_000 + 200 * (wild(3 * i) + wild(3 * i + 1) + wild(3 * i + 2) - 1.5) * 2),
    ).toSorted((a, b) => b - a);
    const sum = (list: readonly number[]): number => list.reduce((all, weight) => all + weight, 0);
    for (const [size, missing] of [
      [6, 130],
      [13, 410],
      [25, 95],
    ] as const) {
      const heaviest = sum(rest.slice(0, size)) - sum(rest.slice(rest.length - size + 1)) - missing;
      const answer = splits({ players: numbered([heaviest, ...rest]), bench: 'top-plays' });

      expect(answer).toMatchObject({ outcome: 'splits' });
      const open =
        answer.outcome === 'splits'
          ? answer.splits.filter(({ certificate }) => certificate.status !== 'proven')
          : [];
      expect(open.map((split) => split.size)).toEqual([]);
    }
  });
});

function numbered(list: readonly number[]): { id: string; weight: number }[] {
  return list.map((weight, i) => ({ id: `p${i}`, weight }));
}
