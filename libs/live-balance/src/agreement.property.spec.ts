import { Unsolvable } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ratings, rosters, teams } from '../test-support/rosters.js';
import { callVote, check, freshBalance, type Check } from './moves/check.js';
import { joined } from './joins/placement.js';
import { policies } from './policies.js';
import type { Policy } from './policy.js';
import { afterMoves, type Roster } from './roster/roster.js';
import { sidesOf, type Wish } from './scrambles/side-pick.js';

const runs = 400;
const all = Object.values(policies);
const named = all.map((policy) => [policy.name, policy] as const);
/** Policies for which ratings have no zero: they use sizes, ranks, and differences between teams of one size. */
const withoutZero = named.filter(([name]) => /^(none|sectors-edge|synelo)/.test(name));
const withZero = named.filter(([name]) => /^(hive|twenty-percent|muster)$/.test(name));

/** The result of a check once every delay is over and every movable player is dead. */
function settled(roster: Roster, policy: Policy, { voted = false } = {}): Check {
  const dead: Roster = {
    ...roster,
    mode: 'ctf',
    secondsLeft: null,
    ranked: false,
    players: roster.players.map((player) => ({ ...player, alive: false })),
  };
  const { state } = check(dead, policy, voted ? callVote(freshBalance) : freshBalance, 0);
  return check(dead, policy, { ...state, ordered: null, voted }, 600_000);
}

const settledBy = fc.record({
  roster: fc.oneof(rosters({ minPlayers: 3 }), rosters({ minPlayers: 5, mostTeams: 4 })),
  rating: ratings,
  lead: fc.constantFrom(undefined, undefined, 3, -2),
  partyId: fc.constantFrom(undefined, undefined, undefined, 'x', 'z'),
});

describe.each(named)('under %s', { timeout: 120_000 }, (_, policy) => {
  it('teams of equals are never unbalanced, whatever their names', () => {
    const equals = fc
      .record({
        size: fc.integer({ min: 1, max: 16 }),
        number: fc.integer({ min: 2, max: 4 }),
        rating: fc.oneof(fc.constantFrom(0, 25, 1_500, -5), ratings),
        points: fc.constantFrom(undefined, 0, 7),
        names: fc.uniqueArray(fc.string({ maxLength: 4 }), { minLength: 64, maxLength: 64 }),
      })
      .map(({ size, number, rating, points, names }): Roster => {
        const players = Array.from({ length: size * number }, (__, i) => ({
          playerId: names[i]!,
          team: i % number,
          rating,
          points,
        }));
        return { teams: number, players };
      });
    fc.assert(
      fc.property(equals, (roster) => {
        expect(settled(roster, policy, { voted: true }).outcome).toBe('balanced');
      }),
      { numRuns: runs },
    );
  });

  it('a check does not undo what placement chose', () => {
    fc.assert(
      fc.property(settledBy, ({ roster, ...newcomer }) => {
        const { team } = joined(roster, { playerId: 'new', ...newcomer }, policy);
        const then = { ...roster, players: [...roster.players, { playerId: 'new', team, ...newcomer }] };
        const moves = settled(then, policy).directive?.moves ?? [];

        expect(moves.map(({ playerId }) => playerId)).not.toContain('new');
      }),
      { numRuns: runs },
    );
  });

  it('a check does not undo sides that were picked', () => {
    const wishes = fc.array(fc.constantFrom<Wish[]>(0, 1, 'random'));
    fc.assert(
      fc.property(rosters({ minPlayers: 4 }), wishes, (roster, said) => {
        const then = picked(roster, said, policy);

        expect(then ? settled(then, policy, { voted: true }).finding.verdict : 'balanced').toBe('balanced');
      }),
      { numRuns: runs },
    );
  });
});

