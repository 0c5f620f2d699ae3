import type { RatingPool, StoredRating } from '@muster/domain';
import { defaultPoolRules, poolModelOf, uncalibrated } from '@muster/skill';
import { describe, expect, it } from 'vitest';
import { Leaderboards } from './leaderboards.js';

const dayMs = 86_400_000;
const lastMatch = Date.UTC(2026, 0, 1);
const rules = { ...defaultPoolRules, shadowMatches: 0, staleAfterDays: 30 };
const pool: RatingPool = {
  name: 'duel',
  gameMode: null,
  modifiers: [],
  version: 1,
  generation: 1,
  rules,
  calibration: uncalibrated,
};
const { model } = poolModelOf(rules);
const old: StoredRating = {
  state: model.write(model.initial()),
  matches: 9,
  division: null,
  lastRatedAt: lastMatch,
};

/** An empty board, 40 days after the last match of `old`. */
const boards = new Leaderboards(
  { read: () => Promise.resolve({ season: 0, players: 0, places: [] }) },
  {
    pool: () => Promise.resolve(pool),
    of: () => Promise.resolve({ pool, ratings: new Map([['old', old]]) }),
  },
  { of: () => Promise.resolve(new Map()) },
  { now: () => lastMatch + 40 * dayMs },
  { wake: () => undefined, pause: () => Promise.resolve() },
);

describe('a player who has not played for too long', () => {
  it('learns since when they are not ranked, by a date that does not pass for that of the last match', async () => {
    const { notRanked } = await boards.read('duel', { around: 'old', limit: 20 }, { playerId: 'old' });
    expect(notRanked).toBe(
      'old has not been ranked since 2026-01-31, after too long without a match; the next match brings them back.',
    );
  });
});
