import { message } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { change, rosters, ratings, team, teams } from '../../test-support/rosters.js';
import { joined, left } from './placement.js';
import { none, sectorsEdge, twentyPercent } from '../policies.js';
import type { Policy } from '../policy.js';
import { humansOf, spread, sumsOf, type Roster } from '../roster/roster.js';

const placing = (placement: Policy['placement']): Policy => ({ ...none, placement });
const plain = placing({ bots: null, maxSizeDifference: 1 });
const free = placing({ bots: null, maxSizeDifference: null });
const withBots = placing({ bots: { minPlayers: 4 }, maxSizeDifference: null });

describe('a late arrival (L3)', () => {
  it.each([
    ['the weaker of two equal ones', teams([10, 10], [9, 9]), 5, plain, 1],
    ['the smaller one, even when the larger is weaker', teams([1, 1, 1], [9, 9]), 5, plain, 1],
    ['the larger one, where only ratings count', teams([1, 1, 1], [9, 9]), 5, free, 0],
    ['the weaker one, however small the difference', teams([10, 10], [9, 9]), -5, plain, 1],
    ['the first of two equal ones', teams([5], [5]), 3, plain, 0],
    ['the weakest of three', teams([5], [4], [3]), 1, plain, 2],
    ['an empty one', teams([5, 5], []), 1, plain, 1],
  ])('joins %s', (_, roster, rating, rules, expected) => {
    expect(joined(roster, { playerId: 'new', rating }, rules).team).toBe(expected);
  });

  it('takes into account that a bot leaves', () => {
    // 1 human and 1 bot each. By humans alone the newcomer, 6, would help Team 2 more; but there they replace a bot of 10.
    const roster: Roster = {
      teams: 2,
      players: [
        { playerId: 'a', team: 0, rating: 10 },
        { playerId: 'abot', team: 0, rating: 2, bot: true },
        { playerId: 'b', team: 1, rating: 4 },
        { playerId: 'bbot', team: 1, rating: 10, bot: true },
      ],
    };
    const placed = joined(roster, { playerId: 'new', rating: 6 }, withBots);

    expect(placed.options.map(({ sums, sizes, botChange }) => ({ sums, sizes, botChange }))).toEqual([
      { sums: [16, 14], sizes: [2, 2], botChange: [-1, 0] },
      { sums: [12, 10], sizes: [2, 2], botChange: [0, -1] },
    ]);
    // 14/16 is nearer to 1 than 10/12, though both differ by 2.
    expect(placed.team).toBe(0);
    expect(placed.why).toContainEqual(message('arrival.bot-leaves'));
  });

  it('takes into account that a bot joins', () => {
    // 2 against 2 humans, no bots: a third brings a bot of 5 for the others.
    const roster: Roster = { ...teams([4, 4], [6, 6]), meanBot: 5 };
    const placed = joined(roster, { playerId: 'new', rating: 9 }, withBots);

    expect(placed.options.map(({ sums, botChange }) => ({ sums, botChange }))).toEqual([
      { sums: [17, 17], botChange: [0, 1] },
      { sums: [13, 21], botChange: [1, 0] },
    ]);
    expect(placed.team).toBe(0);
  });

  it('joins their party on any team', () => {
    const roster = change(teams([9, 9, 9], [1]), { a1: { partyId: 'x' } });
    const placed = joined(roster, { playerId: 'new', rating: 9, partyId: 'x' }, plain);

    expect(placed.team).toBe(0);
    expect(placed.why).toEqual([message('arrival.party', { to: 0 })]);
  });

  it('places the latecomers of the community proposal', () => {
    // 29.0 against 29.0, 8 players against 7; and 38.4 against 32.0, 3 against 12.
    const even = teams([29, 0, 0, 0, 0, 0, 0, 0], [29, 0, 0, 0, 0, 0, 0]);
    const superteam = teams([38.4, 0, 0], [32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

    expect(joined(superteam, { playerId: 'late', rating: 1 }, twentyPercent).team).toBe(1);
    // Here ratings do not decide; the proposal takes the first team, Muster the smaller one.
    expect(joined(even, { playerId: 'late', rating: 1 }, twentyPercent).team).toBe(1);
  });

  it('counts parties as the policy’s check does', () => {
    // 32 against 32 by ratings; the party counts 1.2 times, 38.4.
    const roster: Roster = {
      teams: 2,
      players: [
        ...team(0, [11, 11, 10], { partyId: 'super' }),
        ...team(1, [5, 5, 5, 3, 3, 3, 2, 2, 1, 1, 1, 1]),
      ],
    };

    const placed = joined(roster, { playerId: 'new', rating: 3 }, twentyPercent);
    expect(placed.team).toBe(1);
    expect(placed.options.map(({ overfull }) => overfull)).toEqual([true, false]);
    expect(placed.options[1]?.strengths.map((weight) => Math.round(weight * 10) / 10)).toEqual([38.4, 35]);
  });

  it('counts powers where the policy’s check does', () => {
    // By ratings the second team is the weaker one, by ranks it is the first: 5 6 7 14 against 8 9 10 11.
    const roster = teams([1, 2, 3, 900], [10, 11, 12, 13]);

    expect(joined(roster, { playerId: 'new', rating: 14 }, none).team).toBe(1);
    expect(joined(roster, { playerId: 'new', rating: 14 }, sectorsEdge('1.2.1')).team).toBe(0);
  });

  it('leaves the better balance of all allowed sides, and moves nobody', () => {
    fc.assert(
      fc.property(rosters({ mostTeams: 4 }), ratings, (roster, rating) => {
        const players = roster.players.filter(({ partyId }) => partyId === undefined);
        const placed = joined({ ...roster, players }, { playerId: 'new', rating }, plain);
        const chosen = placed.options[placed.team]!;
        const allowed = placed.options.filter((option) => option.allowed);
        const lowest = Math.min(rating, ...players.map((player) => player.rating));
        // The lowest rating counts as zero.
        const apart = ({ team: to }: { readonly team: number }): number => {
          const after = [...players, { playerId: 'new', team: to, rating }];
          return spread(
            sumsOf({
              ...roster,
              players: after.map((player) => ({ ...player, rating: player.rating - lowest })),
            }),
          );
        };

        for (const option of allowed) expect(apart(chosen)).toBeLessThanOrEqual(apart(option) + 1e-6);
        if (allowed.length > 0) expect(chosen.allowed).toBe(true);
        // Brute force: the sums are those of the roster with the newcomer on it.
        for (const { team: to, sums } of placed.options) {
          const after = { ...roster, players: [...players, { playerId: 'new', team: to, rating }] };
          sumsOf(after).forEach((sum, t) => expect(sums[t]).toBeCloseTo(sum, 6));
        }
      }),
    );
  });

  it('refuses invalid input', () => {
    expect(() => joined(teams([1]), { playerId: 'new', rating: 1 }, plain)).toThrow('without teams');
    expect(() => joined(teams([1], [1]), { playerId: 'a0', rating: 1 }, plain)).toThrow('on a team already');
    expect(() => joined(teams([1], [1]), { playerId: 'n', rating: Number.NaN }, plain)).toThrow('finite');
  });
});

describe('a departure (L4)', () => {
  it('uses the sums of an arrival with the opposite sign', () => {
    const gone = left(teams([4, 6], [5, 6]), 'a1', plain);

    expect(gone).toMatchObject({
      team: 0,
      before: { sums: [10, 11], sizes: [2, 2], difference: 1 },
      after: { sums: [4, 11], sizes: [1, 2], difference: 7 },
    });
    expect(gone.why).toEqual([
      message('departure.one-fewer', { from: 0 }),
      message('departure.evenness', { trend: 'less', difference: 7 }),
    ]);
  });

  it('replaces the player by a bot', () => {
    const gone = left({ ...teams([4, 6], [5, 6]), meanBot: 3 }, 'a1', withBots);

    expect(gone.after).toMatchObject({ sums: [7, 11], sizes: [2, 2], botChange: [1, 0] });
    expect(gone.why).toContainEqual(message('departure.bots-come', { bots: 1 }));
  });

  it('removes bots with the last player of the larger team', () => {
    const bot = { playerId: 'bot', team: 1, rating: 2, bot: true };
    const roster: Roster = { teams: 2, players: [...team(0, [4, 6, 8]), ...team(1, [5, 6]), bot] };

    expect(left(roster, 'a2', withBots).after).toMatchObject({
      sums: [10, 11],
      botChange: [0, -1],
    });
  });

  it('reverses an arrival', () => {
    fc.assert(
      fc.property(rosters(), ratings, fc.boolean(), (roster, rating, bots) => {
        const rules = bots ? withBots : free;
        const placed = joined(roster, { playerId: 'new', rating }, rules);
        const grown = {
          ...roster,
          players: [...roster.players, { playerId: 'new', team: placed.team, rating }],
        };
        const gone = left(grown, 'new', free);

        gone.after.sums.forEach((sum, t) => expect(sum).toBeCloseTo(sumsOf(roster)[t]!, 6));
        expect(humansOf(grown)[placed.team]).toBe(humansOf(roster)[placed.team]! + 1);
      }),
    );
  });

  it("gives the settings of a policy's levers, and ignores spectators", () => {
    const roster = { ...teams([4, 6], [5, 5]), teamNames: ['Red', 'Blue'] };
    const gone = left(roster, 'a1', { ...twentyPercent, levers: [{ kind: 'damage', most: 1.5 }] });

    expect(gone.advantage).toMatchObject({ factor: 2.5, weakest: 0 });
    const watcher = change(teams([4], [5]), { a0: { team: null } });
    expect(left(watcher, 'a0', twentyPercent).team).toBeNull();
    expect(() => left(roster, 'stranger', twentyPercent)).toThrow('stranger is not on the roster');
  });
});
