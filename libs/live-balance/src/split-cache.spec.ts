import { message } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { choices, sum } from '../test-support/rosters.js';
import { makeCache, takeFromCache, type ScramblePlayer, type Scramble } from './split-cache.js';

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
    expect(takeFromCache(makeCache(pool(1, 2, 3), 'anyone', 0), pool(1, 2, 3), 0)).toBeNull();
    expect(takeFromCache(null, pool(1, 2, 3, 4), 0)).toBeNull();
  });

  it('gives the largest split that fits, and the waiting players', () => {
    const all = pool(5, 4, 3, 2, 1);
    const taken = takeFromCache(makeCache(all, 'longest-waiting', 1_000), all, 31_000);

    expect(taken).toMatchObject({ waiting: ['p4'], standIns: 0, ageMs: 30_000, difference: 0 });
    expect(taken?.why).toEqual([message('scramble.mixed', { size: 2, waiting: 1 })]);
  });

  it('remains usable after departures and arrivals', () => {
    const all = pool(50, 40, 30, 20, 10, 5);
    const cache = makeCache(all, 'anyone', 0);
    const present = [...all.filter(({ playerId }) => playerId !== 'p1'), { playerId: 'new', rating: 44 }];
    const taken = takeFromCache(cache, present, 0)!;

    expect(taken.teams.flat()).toHaveLength(6);
    expect(taken.standIns).toBe(1);
    const [before, after] = [cache.splits.at(-1)!.teams, taken.teams].map((each) =>
      each.map((ids) => [...ids]),
    );
    expect(after).toEqual(before!.map((ids) => ids.map((id) => (id === 'p1' ? 'new' : id))));
  });

  it('takes a smaller split when there are too few for the larger', () => {
    const all = pool(6, 5, 4, 3, 2, 1);
    const taken = takeFromCache(makeCache(all, 'anyone', 0), all.slice(1), 0)!;

    expect(taken.teams.map((ids) => ids.length)).toEqual([2, 2]);
    expect(taken.waiting).toHaveLength(1);
    expect(takeFromCache(makeCache(all, 'anyone', 0), all.slice(3), 0)).toBeNull();
  });

  it('includes only the players it was made for: newcomers wait', () => {
    const all = pool(6, 5, 4, 3);
    const present = [...all, ...['n0', 'n1', 'n2'].map((playerId) => ({ playerId, rating: 9 }))];

    expect(takeFromCache(makeCache(all, 'anyone', 0), present, 0)?.waiting).toEqual(['n0', 'n1', 'n2']);
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

  it('skips a split that separates a party formed since', () => {
    const all = pool(9, 9, 1, 1);
    const cache = makeCache(all, 'anyone', 0);
    const [one] = cache.splits[0]!.teams[0];
    const [other] = cache.splits[0]!.teams[1];
    const since = all.map((player) =>
      player.playerId === one || player.playerId === other ? { ...player, partyId: 'new' } : player,
    );

    expect(takeFromCache(cache, all, 0)).not.toBeNull();
    expect(takeFromCache(cache, since, 0)).toBeNull();
  });

  it('omits sizes that parties do not allow', () => {
    const trios = ['x', 'y'].flatMap((partyId) =>
      [0, 1, 2].map((i) => ({ playerId: `${partyId}${i}`, rating: i, partyId })),
    );

    expect(sizesOf(makeCache(trios, 'anyone', 0))).toEqual([3]);
  });

  it('never separates a party, never names a player twice or an absent one, after any changes', () => {
    const player = (id: string): fc.Arbitrary<ScramblePlayer> =>
      fc.record({
        playerId: fc.constant(id),
        rating: fc.integer({ min: 0, max: 30 }),
        partyId: fc.constantFrom(undefined, undefined, undefined, 'x', 'y'),
        waited: fc.constantFrom(undefined, 0, 1, 2),
      });
    const everybody = fc.tuple(...Array.from({ length: 12 }, (_, i) => player(`p${i}`)));
    fc.assert(
      fc.property(everybody, fc.nat({ max: 12 }), fc.nat({ max: 6 }), (all, number, from) => {
        const cache = makeCache(all.slice(0, number), 'anyone', 0);
        const present = all.slice(from);
        const taken: Scramble | null = takeFromCache(cache, present, 0);
        for (const { teams } of cache.splits) {
          for (const partyId of ['x', 'y']) {
            expect(sidesOf(all.slice(0, number), teams, partyId)).toBeLessThanOrEqual(1);
          }
        }
        if (!taken) return;
        const ids = [...taken.teams.flat(), ...taken.waiting];

        expect(ids.toSorted()).toEqual(present.map(({ playerId }) => playerId).toSorted());
        expect(taken.teams[0]).toHaveLength(taken.teams[1].length);
        for (const partyId of ['x', 'y']) {
          expect(sidesOf(present, taken.teams, partyId)).toBeLessThanOrEqual(1);
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