/** The roster after the side pick; null where parties do not fit, or the sides exceed the policy's tolerance. */
function picked(roster: Roster, said: readonly Wish[], policy: Policy): Roster | null {
  const wishes = Object.fromEntries(
    roster.players.map(({ playerId }, i) => [playerId, said[i] ?? 'random'] as const),
  );
  try {
    const sides = sidesOf(roster, { wishes, winners: [], policy, seed: 1 });
    return sides.withinTolerance ? afterMoves(roster, sides.moves) : null;
  } catch (error) {
    if (error instanceof Unsolvable) return null;
    throw error;
  }
}

/** Whole numbers, so that no sum is rounded. */
const whole = rosters({ minPlayers: 3, mostTeams: 3 }).map((roster): Roster => ({
  ...roster,
  players: roster.players.map((player) => ({
    ...player,
    rating: Math.round(player.rating),
    lead: player.lead && Math.round(player.lead),
  })),
}));
const raised = (roster: Roster, by: number): Roster => ({
  ...roster,
  players: roster.players.map((player) => ({ ...player, rating: player.rating + by })),
});
const scaled = (roster: Roster, by: number): Roster => ({
  ...roster,
  players: roster.players.map((player) => ({
    ...player,
    rating: player.rating * by,
    lead: player.lead && player.lead * by,
  })),
});
const newRating = fc.integer({ min: -50, max: 2_000 });

describe.each(withoutZero)('under %s ratings have no zero', { timeout: 120_000 }, (_, policy) => {
  it('adding a constant to all of them changes no answer', () => {
    fc.assert(
      fc.property(whole, newRating, fc.integer({ min: -3_000, max: 3_000 }), (roster, rating, by) => {
        const place = (add: number): number =>
          joined(raised(roster, add), { playerId: 'new', rating: rating + add }, policy).team;
        const moves = (add: number): unknown =>
          settled(raised(roster, add), policy).directive?.moves.map(({ playerId, from, to }) => ({
            playerId,
            from,
            to,
          }));

        expect(place(by)).toBe(place(0));
        // SynElo takes ratings as they are: where one team stays a player ahead, that player's rating counts.
        if (policy.name !== 'synelo') expect(moves(by)).toEqual(moves(0));
      }),
      { numRuns: runs },
    );
  });
});

describe.each(withZero)('under %s ratings have a zero', { timeout: 120_000 }, (_, policy) => {
  it('scaling them changes no answer, however low they are', () => {
    fc.assert(
      fc.property(whole, newRating, fc.integer({ min: -3_000, max: 0 }), (roster, rating, by) => {
        const low = raised(roster, by);
        const place = (unit: number): number =>
          joined(scaled(low, unit), { playerId: 'new', rating: rating * unit }, policy).team;
        const outcome = (unit: number): unknown =>
          settled(scaled(low, unit), policy, { voted: true }).outcome;

        expect(place(4)).toBe(place(1));
        expect(outcome(4)).toBe(outcome(1));
      }),
      { numRuns: runs },
    );
  });

  it('treats teams that differ only in size alike, wherever the ratings begin', () => {
    const five = (rating: number): Roster =>
      teams([rating, rating, rating, rating, rating], [rating, rating]);
    for (const rating of [-5, 0, 25, 1_500])
      expect(settled(five(rating), policy, { voted: true }).finding.verdict).toBe('unbalanced');
  });
});

const byWeight = withZero.filter(([, { rules }]) => rules[0]?.kind === 'weight');

describe.each(byWeight)('under %s shares are used', { timeout: 120_000 }, (_, policy) => {
  it('reports a team without opponents only where there are none', () => {
    fc.assert(
      fc.property(whole, fc.integer({ min: -3_000, max: 0 }), (roster, by) => {
        const { imbalance, why } = settled(raised(roster, by), policy).finding;

        expect(why.some(({ code }) => code === 'balance.nobody-to-stand')).toBe(
          imbalance?.sizes[imbalance.to] === 0,
        );
      }),
      { numRuns: runs },
    );
  });
});
