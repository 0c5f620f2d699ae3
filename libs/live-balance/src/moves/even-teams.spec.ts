import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { change, choices, rosters, sum, team, teams } from '../../test-support/rosters.js';
import { evenTeams, findUneven, toleranceOf, type SwapsRule } from './even-teams.js';
import { hive } from '../policies.js';
import { afterMoves, movableFrom, playing, spread, sumsOf, type Roster } from '../roster/roster.js';

const rule = hive.rules[0] as SwapsRule;

describe('even teams by the fewest swaps (L14)', () => {
  it('swaps the pair that evens them out', () => {
    const even = evenTeams(teams([9, 5, 4], [6, 3, 1]), { tolerance: 0 });

    // 18 against 10: a player 4 stronger has to go.
    expect(even).toMatchObject({ after: 0, exact: true });
    expect(even.moves).toHaveLength(2);
    expect(spread(sumsOf(afterMoves(teams([9, 5, 4], [6, 3, 1]), even.moves)))).toBe(0);
  });

  it('swaps nobody within the tolerance', () => {
    expect(evenTeams(teams([9, 5], [6, 3]), { tolerance: 5 }).moves).toEqual([]);
  });

  it('finds two swaps that help only together, which the source’s greedy misses', () => {
    const even = evenTeams(teams([8, 7, 10, 4], [10, 4, 11, 2]), { tolerance: 0 });

    expect(even).toMatchObject({ after: 0, exact: true });
    expect(even.moves).toHaveLength(4);
  });

  it('leaves parties, bots and players moved before in place', () => {
    const roster = change(teams([9, 5, 4], [6, 3, 1]), {
      a0: { partyId: 'x' },
      a1: { partyId: 'x' },
      b0: { moved: true },
      b1: { bot: true },
    });

    expect(
      evenTeams(roster, { tolerance: 0 })
        .moves.map(({ playerId }) => playerId)
        .toSorted(),
    ).toEqual(['a2', 'b2']);
    expect(evenTeams(roster, { tolerance: 0, movedBefore: new Set(['a2']) }).moves).toEqual([]);
  });

  it('places players on no team first, parties together', () => {
    const homeless = [
      { playerId: 'x0', team: null, rating: 5, partyId: 'x' },
      { playerId: 'x1', team: null, rating: 5, partyId: 'x' },
      { playerId: 'y1', team: null, rating: 1, partyId: 'y' },
      { playerId: 'z', team: null, rating: 9 },
      { playerId: 'tv', team: null, rating: 9, spectator: true },
    ];
    const roster: Roster = {
      teams: 2,
      players: [...team(0, [4, 3]), ...team(1, [2], { partyId: 'y' }), ...homeless],
    };
    const { moves } = evenTeams(roster, { tolerance: 100 });

    expect(moves.find(({ playerId }) => playerId === 'y1')).toEqual({ playerId: 'y1', from: null, to: 1 });
    const [x0, x1] = ['x0', 'x1'].map((id) => moves.find(({ playerId }) => playerId === id)?.to);
    expect(x0).toBe(x1);
    expect(moves.map(({ playerId }) => playerId).toSorted()).toEqual(['x0', 'x1', 'y1', 'z']);
  });

  it('equals the best of all allowed swaps, with the fewest', () => {
    fc.assert(
      fc.property(rosters({ maxPlayers: 10 }), fc.constantFrom(0, 2, 30), (roster, tolerance) => {
        const settled = { ...roster, players: playing(roster) };
        const even = evenTeams(settled, { tolerance });
        const [first, second] = [movableFrom(settled, 0), movableFrom(settled, 1)];
        const [a, b] = sumsOf(settled);
        const least = Array.from({ length: Math.min(first.length, second.length) + 1 }, (_, swaps) =>
          Math.min(
            ...[...choices(first, swaps)].flatMap((going) =>
              [...choices(second, swaps)].map((coming) =>
                Math.abs(a! - b! - 2 * sum(going) + 2 * sum(coming)),
              ),
            ),
          ),
        );
        const enough = least.findIndex((difference) => difference <= tolerance + 1e-6);

        if (enough >= 0) expect(even.moves.length / 2).toBeLessThanOrEqual(enough);
        if (enough < 0) expect(even.after).toBeCloseTo(Math.min(...least), 5);
        expect(even.after).toBeGreaterThanOrEqual(Math.min(...least) - 1e-5);
        expect(spread(sumsOf(afterMoves(settled, even.moves)))).toBeCloseTo(even.after, 5);
      }),
      { numRuns: 100 },
    );
  });

  it('acts after a vote', () => {
    const uneven = teams([9, 5], [6, 3]);

    expect(findUneven(uneven, rule, false)).toBeNull();
    expect(findUneven(uneven, rule, true)).toMatchObject({ by: 'difference', from: 0, to: 1 });
    expect(findUneven(uneven, { ...rule, onVote: false }, false)).toMatchObject({ from: 0 });
    expect(findUneven(teams([50, 50], [50, 51]), rule, true)).toBeNull();
    // 2 % of a mean of 100.5.
    expect(toleranceOf(teams([50, 50], [50, 51]), rule)).toBeCloseTo(2.01);
  });

  it('requires two teams', () => {
    expect(() => evenTeams(teams([1], [2], [3]), { tolerance: 1 })).toThrow('the roster has 3');
    expect(() => evenTeams(teams([1], [2]), { tolerance: -1 })).toThrow('tolerance');
  });
});
