import { message, type MessageCode } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { change, rosters, teams } from '../../test-support/rosters.js';
import { mixTeams } from './mixing.js';
import { afterMoves, partySizes, playing, sizesOf, spread, sumsOf, type Roster } from '../roster/roster.js';

/** Every allowed assignment of all players to two teams: equal sizes, bots stay, parties whole. */
function waysOf(roster: Roster): Roster[] {
  const players = playing(roster);
  const parties = partySizes(roster);
  const ways: Roster[] = [];
  for (let mask = 0; mask < 2 ** players.length; mask++) {
    const to = new Map(players.map(({ playerId }, i) => [playerId, (mask >> i) & 1]));
    if (players.some(({ playerId, bot, team }) => bot && to.get(playerId) !== team)) continue;
    const sideOf = new Map<string, number>();
    const parts = players.some(({ playerId, partyId, bot }) => {
      if (bot || partyId === undefined || !parties.has(partyId)) return false;
      const side = sideOf.get(partyId) ?? to.get(playerId)!;
      sideOf.set(partyId, side);
      return side !== to.get(playerId);
    });
    const way = {
      ...roster,
      players: roster.players.map((player) => ({ ...player, team: to.get(player.playerId) ?? player.team })),
    };
    if (!parts && spread(sizesOf(way)) <= 1) ways.push(way);
  }
  return ways;
}
const partitionOf = (roster: Roster): string =>
  playing(roster)
    .filter(({ team }) => team === playing(roster)[0]?.team)
    .map(({ playerId }) => playerId)
    .join();

describe('teams for a scramble', () => {
  it('are the most even ones, with the fewest moves', () => {
    const mixed = mixTeams(teams([9, 8, 7], [3, 2, 1]), 'best');
    expect(mixed).toMatchObject({ before: 18, after: 2, exact: true });
    expect(mixed.moves).toHaveLength(2);
    expect(mixed.why).toEqual([message('scramble.changed', { players: 2, difference: 2, before: 18 })]);
  });

  it('differ from the present ones where that is asked for, as the next best', () => {
    const roster = teams([9, 2], [8, 4]);
    expect(mixTeams(roster, 'best').moves).toEqual([]);
    const mixed = mixTeams(roster, 'other');
    expect(mixed).toMatchObject({ before: 1, after: 3, exact: true });
    expect(sumsOf(afterMoves(roster, mixed.moves)).toSorted((a, b) => a - b)).toEqual([10, 13]);
  });

  it.each<[string, Roster, MessageCode]>([
    ['nobody', teams([], []), 'scramble.nobody'],
    ['one against one', teams([4], [5]), 'scramble.no-other-teams'],
    [
      'a party larger than a team',
      change(teams([4, 3, 2], [5]), {
        a0: { partyId: 'x' },
        a1: { partyId: 'x' },
        a2: { partyId: 'x' },
      }),
      'scramble.no-equal-teams',
    ],
  ])('stay where there is %s', (_, roster, code) => {
    expect(mixTeams(roster, 'other')).toMatchObject({ moves: [], why: [{ code }] });
  });

  it('leave bots and spectators in place, and count the bots', () => {
    const roster = change(teams([9, 8, 0, 0], [3, 2, 1, 1]), {
      a2: { bot: true },
      a3: { bot: true },
      b0: { spectator: true },
    });
    const mixed = mixTeams(roster, 'best');
    expect(mixed.moves.map(({ playerId }) => playerId)).not.toContain('a2');
    const after = afterMoves(roster, mixed.moves);
    expect(sizesOf(after)).toEqual([4, 3]);
    expect(after.players.find(({ playerId }) => playerId === 'b0')?.team).toBe(1);
    expect(mixed.after).toBe(1);
  });

  it('are as even as the best by brute force; whole parties, equal sizes, bots in place', () => {
    fc.assert(
      fc.property(rosters({ minPlayers: 2, maxPlayers: 9, mostTeams: 2 }), (roster) => {
        const two = { ...roster, teams: 2 };
        const mixed = mixTeams(two, 'other');
        const ways = waysOf(two);
        const others = ways.filter(
          (way) => partitionOf(way) !== partitionOf(two) && spread(sizesOf(way)) <= 1,
        );
        if (mixed.moves.length === 0) {
          expect(others).toEqual([]);
          return;
        }
        const after = afterMoves(two, mixed.moves);
        expect(ways.map(partitionOf)).toContain(partitionOf(after));
        expect(spread(sumsOf(after))).toBeCloseTo(mixed.after, 9);
        expect(mixed.after).toBeCloseTo(Math.min(...others.map((way) => spread(sumsOf(way)))), 9);
      }),
      { numRuns: 100 },
    );
  });

  it('keep sizes, parties and bots with more teams, too', () => {
    fc.assert(
      fc.property(
        rosters({ minPlayers: 4, mostTeams: 4 }),
        fc.constantFrom('best', 'other'),
        (roster, into) => {
          const mixed = mixTeams(roster, into as 'best');
          if (mixed.moves.length === 0) return;
          const after = afterMoves(roster, mixed.moves);
          expect(spread(sizesOf(after))).toBeLessThanOrEqual(1);
          const teamsOf = new Map<string, Set<number>>();
          const parties = partySizes(roster);
          for (const { partyId, team, bot } of playing(after))
            if (partyId !== undefined && parties.has(partyId) && !bot)
              teamsOf.set(partyId, (teamsOf.get(partyId) ?? new Set()).add(team));
          for (const on of teamsOf.values()) expect(on.size).toBe(1);
          for (const { playerId, bot } of roster.players)
            if (bot) expect(mixed.moves.map((move) => move.playerId)).not.toContain(playerId);
        },
      ),
      { numRuns: 60 },
    );
  });
});
