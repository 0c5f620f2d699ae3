import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMatches } from './match-file.js';

const header = 'match_id,time,teams,ranks,context';
const good = 'm1,2024-01-01T10:00:00,a|b;c|d,1;2,Slayer:3-1';
const fileOf = (...rows: string[]): string => [header, ...rows, ''].join('\n');

describe('readMatches', () => {
  it('reads a match in the form of the results API', () => {
    expect(readMatches(fileOf(good), 'halo')).toEqual({
      rows: 1,
      refused: [],
      sorted: false,
      matches: [
        {
          line: 2,
          body: {
            eventId: 'm1',
            pool: 'halo',
            playedAt: Date.UTC(2024, 0, 1, 10),
            teams: [
              ['a', 'b'],
              ['c', 'd'],
            ],
            ranks: [1, 2],
          },
          context: 'Slayer:3-1',
          shares: '',
        },
      ],
    });
  });

  it.each([
    ['a column too few', 'm2,2024-01-01,a;b,1;2', 'it has 4 columns where the header has 5'],
    ['a column too many', 'm2,2024-01-01,a;b,1;2,x,y', 'it has 6 columns where the header has 5'],
    ['a word', 'oops', 'it has 1 column where the header has 5'],
    ['an empty team', 'm2,2024-01-01,a;;b,1;2;3,x', 'team 2 is empty'],
    ['no teams', 'm2,2024-01-01,,1;2,x', 'it has one team only; teams are separated by ;'],
    ['one team', 'm2,2024-01-01,a|b,1,x', 'it has one team only; teams are separated by ;'],
    ['a player without a name', 'm2,2024-01-01,a|;b,1;2,x', 'team 1 has a player without a name'],
    ['a player twice in a team', 'm2,2024-01-01,a|a;b,1;2,x', 'player "a" is in the match twice'],
    ['a player in both teams', 'm2,2024-01-01,a|b;c|a,1;2,x', 'player "a" is in the match twice'],
    ['a rank too few', 'm2,2024-01-01,a;b,1,x', 'teams and ranks differ in number: 2 and 1'],
    ['a rank too many', 'm2,2024-01-01,a;b,1;2;3,x', 'teams and ranks differ in number: 2 and 3'],
    ['no rank', 'm2,2024-01-01,a;b,1;,x', 'rank "" is not a whole number from 1'],
    ['a rank of 0', 'm2,2024-01-01,a;b,0;1,x', 'rank "0" is not a whole number from 1'],
    ['a rank below 0', 'm2,2024-01-01,a;b,-1;1,x', 'rank "-1" is not a whole number from 1'],
    ['half a rank', 'm2,2024-01-01,a;b,1;1.5,x', 'rank "1.5" is not a whole number from 1'],
    ['a rank as text', 'm2,2024-01-01,a;b,first;2,x', 'rank "first" is not a whole number from 1'],
    [
      'no time',
      'm2,,a;b,1;2,x',
      'time "" is not of the form 2004-07-13T17:02:13 (UTC), 2004-07-13, 20040713 or 2004',
    ],
    [
      'a nonexistent day',
      'm2,2023-02-29,a;b,1;2,x',
      'time "2023-02-29" is not of the form 2004-07-13T17:02:13 (UTC), 2004-07-13, 20040713 or 2004',
    ],
    ['an unclosed quote', 'm2,2024-01-01,"a;b,1;2,x', 'a quoted field does not end on its line'],
    ['text after a quote', 'm2,2024-01-01,a;b,1;2,"x"y', 'field 5 continues after its closing quote'],
  ])('rejects %s by its line and continues', (_what, row, reason) => {
    const { matches, refused, rows } = readMatches(
      fileOf(good, row, 'm3,2024-01-02,"a;b",1;1,"x, ""y"""'),
      'halo',
    );
    expect(refused).toEqual([{ line: 3, reason }]);
    expect(matches.map(({ line, body }) => [line, body.eventId])).toEqual([
      [2, 'm1'],
      [4, 'm3'],
    ]);
    expect(rows).toBe(3);
  });

  it.each([
    ['match_id', 'm 2,2024-01-01,a;b,1;2,x', /^match_id "m 2" must be an id/],
    ['empty match_id', ',2024-01-01,a;b,1;2,x', /^match_id "" must be an id/],
    ['player', 'm2,2024-01-01,a;Zoë,1;2,x', /^player "Zoë" must start with a letter/],
    ['long player', `m2,2024-01-01,a;${'b'.repeat(99)},1;2,x`, /^player "b{60}…" must start with/],
    ['rank', 'm2,2024-01-01,a;b,1;1001,x', /^ranks\.1: /],
  ])('validates a %s by the contract', (_what, row, reason) => {
    const { refused } = readMatches(fileOf(row), 'halo');
    expect(refused).toHaveLength(1);
    expect(refused[0]?.reason).toMatch(reason);
  });

  it('accepts a byte order mark, Windows line ends, empty lines and shares', () => {
    const text = `\uFEFF${header},shares\r\n\r\nm1,2024-01-01,a;b,1;2,x,0.5|1\r\n\r\n`;
    expect(readMatches(text, 'halo').matches).toMatchObject([
      { line: 3, body: { eventId: 'm1' }, shares: '0.5|1' },
    ]);
  });

  it('rejects a row of five columns if the header names shares', () => {
    expect(readMatches(`${header},shares\nm1,2024-01-01,a;b,1;2,x`, 'halo').refused).toHaveLength(1);
  });

  it('sorts by time, stably', () => {
    const rows = ['m1,2024-01-02,a;b,1;2,', 'm2,2024-01-01,a;b,1;2,', 'm3,2024-01-01,a;b,1;2,'];
    const { matches, sorted } = readMatches(fileOf(...rows), 'halo');
    expect(matches.map(({ line }) => line)).toEqual([3, 4, 2]);
    expect(sorted).toBe(true);
  });

  it('rejects a match in the future, by its line', () => {
    const latest = Date.UTC(2026, 0, 1);
    const text = fileOf(
      good,
      'm2,2538-01-01,a;b,1;2,',
      'm3,2026-01-01T00:00:00.001,a;b,1;2,',
      'm4,2026-01-01,a;b,1;2,',
    );
    const { refused, matches } = readMatches(text, 'halo', Infinity, latest);
    const why = 'is in the future; the latest time is 2026-01-01T00:00:00.000Z';
    expect(refused).toEqual([
      { line: 3, reason: `time "2538-01-01" ${why}` },
      { line: 4, reason: `time "2026-01-01T00:00:00.001" ${why}` },
    ]);
    expect(matches.map(({ body }) => body.eventId)).toEqual(['m1', 'm4']);
  });

  it('reads only the first rows with a limit', () => {
    const { rows, refused, matches } = readMatches(fileOf(good, 'oops', 'oops'), 'halo', 2);
    expect([rows, refused.length, matches.length]).toEqual([2, 1, 1]);
  });

  it.each(['', 'a,b,c\n1,2,3', good, '\u0000\u0001'])('rejects %j as no match file', (text) => {
    expect(() => readMatches(text, 'halo')).toThrow(
      'is not a file of recorded matches: its first line must be match_id,time',
    );
  });

  it('reads back all teams, ranks and times, with any context', () => {
    const id = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_.:@-]{0,20}$/);
    const match = fc
      .record({
        eventId: id,
        playedAt: fc.date({
          min: new Date('0001-01-01'),
          max: new Date('9999-12-31T23:59:59Z'),
          noInvalidDate: true,
        }),
        players: fc.uniqueArray(id, { minLength: 2, maxLength: 12 }),
        teams: fc.integer({ min: 2, max: 12 }),
        ranks: fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 12, maxLength: 12 }),
        context: fc.string({ unit: fc.constantFrom('x', '"', ',', ';', ' ') }),
      })
      .map(({ players, teams, ranks, playedAt, ...rest }) => {
        const count = Math.min(teams, players.length);
        const split = Array.from({ length: count }, (_, t) =>
          players.filter((_player, i) => i % count === t),
        );
        return { ...rest, playedAt: playedAt.getTime(), teams: split, ranks: ranks.slice(0, count) };
      });
    fc.assert(
      fc.property(fc.array(match, { maxLength: 10 }), (matches) => {
        const ordered = matches.toSorted((a, b) => a.playedAt - b.playedAt);
        const rows = ordered.map((m) =>
          [
            m.eventId,
            new Date(m.playedAt).toISOString().slice(0, -1),
            m.teams.map((team) => team.join('|')).join(';'),
            m.ranks.join(';'),
            `"${m.context.replaceAll('"', '""')}"`,
          ].join(','),
        );
        const read = readMatches(fileOf(...rows), 'halo');
        expect(read.refused).toEqual([]);
        expect(read.matches.map(({ body }) => body)).toEqual(
          ordered.map(({ eventId, playedAt, teams, ranks }) => ({
            eventId,
            pool: 'halo',
            playedAt,
            teams,
            ranks,
          })),
        );
      }),
    );
  });
});
