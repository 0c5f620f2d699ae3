import { ReportResult } from '@muster/contracts';
import { describe, expect, it } from 'vitest';
import { readMatches } from '../match-file/match-file.js';
import { situationsOf } from '../match-file/situations.js';
import { reportsOf, type Reports } from './reports.js';

function reportsFrom(rows: readonly string[], situations = true): Reports {
  const text = ['match_id,time,teams,ranks,context,shares', ...rows].join('\n');
  const { matches } = readMatches(text, 'ctf');
  return reportsOf(matches, situationsOf(matches, { situations }));
}
const venues = (venue: string, from: number): string[] =>
  Array.from(
    { length: 6 },
    (_, i) => `v${from + i},2024-01-01,a;b,${i % 2 === 0 ? '1;2' : '2;1'},${venue}:1,`,
  );

describe('reportsOf', () => {
  it('has the share of each player, except unknown ones', () => {
    const { matches } = reportsFrom(['m1,2024-01-01,a|b;c,1;2,,0.5|0;1', 'm2,2024-01-02,a;b,1;2,,0;0']);
    expect(matches.map(({ body }) => body.shares)).toEqual([{ a: 0.5, c: 1 }, undefined]);
  });

  it('rejects only the row with malformed shares', () => {
    const { matches, refused } = reportsFrom(['m1,2024-01-01,a;b,1;2,,0.5', 'm2,2024-01-02,a;b,1;2,,']);
    expect(matches.map(({ body }) => body.eventId)).toEqual(['m2']);
    expect(refused).toEqual([{ line: 2, reason: 'players and shares differ in number: 2 and 1' }]);
  });

  it('has sides and venue, unless disabled', () => {
    const rows = [...venues('Oval', 0), ...venues('x'.repeat(70), 6)];
    const [oval, , , , , , long] = reportsFrom(rows).matches.map(({ body }) => body);
    expect(oval).toMatchObject({ sides: ['first', 'second'], venue: 'Oval' });
    // Longer than the maximum of a label.
    expect(long).toMatchObject({ sides: ['first', 'second'] });
    expect(long).not.toHaveProperty('venue');
    expect(reportsFrom(rows, false).matches[0]?.body).not.toHaveProperty('sides');
  });

  it('has places in a free-for-all of three or more', () => {
    const [race, duel] = reportsFrom(['r1,2024-01-01,a;b;c,2;1;2,,', 'd1,2024-01-02,a;b,1;2,,']).matches;
    expect(race?.body.facts).toEqual({ a: { place: 2 }, b: { place: 1 }, c: { place: 2 } });
    expect(duel?.body).not.toHaveProperty('facts');
  });

  it('is valid for the API', () => {
    const rows = [...venues('Oval', 0), ...venues('Park', 6), 'r1,2024-01-01,a;b;c,2;1;2,,0.1;0.2;0'];
    for (const { body } of reportsFrom(rows).matches) expect(ReportResult.safeParse(body).success).toBe(true);
  });
});
