import { EntryRefused, type EntryRules, type PlayerRating } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { checkEntry } from './check-request.js';

const now = 1_800_000_000_000;
const rating = (playerId: string, matches: number): PlayerRating => ({ playerId, mu: 25, sigma: 8, matches });
const check = (
  entry: EntryRules | undefined,
  ...[ratings, claims = []]: [PlayerRating[], [string, object][]?]
) => {
  const claimsOf = new Map(claims);
  const players = ratings.map(({ playerId }) => ({ playerId, claims: claimsOf.get(playerId) ?? {} }));
  checkEntry({ name: 'ranked', ...(entry ? { entry } : {}) }, ratings, players, now);
};

describe('R20 entry requirements', () => {
  it('are met where the rules have none', () => {
    expect(() => check(undefined, [rating('ann', 0)])).not.toThrow();
  });

  it('must be met by all players of a ticket', () => {
    const both: [string, object][] = [
      ['ann', { verified: true }],
      ['bob', { verified: true }],
    ];
    const ratings = [rating('ann', 5), rating('bob', 9)];
    expect(() => check({ verified: true, minMatches: 5 }, ratings, both)).not.toThrow();
    expect(() => check({ verified: true, minMatches: 5 }, ratings, both.slice(0, 1))).toThrow(EntryRefused);
  });

  it('report what is missing and for whom, as text and as codes, and not what players have', () => {
    try {
      check(
        { verified: true, minMatches: 5 },
        [rating('ann', 4), rating('bob', 7)],
        [['ann', { verified: true }]],
      );
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(EntryRefused);
      expect(error).toMatchObject({
        message:
          'Not all of you may queue in ranked yet: you must have 5 rated matches in the queue’s pool; bob must have a verified account.',
        facts: {
          missing: [
            { playerId: 'ann', requirement: 'minMatches', needed: 5 },
            { playerId: 'bob', requirement: 'verified', needed: null },
          ],
        },
      });
    }
  });
});
