import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { choices, sum } from '../../test-support/rosters.js';
import { makeCache, type ScramblePlayer } from './split-cache.js';

const pool = (...list: readonly number[]): ScramblePlayer[] =>
  list.map((rating, i) => ({ playerId: `p${i}`, rating }));
const sizesOf = (all: ReturnType<typeof makeCache>): number[] => all.splits.map(({ size }) => size);

describe('the split cache (L13)', () => {
  it('has the best split of every size, and the waiting players', () => {
    const all = pool(10, 4, 3, 2, 1, 9, 8);
    const cache = makeCache(all, 'anyone', 5);

    expect(sizesOf(cache)).toEqual([2, 3]);
    for (const { size, teams, bench, difference } of cache.splits) {
      expect(teams.map((ids) => ids.length)).toEqual([size, size]);
      expect([...teams.flat(), ...bench].toSorted()).toEqual(all.map(({ playerId }) => playerId));
      const least = Math.min(
        ...[...choices(all, 2 * size)].flatMap((lineup) =>
          [...choices(lineup, size)].map((team) => Math.abs(2 * sum(team) - sum(lineup))),
        ),
      );
      expect(difference).toBe(least);
    }
  });

  it('is empty for fewer than four', () => {
    expect(makeCache(pool(1, 2, 3), 'anyone', 0).splits).toEqual([]);
  });

  it('keeps parties together; the player who waited least sits out', () => {
    const all: ScramblePlayer[] = [
      { playerId: 'x0', rating: 9, partyId: 'x' },
      { playerId: 'a', rating: 5, waited: 0 },
      { playerId: 'b', rating: 5, waited: 2 },
      { playerId: 'x1', rating: 9, partyId: 'x' },
      { playerId: 'c', rating: 5, waited: 1 },
    ];
    const { splits } = makeCache(all, 'anyone', 0);

    expect(splits).toHaveLength(1);
    expect(splits[0]?.bench).toEqual(['a']);
    expect(splits[0]?.teams.map((ids) => ids.toSorted()).toSorted()).toEqual([
      ['b', 'c'],
      ['x0', 'x1'],
    ]);
  });

  it('omits sizes that parties do not allow', () => {
    const trios = ['x', 'y'].flatMap((partyId) =>
      [0, 1, 2].map((i) => ({ playerId: `${partyId}${i}`, rating: i, partyId })),
    );

    expect(sizesOf(makeCache(trios, 'anyone', 0))).toEqual([3]);
  });

  it('never separates a party, and never names a player twice', () => {
    const player = (id: string): fc.Arbitrary<ScramblePlayer> =>
      fc.record({
        playerId: fc.constant(id),
        rating: fc.integer({ min: 0, max: 30 }),
        partyId: fc.constantFrom(undefined, undefined, undefined, 'x', 'y'),
        waited: fc.constantFrom(undefined, 0, 1, 2),
      });
    const everybody = fc.tuple(...Array.from({ length: 12 }, (_, i) => player(`p${i}`)));
    fc.assert(
      fc.property(everybody, fc.nat({ max: 12 }), (all, number) => {
        const some = all.slice(0, number);
        for (const { teams, bench } of makeCache(some, 'anyone', 0).splits) {
          const ids = [...teams.flat(), ...bench];
          expect(ids.toSorted()).toEqual(some.map(({ playerId }) => playerId).toSorted());
          for (const partyId of ['x', 'y']) expect(sidesOf(some, teams, partyId)).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 130 },
    );
  });

  function sidesOf(
    all: readonly ScramblePlayer[],
    teams: readonly (readonly string[])[],
    partyId: string,
  ): number {
    const members = all.filter((each) => each.partyId === partyId).map(({ playerId }) => playerId);
    return teams.filter((ids) => ids.some((id) => members.includes(id))).length;
  }
});
