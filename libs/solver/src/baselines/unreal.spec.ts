import { Unsolvable } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { everySplit } from '../../test-support/partitions.js';
import { unreal, unrealLargestTeam } from './unreal.js';

const named = (weights: readonly number[]): { id: string; weight: number }[] =>
  weights.map((weight, i) => ({ id: `p${i}`, weight }));

describe('the Unreal Tournament balancer', () => {
  it('caps the larger team at 18 of 32, and at 16', () => {
    expect([2, 8, 9, 16, 17, 28, 32].map(unrealLargestTeam)).toEqual([1, 4, 5, 9, 9, 15, 16]);
  });

  it('fills up with bots of mean weight', () => {
    // 20 and a bot against 5 + 5 is 30 to 10; 20 + 5 against 5 and a bot is 25 to 15.
    const { splits } = unreal(named([20, 5, 5]), { botWeight: 10, fillTo: 4, best: 5, largestTeam: 2 });

    expect(splits.map(({ ratio }) => ratio)).toEqual([0.6, 0.6, 1 / 3]);
    expect(splits[0]).toEqual({ teams: [['p0', 'p2'], ['p1']], bots: [0, 1], sums: [25, 15], ratio: 0.6 });
  });

  it('keeps the best few, in order, as the reference solution does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 2, maxLength: 8 }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 0, max: 12 }),
        fc.integer({ min: 1, max: 6 }),
        (weights, botWeight, fillTo, best) => {
          const players = named(weights);
          const largestTeam = unrealLargestTeam(players.length);
          const bots = { weight: botWeight, fillTo, maxSizeDifference: players.length };
          const all = everySplit({ players, teamSizes: [players.length, 0], bots }).filter(({ teams }) =>
            teams.every((team) => team.length <= largestTeam),
          );
          const { splits, finished, operations } = unreal(players, { botWeight, fillTo, best });

          expect({ finished, operations }).toEqual({ finished: true, operations: 2 ** (players.length - 1) });
          expect(splits.map(({ ratio }) => ratio.toFixed(9))).toEqual(
            all.slice(0, best).map(({ value }) => (1 - value).toFixed(9)),
          );
        },
      ),
      { numRuns: 150 },
    );
  });

  it('fixes the strongest above 16 players in the pattern one, two, two, one', () => {
    const players = named(Array.from({ length: 20 }, (_, i) => 20 - i));
    const { splits, operations } = unreal(players, { botWeight: 0, fillTo: 0, best: 3 });

    expect(operations).toBe(2 ** 16);
    expect(splits).toHaveLength(3);
    for (const { teams, ratio } of splits) {
      expect(teams[1]).toEqual(expect.arrayContaining(['p0', 'p3']));
      expect(teams[0]).toEqual(expect.arrayContaining(['p1', 'p2']));
      expect(ratio).toBe(1);
    }
    expect(new Set(splits.map(({ teams }) => teams[0].join())).size).toBe(3);
  });

  it('reaches 32 players, where the pattern needs the highest bit', () => {
    const players = named(Array.from({ length: 32 }, (_, i) => 100 + i));
    const { splits } = unreal(players, { botWeight: 0, fillTo: 0, best: 1 });

    expect(splits[0]?.teams[1]).toEqual(expect.arrayContaining(['p31', 'p28', 'p27', 'p24', 'p23']));
    expect(splits[0]?.teams[0]).toEqual(expect.arrayContaining(['p30', 'p29', 'p26', 'p25']));
    expect(() => unreal(named([...players, players[0]].map(() => 1)), rules)).toThrow(Unsolvable);
  });

  const rules = { botWeight: 1, fillTo: 4, best: 2 };

  it('returns nothing for a single player, since the cap allows nobody on a team', () => {
    expect(unreal(named([7]), rules).splits).toEqual([]);
    expect(unreal([], rules)).toEqual({ splits: [], operations: 0, finished: true });
  });

  it('stops at its limit', () => {
    const players = named(Array.from({ length: 16 }, (_, i) => i + 1));
    const { finished, operations } = unreal(players, rules, { stop: () => true });

    expect({ finished, operations }).toEqual({ finished: false, operations: 4_096 });
  });
});
