import { message } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { change, choices, teams } from '../../test-support/rosters.js';
import { pickSides, sidesOf, type SidePlayer, type Wish } from './side-pick.js';
import { none, twentyPercent } from '../policies.js';
import type { Policy } from '../policy.js';

/** Plain ratings, with this tolerance for the sake of wishes. */
const apartBy = (toleranceShare: number): Policy => ({
  ...none,
  placement: { bots: null, maxSizeDifference: null },
  sides: { ...none.sides, toleranceShare },
});

const alone = (...list: readonly [number, boolean?][]): SidePlayer[] =>
  list.map(([rating, won], i) => ({ playerId: `p${i}`, rating, won }));

describe('sides from wishes (L16)', () => {
  it('grants wishes where balance allows', () => {
    const players = alone([5], [5], [5], [5]);
    const sides = pickSides(players, { p0: 1, p1: 1, p2: 0, p3: 'random' }, { tolerance: 0, seed: 1 });

    expect(sides).toMatchObject({
      teams: [
        ['p2', 'p3'],
        ['p0', 'p1'],
      ],
      denied: [],
      difference: 0,
    });
    expect(sides.why).toEqual([message('sides.chosen', { met: 3, wishes: 3 })]);
  });

  it('denies as few as balance needs', () => {
    const players = alone([9], [9], [1], [1]);
    const wishes: Record<string, Wish> = { p0: 0, p1: 0, p2: 1, p3: 1 };

    expect(pickSides(players, wishes, { tolerance: 0, seed: 1 }).denied).toHaveLength(2);
    expect(pickSides(players, wishes, { tolerance: 16, seed: 1 }).denied).toEqual([]);
  });

  it('divides the last winners evenly, whatever they wish', () => {
    const players = alone([5, true], [5, true], [5, true], [5, true], [5], [5], [5], [5]);
    const wishes: Record<string, Wish> = { p0: 0, p1: 0, p2: 0, p3: 0 };
    const sides = pickSides(players, wishes, { tolerance: 100, seed: 1 });

    expect(sides.winners).toEqual([2, 2]);
    expect(sides.denied).toHaveLength(2);
  });

  it('is as even as possible where the tolerance is out of reach', () => {
    expect(pickSides(alone([9], [1], [1], [1]), {}, { tolerance: 0, seed: 1 })).toMatchObject({
      difference: 8,
      withinTolerance: false,
    });
  });

  it('keeps parties together, even of winners', () => {
    const players = alone([5, true], [5, true], [5], [5]).map((player, i) => ({
      ...player,
      partyId: i < 2 ? 'x' : undefined,
    }));

    expect(pickSides(players, {}, { tolerance: 0, seed: 1 }).winners.toSorted()).toEqual([0, 2]);
  });

  it('does not give the same players the same sides every night', () => {
    const players = alone(...Array.from({ length: 8 }, (): [number] => [5]));
    const drawn = Array.from({ length: 20 }, (_, seed) =>
      JSON.stringify(pickSides(players, {}, { tolerance: 0, seed }).teams),
    );

    expect(new Set(drawn).size).toBeGreaterThan(1);
  });

  it('equals the best by brute force', () => {
    const player = fc.record({ rating: fc.integer({ min: 0, max: 20 }), won: fc.boolean() });
    const players = fc
      .array(player, { minLength: 2, maxLength: 9 })
      .map((list): SidePlayer[] => list.map((each, i) => ({ playerId: `p${i}`, ...each })));
    const side = fc.constantFrom<Wish[]>(0, 1, 'random');
    const wishes = fc
      .array(side, { minLength: 9, maxLength: 9 })
      .map((list) => Object.fromEntries(list.map((each, i) => [`p${i}`, each])));
    fc.assert(
      fc.property(players, wishes, fc.constantFrom(0, 3, 15), fc.nat(), (list, wanted, tolerance, seed) => {
        const sides = pickSides(list, wanted, { tolerance, seed });
        const half = Math.floor(list.length / 2);
        const all = [half, list.length - half]
          .flatMap((size) => [...choices(list, size)])
          .map((first) => {
            const on = (each: SidePlayer): 0 | 1 => (first.includes(each) ? 0 : 1);
            const gain = (each: SidePlayer): number => (on(each) === 0 ? 1 : -1);
            return {
              uneven: Math.abs(list.reduce((n, each) => n + (each.won ? gain(each) : 0), 0)),
              difference: Math.abs(list.reduce((n, each) => n + each.rating * gain(each), 0)),
              denied: list.filter((each) => {
                const asked = wanted[each.playerId]!;
                return asked !== 'random' && asked !== on(each);
              }).length,
            };
          });
        const evenest = Math.min(...all.map(({ uneven }) => uneven));
        const allowed = all.filter(({ uneven }) => uneven === evenest);
        const within = allowed.filter(({ difference }) => difference <= tolerance);
        const closest = Math.min(...allowed.map(({ difference }) => difference));
        const choice =
          within.length > 0 ? within : allowed.filter(({ difference }) => difference === closest);
        const fewest = Math.min(...choice.map(({ denied }) => denied));

        expect(Math.abs(sides.winners[0] - sides.winners[1])).toBe(evenest);
        expect(sides.denied).toHaveLength(fewest);
        expect(sides.withinTolerance).toBe(within.length > 0);
        expect(sides.difference).toBe(
          Math.min(...choice.filter(({ denied }) => denied === fewest).map(({ difference }) => difference)),
        );
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['one player', alone([1]), 1, 'two players'],
    ['no tolerance', alone([1], [1]), -1, 'tolerance is -1'],
    ['an invalid rating', alone([Number.NaN], [1]), 1, 'finite'],
    ['31 groups', alone(...Array.from({ length: 31 }, (): [number] => [1])), 1, 'at most 30'],
    ['one party', alone([1], [1]).map((each) => ({ ...each, partyId: 'x' })), 1, 'do not fit'],
  ])('refuses %s', (_, players, tolerance, words) => {
    expect(() => pickSides(players, {}, { tolerance, seed: 1 })).toThrow(words);
  });

  it('are chosen for a roster: spectators and bots stay, a share of all ratings is the limit for wishes', () => {
    const roster = change(teams([10, 8, 6, 50], [9, 7, 6, 50]), {
      a3: { bot: true, rating: 0 },
      b3: { spectator: true },
      b2: { team: null },
    });
    const ask = (toleranceShare: number, winners: string[] = []): ReturnType<typeof sidesOf> =>
      sidesOf(roster, { wishes: { a1: 1 }, winners, policy: apartBy(toleranceShare), seed: 0 });
    // Of 46 the most even are 23 and 23; with a1 on the other side nothing is lost.
    expect(ask(0)).toMatchObject({ difference: 0, withinTolerance: true });
    expect(ask(0).teams.flat().toSorted()).toEqual(['a0', 'a1', 'a2', 'b0', 'b1', 'b2']);
    for (const { playerId, from, to } of ask(0).moves) {
      expect(roster.players.find((player) => player.playerId === playerId)?.team).toBe(from);
      expect(ask(0).teams[to]).toContain(playerId);
    }
    expect(ask(0, ['a0', 'b0']).winners).toEqual([1, 1]);
    const wishes = { a0: 0, b0: 0, a1: 0 } as const;
    const dear = (toleranceShare: number): number =>
      sidesOf(roster, { wishes, winners: [], policy: apartBy(toleranceShare), seed: 0 }).denied.length;
    // All three together are 27 against 19: 8 is just over a third of 23.
    expect([dear(0.34), dear(0.35)]).toEqual([1, 0]);
    expect(() =>
      sidesOf({ ...roster, teams: 3 }, { wishes, winners: [], policy: apartBy(0), seed: 0 }),
    ).toThrow(/two teams/);
  });

  it('counts the bots that stay, as a check does', () => {
    const roster = change(teams([10, 6, 4], [5, 7]), { a2: { bot: true } });
    const picked = sidesOf(roster, { wishes: {}, winners: [], policy: apartBy(0), seed: 0 });

    // 5 and 7 beside the bot of 4 against 10 and 6; of people alone 10 and 5 against 6 and 7 are the most even.
    expect(picked.teams.map((side) => side.toSorted())).toEqual([
      ['b0', 'b1'],
      ['a0', 'a1'],
    ]);
    expect(picked.difference).toBe(0);
  });

  it('uses the measure of the policy’s rules, and their limit for wishes', () => {
    // Ratings allow the wishes of the party, with its factor they do not: 23 to 20 is 15 %, 10 % is the limit.
    const party = { partyId: 'x' };
    const roster = change(teams([10, 10], [10, 10]), { a0: party, a1: party });
    const rules = [{ ...twentyPercent.rules[0]!, over: 0.1 }] as Policy['rules'];
    const policy = { ...twentyPercent, rules, sides: { ...none.sides, toleranceShare: 0.5 } };
    const { withinTolerance } = sidesOf(roster, {
      wishes: { a0: 0, a1: 0, b0: 1, b1: 1 },
      winners: [],
      policy,
      seed: 0,
    });

    expect(withinTolerance).toBe(false);
  });
});
