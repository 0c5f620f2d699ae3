import type { AspectWorth, MatchAspects, PlayerRating } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { aspectsOfMatch, countsOf, readCounts } from './counts.js';
import type { LiveMatch } from './live-session.store.js';

const worth = (over: Partial<AspectWorth> = {}): AspectWorth => ({ map: 0, sides: [], roles: [], ...over });

describe('what a player counts', () => {
  it.each<[string, AspectWorth | undefined, number | undefined, { rating: number; lead?: number }]>([
    ['is the rating where the pool knows nothing else', undefined, undefined, { rating: 20 }],
    ['is more on a good map', worth({ map: 2 }), undefined, { rating: 22 }],
    ['is more in a good role', worth({ roles: [1, 3] }), 1, { rating: 23 }],
    ['is the same without a role', worth({ roles: [1, 3] }), -1, { rating: 20 }],
    ['on two sides is their mean, and a lead', worth({ sides: [5, -1] }), undefined, { rating: 22, lead: 3 }],
    ['on equal sides is that', worth({ sides: [4, 4] }), undefined, { rating: 24 }],
    ['on three sides is their mean', worth({ sides: [3, 0, 0] }), undefined, { rating: 21 }],
  ])('%s', (_, known, role, counts) => {
    expect(countsOf(20, known, role)).toEqual(counts);
  });
});

const match: LiveMatch = {
  matchId: 'm',
  pool: 'ctf',
  rules: { teams: 2, teamSize: 3, sides: ['alien', 'human'], roles: { medic: 1, scout: 1 } },
  map: 'dust',
  players: [
    { playerId: 'a', team: 0, ticketId: 't', mu: 12, role: 'scout' },
    { playerId: 'b', team: 1, ticketId: 't', mu: 15, role: null },
  ],
};

describe('the aspects of a running match', () => {
  it('are those of its queue and its map', () => {
    expect(aspectsOfMatch(match)).toEqual({
      teamSize: 3,
      map: 'dust',
      sides: ['alien', 'human'],
      roles: ['medic', 'scout'],
    });
    expect(aspectsOfMatch({ ...match, map: null, rules: { teams: 2, teamSize: 3 } })).toBeUndefined();
    expect(aspectsOfMatch({ ...match, map: null, rules: null })).toBeUndefined();
  });

  it('count with the role that the match has for a player, and at the given level', async () => {
    const asked: [string, readonly string[], MatchAspects | undefined][] = [];
    const read = (pool: string, ids: readonly string[], aspects?: MatchAspects): Promise<PlayerRating[]> => {
      asked.push([pool, ids, aspects]);
      const known = worth({ map: 1, sides: [2, 0], roles: [10, 20] });
      return Promise.resolve(
        ids.map((playerId) => ({ playerId, mu: 30, sigma: 1, matches: 9, worth: known })),
      );
    };
    const counts = await readCounts({ read }, match, ['a', 'b', 'new'], new Map([['a', 12]]));

    expect(asked).toEqual([['ctf', ['a', 'b', 'new'], aspectsOfMatch(match)]]);
    expect(Object.fromEntries(counts)).toEqual({
      a: { rating: 12 + 1 + 1 + 20, lead: 1 },
      b: { rating: 30 + 1 + 1, lead: 1 },
      new: { rating: 30 + 1 + 1, lead: 1 },
    });
  });
});
