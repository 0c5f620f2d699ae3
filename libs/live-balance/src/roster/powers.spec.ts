import { describe, expect, it } from 'vitest';
import { change, team, teams } from '../../test-support/rosters.js';
import { powers, type PowerVersion } from './powers.js';
import { byTeam, type Roster } from './roster.js';

const of = (roster: Roster, version: PowerVersion): object => Object.fromEntries(powers(roster, version));
const byTeams = (roster: Roster, version: PowerVersion): number[] => {
  const powerOf = powers(roster, version);
  return byTeam(roster, ({ playerId }) => powerOf.get(playerId)!);
};

describe('powers of Sector’s Edge (L6)', () => {
  it('ranks by rating, lowest first, from 5 on, over both teams', () => {
    expect(of(teams([24, 3], [10, 1]), '1.2.1')).toEqual({ a0: 8, a1: 6, b0: 7, b1: 5 });
  });

  it.each([
    ['nobody has points', {}, { a0: 5, a1: 5, b0: 5, b1: 5 }],
    ['the lowest scorer has 5, like those with none', { a0: 3 }, { a0: 5, a1: 5, b0: 5, b1: 5 }],
    ['the next has 6', { a0: 3, b0: 9 }, { a0: 5, a1: 5, b0: 6, b1: 5 }],
    ['everybody scores', { a0: 3, a1: 1, b0: 9, b1: 7 }, { a0: 6, a1: 5, b0: 8, b1: 7 }],
    ['equals share their rank', { a0: 4, a1: 4, b0: 4, b1: 0 }, { a0: 6, a1: 6, b0: 6, b1: 5 }],
    ['two share a place above one', { a0: 1, a1: 4, b0: 4, b1: 9 }, { a0: 5, a1: 6.5, b0: 6.5, b1: 8 }],
    ['negative points count as none', { a0: -4, b0: 1, b1: 2 }, { a0: 5, a1: 5, b0: 5, b1: 6 }],
  ])('by points: %s', (_, points, expected) => {
    const roster = change(
      teams([1, 2], [3, 4]),
      Object.fromEntries(Object.entries(points).map(([id, value]) => [id, { points: value }])),
    );

    // The mean of both from 1.2.2 on.
    const byRating = powers(roster, '1.2.1');
    const byPoints = [...powers(roster, '1.2.2')].map(([id, power]) => [id, 2 * power - byRating.get(id)!]);
    expect(Object.fromEntries(byPoints)).toEqual(expected);
  });

  it('takes the mean of both from 1.2.2 on, so that a team that crushes the other grows', () => {
    const roster = change(teams([1, 2], [3, 4]), { a0: { points: 10 }, a1: { points: 20 } });

    expect(of(roster, '1.2.2')).toEqual({ a0: 5, a1: 6, b0: 6, b1: 6.5 });
    expect(byTeams(roster, '1.2.1')).toEqual([11, 15]);
    expect(byTeams(roster, '1.2.2')).toEqual([11, 12.5]);
  });

  it('gives equals one rank, whatever their names', () => {
    const roster = { teams: 2, players: [...team(1, [7, 7]), ...team(0, [7, 3])] };

    expect(of(roster, '1.2.1')).toEqual({ a0: 7, a1: 5, b0: 7, b1: 7 });
  });

  it('does not prefer a team of equals by their names', () => {
    const five = [25, 25, 25, 25, 25];

    expect(byTeams(teams(five, five), '1.2.1')).toEqual([47.5, 47.5]);
  });

  it('includes presence: three of the best against eight are not even', () => {
    const roster = teams([24, 23, 22], [8, 7, 6, 5, 4, 3, 2, 1]);

    // Without the 5: 27 against 28.
    expect(byTeams(roster, '1.2.1')).toEqual([42, 68]);
  });

  it('leaves out spectators', () => {
    const roster = change(teams([1, 2], [3]), { a1: { spectator: true }, b0: { team: null } });

    expect(of(roster, '1.2.1')).toEqual({ a0: 5 });
  });
});
