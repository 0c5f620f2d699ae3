import { Unsolvable } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leastBySize } from '../test-support/exhaustive.js';
import { gosperFull, gosperSplits, type GosperSplit } from './gosper.js';

const named = (weights: readonly number[]): { id: string; weight: number }[] =>
  weights.map((weight, i) => ({ id: `p${i}`, weight }));

const pools = (minLength: number): fc.Arbitrary<{ id: string; weight: number }[]> =>
  fc.array(fc.integer({ min: -40, max: 60 }), { minLength, maxLength: 9 }).map(named);

function expectSound(split: GosperSplit, players: readonly { id: string; weight: number }[]): void {
  const weights = new Map(players.map(({ id, weight }) => [id, weight]));
  expect(split.teams.map((team) => team.length)).toEqual([split.size, split.size]);
  expect([...split.teams.flat(), ...split.bench].toSorted()).toEqual([...weights.keys()].toSorted());
  split.teams.forEach((team, t) => {
    expect(team.reduce((sum, id) => sum + (weights.get(id) ?? NaN), 0)).toBe(split.sums[t]);
  });
  expect(Math.abs(split.sums[0] - split.sums[1])).toBe(split.difference);
}

describe('Gosper enumeration', () => {
  it('finds the best split of every size in which the heaviest plays', () => {
    fc.assert(
      fc.property(pools(4), (players) => {
        const { splits, finished } = gosperSplits(players);

        expect(finished).toBe(true);
        expect(splits.map(({ difference }) => difference)).toEqual(leastBySize(players, true));
        for (const split of splits) expectSound(split, players);
      }),
      { numRuns: 150 },
    );
  });

  it('misses a split that benches the heaviest', () => {
    const players = named([10, 4, 3, 2, 1]);

    expect(gosperSplits(players).splits[0]?.difference).toBe(4); // 10 + 1 against 4 + 3; 4 + 1 against 3 + 2 would be even
  });

  it('evaluates C(N − 1, 2k − 1) · C(2k − 1, k − 1) splits of each size when none is even', () => {
    // Powers of two: no two sides are ever equal. 35 · 3 + 21 · 10 + 1 · 35
    expect(gosperSplits(named([1, 2, 4, 8, 16, 32, 64, 128])).operations).toBe(350);
    // 8 against 4 + 2 + 1 is 1, but 4 against 4 is 128 + 1 + 2 + 4 against 64 + 32 + 16 + 8.
    expect(gosperFull(named([1, 2, 4, 8, 16, 32, 64, 128]))).toMatchObject({
      operations: 35,
      best: { difference: 15, bench: [] },
    });
  });

  it('solves two equal teams of all players', () => {
    fc.assert(
      fc.property(
        pools(4).filter((pool) => pool.length % 2 === 0),
        (players) => {
          expect(gosperFull(players).best?.difference).toBe(leastBySize(players, false).at(-1));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('does not overflow at its largest pool', () => {
    const players = named(Array.from({ length: 31 }, (_, i) => 2 ** i));
    let asked = 0;
    // Two against two are C(30, 3) · 3 = 12,180 splits, up to a mask whose highest bit is 2^29.
    const { splits, finished } = gosperSplits(players, { stop: () => ++asked === 3 });

    expect(finished).toBe(false);
    expect(splits[0]).toMatchObject({
      teams: [
        ['p30', 'p0'],
        ['p29', 'p28'],
      ],
      difference: 2 ** 28 + 1,
    });
  });

  it('stops at its limit, with the best so far', () => {
    const players = named(Array.from({ length: 20 }, (_, i) => Math.sqrt(i + 2)));
    const { splits, operations, finished } = gosperSplits(players, { stop: () => true });

    expect({ operations, finished }).toEqual({ operations: 4_096, finished: false });
    // 2,907 splits of two against two, the rest of three against three
    expect(splits.map(({ size }) => size)).toEqual([2, 3]);
  });

  it('returns nothing for pools that are too small, and refuses those beyond its masks', () => {
    expect(gosperSplits([])).toEqual({ splits: [], operations: 0, finished: true });
    expect(() => gosperSplits(named(Array.from({ length: 32 }, () => 1)))).toThrow(Unsolvable);
    expect(() => gosperFull(named([1, 2, 3]))).toThrow(Unsolvable);
  });
});
