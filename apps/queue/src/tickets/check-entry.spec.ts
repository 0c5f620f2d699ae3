import { EntryRefused, type EntryRules, type PlayerRating } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { checkEntry } from './check-entry.js';

const now = 1_800_000_000_000;
const rating = (playerId: string, matches: number): PlayerRating => ({ playerId, mu: 25, sigma: 8, matches });
const check = (
  entry: EntryRules | undefined,
  ...[ratings, claims = []]: [PlayerRating[], [string, object][]?]
) => checkEntry({ name: 'ranked', ...(entry ? { entry } : {}) }, ratings, new Map(claims), now);

describe('R20 entry', () => {
  it('is free where the rules ask for nothing', () => {
    expect(() => check(undefined, [rating('ann', 0)])).not.toThrow();
  });

  it('is for tickets all of whose players have what is asked', () => {
    const both: [string, object][] = [
      ['ann', { verified: true }],
      ['bob', { verified: true }],
    ];
    const ratings = [rating('ann', 5), rating('bob', 9)];
    expect(() => check({ verified: true, minMatches: 5 }, ratings, both)).not.toThrow();
    expect(() => check({ verified: true, minMatches: 5 }, ratings, both.slice(0, 1))).toThrow(EntryRefused);
  });

  it('says what is missing and for whom, to people and to programs, and not what they have', () => {
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
