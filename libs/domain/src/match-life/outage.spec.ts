import { describe, expect, it } from 'vitest';
import { outagesOf, type FinishedMatch } from './outage.js';

const now = 1_700_000_000_000;

/** Matches of so many parties, each with so many blamed ones. */
function matches(count: number, parties: number, blamed: number, over: Partial<FinishedMatch> = {}) {
  return Array.from({ length: count }, (_, i): FinishedMatch => {
    const matchId = `${over.serverId ?? 's'} ${blamed} ${i}`;
    return { matchId, serverId: 's', region: 'eu', overAt: now - 1_000, parties, blamed, ...over };
  });
}
const excused = (reported: readonly FinishedMatch[]): number =>
  outagesOf(reported, now).flatMap(({ matchIds }) => matchIds).length;

describe('an outage of several matches', () => {
  it.each([
    ['two quitters on a quiet server', matches(2, 10, 1), 0],
    ['two matches, however many are blamed', matches(2, 10, 10), 0],
    ['three matches with one quitter each', matches(3, 10, 1), 0],
    ['most matches with one quitter of ten, all the time', matches(1_000, 10, 1), 0],
    ['13 of 30 parties', [...matches(2, 10, 4), ...matches(1, 10, 5)], 0],
    ['14 of 30 parties', [...matches(2, 10, 5), ...matches(1, 10, 4)], 3],
    ['most matches with two quitters of ten, all the time', matches(1_000, 10, 2), 0],
    ['one party of each of 11 duels', matches(11, 2, 1), 0],
    ['one party of each of 12 duels', matches(12, 2, 1), 12],
    ['half of the matches', [...matches(5, 10, 8), ...matches(5, 10, 0)], 0],
    ['more than half of the matches', [...matches(6, 10, 8), ...matches(5, 10, 0)], 6],
    ['a rule that penalises everybody', matches(9, 10, 9, { massBlameShare: 1 }), 0],
    [
      'a rule that wants more matches',
      [...matches(6, 10, 8, { massBlameShare: 0.6 }), ...matches(5, 10, 0)],
      0,
    ],
    ['matches that were over too long ago', matches(9, 10, 9, { overAt: now - 600_000 }), 0],
  ])('%s', (_what, reported, expected) => {
    expect(excused(reported)).toBe(expected);
  });

  it('names the narrowest group and its counts, and excuses a match once', () => {
    const bad = matches(4, 8, 4, { serverId: 'bad' });
    const elsewhere = matches(20, 8, 0, { serverId: 'good', region: 'us' });
    const [outage, ...others] = outagesOf([...bad, ...elsewhere], now);
    expect(others).toEqual([]);
    expect(outage).toMatchObject({
      scope: 'server',
      name: 'bad',
      matchIds: bad.map(({ matchId }) => matchId),
    });
    const counts = { named: 4, matches: 4, blamed: 16, parties: 32, minutes: 1 };
    expect(outage?.why).toMatchObject({
      code: 'penalty.outage',
      params: { scope: 'server', name: '', ...counts },
    });
  });

  it('of a region, or of a minute, is seen where each server has too few matches', () => {
    const spread = (region: (i: number) => string) =>
      [1, 2, 3, 4].flatMap((i) => matches(1, 8, 4, { serverId: `s${i}`, region: region(i) }));
    const scopes = (reported: readonly FinishedMatch[]) =>
      outagesOf(reported, now).map(({ scope, name, matchIds }) => [scope, name, matchIds.length]);
    expect(scopes([...spread(() => 'eu'), ...matches(20, 8, 0, { region: 'us' })])).toEqual([
      ['region', 'eu', 4],
    ]);
    const earlier = matches(20, 8, 0, { overAt: now - 120_000 });
    expect(scopes([...spread((i) => `r${i}`), ...earlier])).toEqual([['all', '', 4]]);
  });
});
