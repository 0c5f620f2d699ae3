import { describe, expect, it } from 'vitest';
import { change, team, teams } from '../../test-support/rosters.js';
import { powers, teamPowers } from './powers.js';

const by = (list: ReturnType<typeof powers>, key: 'sortedPower' | 'sortedPointsPower' | 'power'): object =>
  Object.fromEntries(list.map((each) => [each.playerId, each[key]]));

describe('powers of Sector’s Edge (L6)', () => {
  it('ranks by rating, lowest first, from 5 on, over both teams', () => {
    const list = powers(teams([24, 3], [10, 1]), '1.2.1');

    expect(by(list, 'sortedPower')).toEqual({ a0: 8, a1: 6, b0: 7, b1: 5 });
    expect(by(list, 'power')).toEqual(by(list, 'sortedPower'));
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

    expect(by(powers(roster, '1.2.2'), 'sortedPointsPower')).toEqual(expected);
  });

  it('takes the mean of both from 1.2.2 on, so that a team that crushes the other grows', () => {
    const roster = change(teams([1, 2], [3, 4]), { a0: { points: 10 }, a1: { points: 20 } });
    const before = powers(roster, '1.2.1');
    const now = powers(roster, '1.2.2');

    expect(by(now, 'power')).toEqual({ a0: 5, a1: 6, b0: 6, b1: 6.5 });
    expect(teamPowers(roster, before)).toEqual([11, 15]);
    expect(teamPowers(roster, now)).toEqual([11, 12.5]);
  });

  it('gives equals one rank, whatever their names', () => {
    const roster = { teams: 2, players: [...team(1, [7, 7]), ...team(0, [7, 3])] };

    expect(by(powers(roster, '1.2.1'), 'sortedPower')).toEqual({ a0: 7, a1: 5, b0: 7, b1: 7 });
  });

  it('does not prefer a team of equals by their names', () => {
    const five = [25, 25, 25, 25, 25];

    expect(teamPowers(teams(five, five), powers(teams(five, five), '1.2.1'))).toEqual([47.5, 47.5]);
  });

  it('includes presence: three of the best against eight are not even', () => {
    const roster = teams([24, 23, 22], [8, 7, 6, 5, 4, 3, 2, 1]);
    const [three, eight] = teamPowers(roster, powers(roster, '1.2.1'));

    // Without the 5: 27 against 28.
    expect([three, eight]).toEqual([42, 68]);
  });

  it('leaves out spectators', () => {
    const roster = change(teams([1, 2], [3]), { a1: { spectator: true }, b0: { team: null } });

    expect(by(powers(roster, '1.2.1'), 'sortedPower')).toEqual({ a0: 5 });
  });
});
