import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leastByOneSwap } from '../test-support/exhaustive.js';
import { pairSwap } from './pair-swap.js';

const named = (weights: readonly number[]): { id: string; weight: number }[] =>
  weights.map((weight, i) => ({ id: `p${i}`, weight }));

describe('pair swap', () => {
  it('makes the swap that leaves the teams closest', () => {
    // 9 + 8 against 2 + 1: swapping 8 and 1 leaves 10 against 10.
    expect(
      pairSwap(named([9, 8, 2, 1]), [
        ['p0', 'p1'],
        ['p2', 'p3'],
      ]),
    ).toMatchObject({ sums: [10, 10], difference: 0, changes: 1 });
  });

  it('misses two swaps that help only together', () => {
    // 29 against 27: no two players differ by 1, but 8 and 7 for 10 and 4 make 28 each.
    const players = named([8, 7, 10, 4, 10, 4, 11, 2]);
    const { difference, changes } = pairSwap(players, [
      ['p0', 'p1', 'p2', 'p3'],
      ['p4', 'p5', 'p6', 'p7'],
    ]);

    expect({ difference, changes }).toEqual({ difference: 2, changes: 0 });
    expect(leastByOneSwap(players.slice(0, 4), players.slice(4))).toBe(2);
  });

  it('ends where no single swap helps, and never increases the difference', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -30, max: 60 }), { minLength: 2, maxLength: 9 }), (weights) => {
        const players = named(weights);
        const half = Math.ceil(players.length / 2);
        const ids = players.map(({ id }) => id);
        const { teams, sums, difference } = pairSwap(players, [ids.slice(0, half), ids.slice(half)]);
        const [first = [], second = []] = teams.map((team) =>
          team.map((id) => players[Number(id.slice(1))] ?? { id, weight: NaN }),
        );
        const sum = (some: readonly { weight: number }[]): number =>
          some.reduce((total, { weight }) => total + weight, 0);

        expect(sums).toEqual([sum(first), sum(second)]);
        expect(Math.abs((sums[0] ?? NaN) - (sums[1] ?? NaN))).toBe(difference);
        expect(leastByOneSwap(first, second)).toBe(difference);
        expect(difference).toBeLessThanOrEqual(
          Math.abs(sum(players.slice(0, half)) - sum(players.slice(half))),
        );
        expect([...first, ...second].map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
      }),
      { numRuns: 300 },
    );
  });

  it('places players without a team first, heaviest first, on the smaller team', () => {
    expect(pairSwap(named([5, 1, 3, 2]), [['p0'], []])).toMatchObject({
      teams: [
        ['p0', 'p1'],
        ['p2', 'p3'],
      ],
      difference: 1,
      changes: 0,
    });
  });

  it('moves single players where sizes may differ', () => {
    const teams = [
      ['p0', 'p1', 'p2'],
      ['p3', 'p4', 'p5'],
    ];
    expect(pairSwap(named([4, 4, 4, 2, 2, 2]), teams)).toMatchObject({ difference: 2, changes: 1 });
    expect(pairSwap(named([3, 3, 3]), [['p0', 'p1', 'p2'], []])).toMatchObject({ difference: 9, changes: 0 });
    expect(pairSwap(named([4, 4, 4, 1, 1, 2]), teams, { maxSizeDifference: 2 })).toMatchObject({
      sums: [8, 8],
      changes: 1,
    });
  });

  it('swaps with the bench, which keeps its size', () => {
    expect(
      pairSwap(
        named([9, 4, 3, 2, 1]),
        [
          ['p0', 'p3'],
          ['p2', 'p4'],
        ],
        { bench: ['p1'] },
      ),
    ).toMatchObject({ bench: ['p0'], sums: [5, 5] });
  });

  it('balances more than two teams', () => {
    const { sums } = pairSwap(named([9, 8, 5, 4, 2, 2]), [
      ['p0', 'p1'],
      ['p2', 'p3'],
      ['p4', 'p5'],
    ]);
    expect(Math.max(...sums) - Math.min(...sums)).toBeLessThan(13);
  });

  it('stops at its limit', () => {
    const players = named(Array.from({ length: 200 }, (_, i) => i));
    const ids = players.map(({ id }) => id);
    const { finished, operations, teams } = pairSwap(
      players,
      [ids.slice(0, 100), ids.slice(100)],
      {},
      { stop: () => true },
    );

    expect({ finished, operations }).toEqual({ finished: false, operations: 4_096 });
    expect(teams.map((team) => team.length)).toEqual([100, 100]);
  });
});
