import { Unsolvable } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { enumerate } from './enumeration.js';
import type { PartyPlayer } from './sums.js';

/** The reference solution: every assignment of players to two teams by bit mask, parties checked afterwards. */
function leastDifference(players: readonly PartyPlayer[], size: number): number | null {
  let least: number | null = null;
  for (let mask = 0; mask < 1 << players.length; mask++) {
    const first = players.filter((_, i) => mask & (1 << i));
    const second = players.filter((_, i) => !(mask & (1 << i)));
    if (first.length !== size) continue;
    if (first.some((p) => p.party !== undefined && second.some((q) => q.party === p.party))) continue;
    const sum = (team: readonly PartyPlayer[]): number => team.reduce((s, p) => s + p.weight, 0);
    const difference = Math.abs(sum(first) - sum(second));
    if (least === null || difference < least) least = difference;
  }
  return least;
}

const pools = fc
  .array(
    fc.record({
      weight: fc.integer({ min: -50, max: 50 }),
      party: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
    }),
    {
      minLength: 2,
      maxLength: 10,
    },
  )
  .filter((pool) => pool.length % 2 === 0)
  .map((pool) =>
    pool.map((p, i): PartyPlayer => ({
      id: `p${i}`,
      weight: p.weight,
      ...(p.party ? { party: p.party } : {}),
    })),
  );

describe('enumeration', () => {
  it('equals the reference solution, keeps parties together, and has consistent sums', () => {
    fc.assert(
      fc.property(pools, (players) => {
        const size = players.length / 2;
        const least = leastDifference(players, size);
        if (least === null) {
          expect(() => enumerate({ players, teamSizes: [size, size] })).toThrow(Unsolvable);
          return;
        }
        const answer = enumerate({ players, teamSizes: [size, size] });
        expect(answer.best.difference).toBe(least);
        expect(answer.best.teams.map((t) => t.length)).toEqual([size, size]);
        const weights = new Map(players.map((p) => [p.id, p.weight]));
        answer.best.teams.forEach((team, t) => {
          expect(team.reduce((s, id) => s + (weights.get(id) ?? NaN), 0)).toBe(answer.best.sums[t]);
        });
        for (const party of ['a', 'b', 'c']) {
          const members = players.filter((p) => p.party === party).map((p) => p.id);
          const homes = new Set(
            members.map((id) => answer.best.teams.findIndex((team) => team.includes(id))),
          );
          expect(homes.size).toBeLessThanOrEqual(1);
        }
        if (answer.runnerUp)
          expect(answer.runnerUp.difference).toBeGreaterThanOrEqual(answer.best.difference);
      }),
      { numRuns: 400 },
    );
  });

  it('counts each partition once', () => {
    const players = Array.from({ length: 10 }, (_, i) => ({ id: `p${i}`, weight: i }));
    expect(enumerate({ players, teamSizes: [5, 5] }).considered).toBe(126);
    expect(enumerate({ players, teamSizes: [4, 6] }).considered).toBe(210);
    expect(enumerate({ players: players.slice(0, 6), teamSizes: [2, 2, 2] }).considered).toBe(15);
  });

  it('is independent of the order of players', () => {
    fc.assert(
      fc.property(pools, fc.nat(), (players, seed) => {
        const shuffled = players.toSorted((a, b) => (a.id + seed < b.id + seed ? 1 : -1));
        const size = players.length / 2;
        const attempt = (of: readonly PartyPlayer[]): unknown => {
          try {
            return enumerate({ players: of, teamSizes: [size, size] }).best;
          } catch (error) {
            return String(error);
          }
        };
        expect(attempt(shuffled)).toEqual(attempt(players));
      }),
    );
  });

  it.each([
    ['sizes that do not add up', [{ id: 'a', weight: 1 }], [1, 1]],
    [
      'a weight that is not a number',
      [
        { id: 'a', weight: NaN },
        { id: 'b', weight: 1 },
      ],
      [1, 1],
    ],
    [
      'a player twice',
      [
        { id: 'a', weight: 1 },
        { id: 'a', weight: 1 },
      ],
      [1, 1],
    ],
    ['one team', [{ id: 'a', weight: 1 }], [1]],
    [
      'a party larger than a team',
      [
        { id: 'a', weight: 1, party: 'x' },
        { id: 'b', weight: 1, party: 'x' },
      ],
      [1, 1],
    ],
    [
      'more than enumeration can do',
      Array.from({ length: 40 }, (_, i) => ({ id: `p${i}`, weight: i })),
      [10, 10, 10, 10],
    ],
  ])('refuses %s', (_, players, teamSizes) => {
    expect(() => enumerate({ players, teamSizes })).toThrow(Unsolvable);
  });
});
