import fc from 'fast-check';
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
const excusedOf = (reported: readonly FinishedMatch[]): string[] =>
  outagesOf(reported, now).flatMap(({ matchIds }) => matchIds);
const excused = (reported: readonly FinishedMatch[]): number => excusedOf(reported).length;

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

  const onServers = (servers: readonly string[], over: Partial<FinishedMatch> = {}) =>
    servers.flatMap((serverId) => matches(1, 8, 4, { serverId, ...over }));
  const four = ['a', 'b', 'c', 'd'];

  it('of one server does not excuse the leavers of healthy ones, whether it is seen now or was before', () => {
    const bad = matches(18, 2, 1, { serverId: 'bad' });
    const healthy = Array.from({ length: 31 }, (_, i) =>
      matches(1, 2, i < 15 ? 1 : 0, { serverId: `h${i}` }),
    ).flat();
    const namesOf = (reported: readonly FinishedMatch[]) =>
      outagesOf(reported, now).map(({ scope, name, matchIds }) => [scope, name, matchIds.length]);
    expect(namesOf([...bad, ...healthy])).toEqual([['server', 'bad', 18]]);
    // Five minutes later, when the server has had good matches since.
    const before = bad.map((match) => ({ ...match, overAt: now - 300_000, excusedBy: 'server' as const }));
    const since = matches(18, 2, 0, { serverId: 'bad' });
    const leaver = matches(1, 2, 1, { serverId: 'other' });
    expect(excusedOf([...before, ...since, ...leaver])).not.toContain('other 1 0');
    expect(excused([...before, ...leaver])).toBe(18);
  });

  it('that was seen goes on: its later matches are excused by the same group', () => {
    const before = onServers(four, { overAt: now - 30_000, excusedBy: 'region' });
    const elsewhere = matches(20, 8, 0, { region: 'us' });
    const fresh = matches(1, 8, 4, { serverId: 'e' });
    expect(excusedOf([...before, ...elsewhere, ...fresh])).toContain('e 4 0');
    const narrower = before.map((match) => ({ ...match, excusedBy: 'server' as const }));
    expect(excused([...narrower, ...elsewhere, ...fresh])).toBe(0);
  });

  it.each<[string, readonly FinishedMatch[], number]>([
    ['a region, by four servers', onServers(four), 4],
    ['a region, by three servers', onServers(four.slice(1)), 0],
    [
      'a region, by a server of which not quite most matches name somebody',
      [
        ...matches(9, 8, 8, { serverId: 'x' }),
        ...matches(9, 8, 0, { serverId: 'x' }),
        ...matches(1, 8, 1, { serverId: 'y' }),
        ...matches(1, 8, 1, { serverId: 'z' }),
      ],
      0,
    ],
    [
      'all, by two regions of which one has most of the leavers',
      [...onServers(['a', 'b', 'c']), ...onServers(['d'], { region: 'us' })],
      0,
    ],
  ])('is not decided by one of its parts: %s', (_what, reported, expected) => {
    expect(excused(reported)).toBe(expected);
  });

  it('of one server, or of one region, never changes what happens elsewhere', () => {
    const match = fc.record({
      server: fc.integer({ min: 0, max: 5 }),
      region: fc.constantFrom('eu', 'us', 'asia'),
      agoMs: fc.integer({ min: 0, max: 700_000 }),
      parties: fc.integer({ min: 2, max: 10 }),
      blamedShare: fc.constantFrom(0, 0.3, 0.6, 1),
      excusedBy: fc.constantFrom(undefined, undefined, 'server' as const, 'region' as const, 'all' as const),
    });
    fc.assert(
      fc.property(
        fc.array(match, { maxLength: 30 }),
        fc.constantFrom('eu', 'moon'),
        fc.integer({ min: 4, max: 12 }),
        fc.integer({ min: 0, max: 599_999 }),
        (others, region, count, agoMs) => {
          const elsewhere = others.map(({ server, agoMs: ago, blamedShare, ...rest }, i): FinishedMatch => {
            const serverId = `${rest.region} ${server}`;
            const blamed = Math.floor(blamedShare * rest.parties);
            return { ...rest, matchId: `m${i}`, serverId, overAt: now - ago, blamed };
          });
          const outage = Array.from({ length: count }, (_, i) => {
            const serverId = region === 'moon' ? `moon${i}` : 'bad';
            return { ...matches(1, 8, 8, { serverId, region, overAt: now - agoMs })[0]!, matchId: `o${i}` };
          });
          const without = excusedOf(elsewhere);
          const among = new Set(excusedOf([...elsewhere, ...outage]));
          expect(elsewhere.map(({ matchId }) => matchId).filter((id) => among.has(id))).toEqual(
            elsewhere.map(({ matchId }) => matchId).filter((id) => without.includes(id)),
          );
          for (const { matchId } of outage) expect(among).toContain(matchId);
        },
      ),
    );
  });
});
