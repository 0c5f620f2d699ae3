import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { choices, ratings, rosters, teams } from '../test-support/rosters.js';
import { teamsAtStart } from './joins/bots.js';
import { check, freshBalance } from './moves/check.js';
import { evenTeams } from './moves/even-teams.js';
import { handicap } from './joins/advantage.js';
import { joined } from './joins/placement.js';
import { mixTeams } from './scrambles/mixing.js';
import { policies } from './policies.js';
import type { Policy } from './policy.js';
import {
  afterMoves,
  isPlaying,
  spread,
  strengthsOf,
  sumsOf,
  type Roster,
  type RosterPlayer,
} from './roster/roster.js';
import { sidesOf } from './scrambles/side-pick.js';
import { makeCache } from './scrambles/split-cache.js';
import { rated, withWorth, worthBy } from './worth.js';

const named = Object.values(policies).map((policy) => [policy.name, policy] as const);

const lead: fc.Arbitrary<number> = fc.integer({ min: -6, max: 8 });
/** Up to nine players of two sides, on any teams, without bots and parties: few enough to try all teams. */
const sided: fc.Arbitrary<Roster> = fc
  .array(fc.record({ team: fc.constantFrom(0, 1), rating: fc.integer({ min: 10, max: 40 }), lead }), {
    minLength: 4,
    maxLength: 9,
  })
  .map((players) => ({
    teams: 2,
    players: players.map((player, i): RosterPlayer => ({ playerId: `p${i}`, ...player })),
  }));

/** What each team counts, player by player, on its side. */
function counted({ players }: Roster): [number, number] {
  const sums: [number, number] = [0, 0];
  for (const player of players) {
    const { rating, lead: more = 0, team } = player;
    if (isPlaying(player)) sums[team === 0 ? 0 : 1] += team === 0 ? rating + more : rating - more;
  }
  return sums;
}

/** The roster with these players on the first team, and the others on the second. */
function onTeams({ players, ...roster }: Roster, first: ReadonlySet<string>): Roster {
  const team = ({ playerId }: RosterPlayer): number => (first.has(playerId) ? 0 : 1);
  return { ...roster, players: players.map((player) => ({ ...player, team: team(player) })) };
}

/** The least difference of two teams whose sizes differ by one at most. */
function leastApart(roster: Roster): number {
  const ids = roster.players.map(({ playerId }) => playerId);
  const sizes = new Set([Math.floor(ids.length / 2), Math.ceil(ids.length / 2)]);
  const ways = [...sizes].flatMap((size) => [...choices(ids, size)]);
  return Math.min(...ways.map((first) => spread(counted(onTeams(roster, new Set(first))))));
}

/** Players without the side on which they are better, and whatever they lead by as one bot that nobody moves. */
function withWeight(roster: Roster): Roster {
  const ahead = roster.players.filter(isPlaying).reduce((sum, player) => sum + (player.lead ?? 0), 0);
  const players = roster.players.map((player) => ({ ...player, lead: undefined }));
  return {
    ...roster,
    players: [
      ...players,
      { playerId: 'weight', team: ahead > 0 ? 0 : 1, rating: Math.abs(ahead), bot: true },
    ],
  };
}

describe('players who are better on one side', { timeout: 60_000 }, () => {
  it('count what they do on the side of their team', () => {
    fc.assert(
      fc.property(rosters(), (roster) => {
        const [first = 0, second = 0] = counted(roster);

        expect(sumsOf(roster)[0]).toBeCloseTo(first, 9);
        expect(sumsOf(roster)[1]).toBeCloseTo(second, 9);
      }),
    );
  });

  it('make the teams differ as an immovable player with the weight of their lead does', () => {
    const apart = (roster: Roster, ratingOf: (player: RosterPlayer) => number): number => {
      const [first = 0, second = 0] = strengthsOf(roster, ratingOf);
      return first - second;
    };
    fc.assert(
      fc.property(rosters({ minPlayers: 2 }), fc.array(fc.constantFrom(0, 1)), (roster, to) => {
        const moves = roster.players.flatMap((player, i) =>
          isPlaying(player)
            ? [{ playerId: player.playerId, from: player.team, to: to[i] ?? player.team }]
            : [],
        );
        for (const each of [roster, afterMoves(roster, moves)])
          expect(apart(each, ({ rating }) => rating)).toBeCloseTo(
            apart(withWeight(each), ({ rating }) => rating),
            6,
          );
      }),
    );
  });

  it('never make a team weigh less than nothing', () => {
    fc.assert(
      fc.property(rosters({ mostTeams: 3 }), fc.constantFrom('shares', 'differences'), (roster, reading) => {
        for (const strength of strengthsOf(roster, rated(roster, reading)))
          expect(strength).toBeGreaterThanOrEqual(-1e-9);
      }),
    );
  });

  it('count alike on more than two teams', () => {
    const three = { ...teams([5], [6], [7]), teams: 3 };
    const better = { ...three, players: three.players.map((player) => ({ ...player, lead: 4 })) };

    expect(sumsOf(better)).toEqual([5, 6, 7]);
    expect(mixTeams(better, 'best').moves).toEqual([]);
  });
});

