import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Budget } from '../problem/budget.js';
import { splits } from '../splits.js';
import { meetThree, threeWays, type PoolItem } from './ternary.js';
import { ThreeWaysApart } from './ternary-apart.js';

describe('meeting three ways with a player of each half kept apart', { timeout: 60_000 }, () => {
  it('finds splits as even as with all players listed', () => {
    const pools = fc.tuple(
      fc.array(fc.integer({ min: -300, max: 900 }), { minLength: 6, maxLength: 12 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 6 }),
    );
    fc.assert(
      fc.property(pools, ([list, mustPlay, size]) => {
        if (2 * size > list.length) return;
        const items = list.map((weight, i): PoolItem => ({ weight, canSitOut: i > 0 || !mustPlay }));
        const middle = items.length >> 1;
        const unlimited = (): Budget => new Budget({});
        const left = threeWays(items.slice(0, middle), size, unlimited());
        const right = threeWays(items.slice(middle), size, unlimited());
        const places = new ThreeWaysApart(items, middle, size, unlimited()).best(size, Infinity, -1) ?? [];

        expect(places.filter((place) => place === 1)).toHaveLength(size);
        expect(places.filter((place) => place === -1)).toHaveLength(size);
        expect(places).toHaveLength(items.length);
        if (mustPlay) expect(places[0]).not.toBe(0);
        expect(Math.abs(places.reduce((sum: number, place, i) => sum + place * list[i]!, 0))).toBe(
          meetThree(left, right, size, 0, Infinity, -1, unlimited())?.value,
        );
      }),
      { numRuns: 130 },
    );
  });

  it('proves every size of a pool of 32 doubles within the default memory limit', () => {
    const players = Array.from({ length: 32 }, (_, i) => {
      const wild = Math.sin((i + 1) * 12.9898) * 43_758.545_3;
      return { id: `p${i}`, weight: 1_000 + 600 * (wild - Math.floor(wild)) };
    });
    const answer = splits({ players, bench: 'anyone' });
    const open = answer.outcome === 'splits' ? answer.splits : [];

    expect(open.map(({ certificate }) => certificate.status)).toEqual(open.map(() => 'proven'));
    expect(open).toHaveLength(15);
  });
});
