import { describe, expect, it } from 'vitest';
import { readStats } from './stats-file.js';

const header = 'match_id,date,player,side,won,pct_played,kills,deaths';
const fileOf = (...rows: string[]): string => [header, ...rows, ''].join('\n');

describe('readStats', () => {
  it('reads a player’s stats in a match', () => {
    expect(readStats(fileOf('m1,2024-01-01,ann,red,1,50,7,2.5'))).toEqual({
      refused: [],
      rows: [
        {
          line: 2,
          match: 'm1',
          at: Date.UTC(2024, 0, 1),
          player: 'ann',
          side: 'red',
          won: true,
          share: 0.5,
          stats: { kills: 7, deaths: 2.5 },
        },
      ],
    });
  });

  it('leaves out a stat that is empty: players of one role may lack it', () => {
    const { rows, refused } = readStats(
      fileOf('m1,2024-01-01,ann,red,1,50,,2', 'm1,2024-01-01,bob,red,1,50, ,'),
    );
    expect(refused).toEqual([]);
    expect(rows.map(({ stats }) => stats)).toEqual([{ deaths: 2 }, {}]);
  });

  it.each([
    ['oops', 'it has 1 column where the header has 8'],
    ['m1,soon,ann,red,1,50,7,2', 'date "soon" is not of the form 2004-07-13'],
    ['m1,2024-01-01,,red,1,50,7,2', 'a match, a player and a side need a name each'],
    ['m1,2024-01-01,ann,red,yes,50,7,2', 'won is "yes"; it must be 1 or 0'],
    ['m1,2024-01-01,ann,red,1,101,7,2', 'pct_played "101" is not a number from 0 to 100'],
    ['m1,2024-01-01,ann,red,1,,7,2', 'pct_played "" is not a number from -1000000000000 to 1000000000000'],
    [
      'm1,2024-01-01,ann,red,1,50,1e308,2',
      'kills "1e308" is not a number from -1000000000000 to 1000000000000',
    ],
    [
      'm1,2024-01-01,ann,red,1,50,7,many',
      'deaths "many" is not a number from -1000000000000 to 1000000000000',
    ],
    ['m0,2024-01-01,bob,red,1,50,7,2', 'player "bob" is already in this match in line 2'],
  ])('rejects %j by its line and continues', (row, reason) => {
    const good = ['m0,2024-01-01,bob,red,1,50,7,2', 'm0,2024-01-01,cid,blue,0,50,7,2'];
    const { rows, refused } = readStats(fileOf(good[0] ?? '', row, good[1] ?? ''));
    expect(refused).toEqual([{ line: 3, reason }]);
    expect(rows.map(({ player }) => player)).toEqual(['bob', 'cid']);
  });

  it.each(['', 'match_id,time,teams,ranks,context', 'match_id,date,player,side,won,pct_played'])(
    'rejects %j as no stats file',
    (text) => {
      expect(() => readStats(text)).toThrow(
        'is not a file of player stats: its first line must be match_id,date,',
      );
    },
  );

  it('requires a name for each stat', () => {
    expect(() => readStats(`${header},kills`)).toThrow('names a column "kills" twice or not at all');
    expect(() => readStats(`${header},`)).toThrow('names a column "" twice or not at all');
  });
});