describe('decisions about them are the best of all', { timeout: 60_000 }, () => {
  it('swaps', () => {
    fc.assert(
      fc.property(sided, (roster) => {
        const even = evenTeams(roster, { tolerance: 0 });
        const [free = [], others = []] = [0, 1].map((team) =>
          roster.players.flatMap(({ playerId, team: on }) => (on === team ? [playerId] : [])),
        );
        const ways = Array.from({ length: Math.min(free.length, others.length) + 1 }, (_, swaps) =>
          [...choices(free, swaps)].flatMap((going) =>
            [...choices(others, swaps)].map((coming) => [
              ...free.filter((id) => !going.includes(id)),
              ...coming,
            ]),
          ),
        ).flat();
        const least = Math.min(...ways.map((first) => spread(counted(onTeams(roster, new Set(first))))));

        expect(even.after).toBe(least);
        expect(spread(counted(afterMoves(roster, even.moves)))).toBe(least);
      }),
      { numRuns: 100 },
    );
  });

  it('teams of all', () => {
    fc.assert(
      fc.property(sided, (roster) => {
        const mixed = mixTeams(roster, 'best');
        const then = afterMoves(roster, mixed.moves);

        expect(mixed).toMatchObject({
          before: spread(counted(roster)),
          after: leastApart(roster),
          exact: true,
        });
        expect(spread(counted(then))).toBe(mixed.after);
        expect(mixed.moves.every(({ from }) => from === 0 || from === 1)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('teams at the start', () => {
    fc.assert(
      fc.property(sided, (roster) => {
        const start = teamsAtStart(roster, { bots: null, best: 1, seed: 1 });
        if (start.outcome === 'refused') throw new Error(start.detail);
        const then = onTeams(roster, new Set(start.teams[0]));

        expect(start.teams.flat().toSorted()).toEqual(
          roster.players.map(({ playerId }) => playerId).toSorted(),
        );
        expect(start.sums).toEqual(counted(then));
        expect(spread(counted(then))).toBe(leastApart(roster));
      }),
      { numRuns: 100 },
    );
  });

  it('teams at the start, with bots in the free places', () => {
    fc.assert(
      fc.property(sided, fc.integer({ min: 0, max: 14 }), (roster, minPlayers) => {
        const rules = { best: 1, seed: 1, bots: { minPlayers } };
        const start = teamsAtStart({ ...roster, meanBot: 20 }, rules);
        const plain = teamsAtStart(
          { ...roster, meanBot: 20, players: roster.players.map((player) => ({ ...player, lead: 0 })) },
          rules,
        );
        if (start.outcome === 'refused' || plain.outcome === 'refused') throw new Error('no teams');

        expect(start.teams.flat()).toHaveLength(roster.players.length);
        expect(start.bots.map((bots, team) => bots + start.teams[team]!.length)).toEqual(
          plain.bots.map((bots, team) => bots + plain.teams[team]!.length),
        );
      }),
      { numRuns: 100 },
    );
  });

  it('sides, without wishes', () => {
    fc.assert(
      fc.property(sided, (roster) => {
        const sides = sidesOf(roster, { wishes: {}, winners: [], policy: policies['none']!, seed: 1 });
        const then = afterMoves(roster, sides.moves);

        expect(sides.difference).toBe(spread(counted(then)));
        // Without a second player to even the sizes, ratings count from the lowest one.
        if (roster.players.length % 2 === 0 && !sides.withinTolerance)
          expect(sides.difference).toBe(leastApart(roster));
      }),
      { numRuns: 100 },
    );
  });

  it('the sides of cached splits', () => {
    fc.assert(
      fc.property(sided, (roster) => {
        const { players } = roster;
        for (const {
          teams: [first, second],
          difference,
        } of makeCache(players, 'anyone', 0).splits) {
          const playingOn = (ids: readonly string[]): number => {
            const present = new Set([...first, ...second]);
            const then = onTeams(roster, new Set(ids));
            return spread(
              counted({ ...then, players: then.players.filter((each) => present.has(each.playerId)) }),
            );
          };

          expect(difference).toBe(playingOn(first));
          expect(difference).toBeLessThanOrEqual(playingOn(second));
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe.each(named)('under %s', { timeout: 60_000 }, (_, policy: Policy) => {
  const newcomer = fc.record({ playerId: fc.constant('new'), rating: ratings });

  it('a lead of 0 changes no answer', () => {
    fc.assert(
      fc.property(rosters({ minPlayers: 3, mostTeams: 3 }), newcomer, (roster, who) => {
        const answers = (more: number | undefined): unknown[] => {
          const each = { ...roster, players: roster.players.map((player) => ({ ...player, lead: more })) };
          const state = { ...freshBalance, since: { at: 0, from: 0, to: 1 }, voted: true };
          return [
            check(each, policy, state, 600_000),
            joined(each, { ...who, lead: more }, policy),
            mixTeams(withWorth(each, worthBy(each, policy)), 'other'),
            handicap(each, policy),
          ];
        };

        expect(answers(0)).toEqual(answers(undefined));
      }),
      { numRuns: 50 },
    );
  });

  it('a newcomer brings their lead to either team', () => {
    fc.assert(
      fc.property(sided, newcomer, lead, (roster, who, more) => {
        const { options } = joined(roster, { ...who, lead: more }, policy);
        const [first, second] = options.map(({ sums }) => sums[0]! - sums[1]!);

        expect(first! - second!).toBeCloseTo(2 * who.rating, 6);
        expect((first! + second!) / 2).toBeCloseTo(counted(roster)[0] - counted(roster)[1] + more, 6);
      }),
      { numRuns: 65 },
    );
  });
});
