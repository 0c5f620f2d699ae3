import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { change, choices, ratings, sum, teams } from '../../test-support/rosters.js';
import type { Guards } from './imbalance.js';
import { synelo } from '../policies.js';
import { chooseBySizes, findBySizes, transfer, type SizesRule } from './transfer.js';

const rule = synelo.rules[0] as SizesRule;
const open: Guards = { movedBefore: new Set(), swings: () => false, settles: () => false };
const rated = (list: readonly number[]): { playerId: string; rating: number }[] =>
  list.map((rating, i) => ({ playerId: `p${i}`, rating }));

describe('a transfer by target (L10)', () => {
  it.each([
    ['the one nearest T = D/2', [900, 1000, 1100, 1400], 2100, 1, ['p2']],
    // The larger team is the weaker one: D is −400. The source would take |D|/2 = 200, and so the 300.
    ['the lowest-rated, when the larger team is the weaker one', [100, 300, 500], -400, 1, ['p0']],
    ['two together', [900, 1000, 1100, 1400], 4000, 2, ['p0', 'p2']],
    // Nearest to 1000 twice is 1000 and 900 or 1100, one after the other; together 1400 and 600 are exact.
    ['two together, where one after the other does worse', [600, 1000, 1150, 1400], 4000, 2, ['p0', 'p3']],
    ['all, when there are too few', [5, 6], 100, 3, ['p0', 'p1']],
    ['nobody of an empty team', [], 100, 1, []],
  ])('moves %s', (_, list, difference, moves, expected) => {
    expect(transfer(rated(list), difference, moves)).toMatchObject({ playerIds: expected, exact: true });
  });

  it('equals the best by brute force', () => {
    const list = fc.array(ratings, { minLength: 1, maxLength: 9 });
    const difference = fc.oneof(
      fc.integer({ min: -9_000, max: 9_000 }),
      fc.double({ min: -60, max: 60, noNaN: true }),
    );
    fc.assert(
      fc.property(list, difference, fc.integer({ min: 1, max: 5 }), (all, apart, moves) => {
        const players = rated(all);
        const number = Math.min(moves, players.length);
        const found = transfer(players, apart, moves);
        const going = players.filter(({ playerId }) => found.playerIds.includes(playerId));
        const least = Math.min(
          ...[...choices(players, number)].map((each) => Math.abs(apart - 2 * sum(each))),
        );

        expect(going).toHaveLength(number);
        expect(Math.abs(apart - 2 * sum(going))).toBeCloseTo(found.difference, 6);
        expect(found.difference).toBeCloseTo(least, 6);
        expect(found.exact).toBe(true);
      }),
      { numRuns: 380 },
    );
  });

  it('reports when the search was not exhaustive, and still moves as many', () => {
    const players = rated(Array.from({ length: 64 }, (_, i) => 800 + ((i * 769) % 1600)));
    const found = transfer(players, sum(players), 32);

    expect(found).toMatchObject({ exact: false });
    expect(new Set(found.playerIds).size).toBe(32);
    // Half of some hundred thousand: a single exchange would improve it if it were far off.
    expect(found.difference).toBeLessThan(50);
  });

  it.each([
    ['5:4', teams([1, 1, 1, 1, 1], [1, 1, 1, 1]), null],
    ['5:3', teams([1, 1, 1, 1, 1], [1, 1, 1]), [0, 1]],
    ['3:5', teams([9, 9, 9], [1, 1, 1, 1, 1]), [1, 0]],
    ['3:3:1', teams([1, 1, 1], [2, 1, 1], [9]), [1, 2]],
  ])('sees %s', (_, roster, expected) => {
    const found = findBySizes(roster, rule);

    expect(found && [found.from, found.to]).toEqual(expected);
  });

  it('moves the players nearest to half of the difference of ratings, also where one team stays a player ahead', () => {
    // 11 v 8 with D = 1798, T = 899; 922 leaves −46, 875 leaves 48.
    const larger = [725, 780, 875, 922, 990, 1_010, 1_050, 1_080, 1_100, 1_130, 1_150];
    const total = larger.reduce((all, rating) => all + rating, 0);
    const smaller = [...Array.from({ length: 7 }, () => 1_100), total - 1_798 - 7_700];
    const roster = teams(larger, smaller);

    expect(chooseBySizes(roster, rule, findBySizes(roster, rule)!, open)).toMatchObject({
      outcome: 'moves',
      moves: [{ playerId: 'a3', from: 0, to: 1 }],
    });
  });

  it('moves ⌊Δk/2⌋ at once, no member of a party, nobody twice', () => {
    const roster = change(teams([10, 20, 30, 40, 50, 60], [35]), {
      a5: { partyId: 'x' },
      a4: { partyId: 'x' },
      a3: { moved: true },
      a2: { bot: true },
    });
    const imbalance = findBySizes(roster, rule)!;

    // 210 − 35: two of 87.5 together are wanted, and 10 and 20 alone may go.
    expect(chooseBySizes(roster, rule, imbalance, open)).toEqual({
      outcome: 'moves',
      moves: ['a0', 'a1'].map((playerId) => ({ playerId, from: 0, to: 1 })),
      exact: true,
    });
    const guards = { ...open, movedBefore: new Set(['a0', 'a1']) };
    expect(chooseBySizes(roster, rule, imbalance, guards)).toMatchObject({ outcome: 'nobody-fits' });
    const swings = { ...open, swings: () => true };
    expect(chooseBySizes(roster, rule, imbalance, swings)).toMatchObject({ outcome: 'nobody-fits' });
    expect(chooseBySizes(roster, { ...rule, onlyDead: true }, imbalance, open)).toEqual({
      outcome: 'waits',
      forOneOf: ['a0', 'a1'],
    });
  });
});
