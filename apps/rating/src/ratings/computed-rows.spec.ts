import type { RatingHistoryRow } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { withComputedChanges } from './computed-rows.js';

const day = 86_400_000;
const row = (sequence: number, at: number, before: object | null, after: object): RatingHistoryRow => ({
  sequence,
  kind: 'match',
  eventId: `mat_${sequence}`,
  at,
  by: null,
  reason: null,
  version: 1,
  before: before as RatingHistoryRow['before'],
  after: after as RatingHistoryRow['after'],
});

describe('a history', () => {
  it('has a row where time alone changed a rating', () => {
    const first = row(1, 0, { mu: 25, sigma: 8 }, { mu: 27, sigma: 7 });
    const next = row(2, 45.5 * day, { mu: 27, sigma: 7.5 }, { mu: 28, sigma: 7 });
    const rows = withComputedChanges([next, first]);
    expect(rows.map(({ sequence, kind, at }) => [sequence, kind, at])).toEqual([
      [2, 'match', next.at],
      [2, 'decay', next.at],
      [1, 'match', 0],
    ]);
    expect(rows[1]?.reason).toBe('45 days without a match.');
    expect(JSON.stringify([rows[1]?.before, rows[1]?.after])).toBe(
      JSON.stringify([first.after, next.before]),
    );
  });

  it('has a row where a season began', () => {
    const first = row(1, 0, { mu: 25, sigma: 8 }, { mu: 27, sigma: 7 });
    const next = row(9, 45 * day, { mu: 26, sigma: 7.5 }, { mu: 28, sigma: 7 });
    const season = { keep: 0.5, uncertainty: 0.9, placementMatches: 0 };
    const seasons = [
      { ...season, number: 1, name: 'Winter', startedAt: 10 * day, sequence: 4 },
      { ...season, number: 2, name: 'Spring', startedAt: 20 * day, sequence: 6 },
      { ...season, number: 3, name: 'Summer', startedAt: 50 * day, sequence: 12 },
    ];
    const rows = withComputedChanges([next, first], seasons);
    expect(rows.map(({ sequence, kind, at, eventId }) => [sequence, kind, at, eventId])).toEqual([
      [9, 'match', next.at, 'mat_9'],
      [6, 'season', 20 * day, 'season-2'],
      [1, 'match', 0, 'mat_1'],
    ]);
    expect(rows[1]?.reason).toBe('Season 2 began: Spring.');
  });

  it('stays as it is without such changes', () => {
    const rows = [
      row(2, 45 * day, { mu: 27, sigma: 7, games: 1 }, { mu: 28, sigma: 7, games: 2 }),
      row(1, 0, { mu: 25, sigma: 8 }, { mu: 27, sigma: 7 }),
    ];
    expect(withComputedChanges(rows)).toEqual(rows);
    expect(withComputedChanges([])).toEqual([]);
    expect(withComputedChanges([row(2, 0, null, { mu: 1 }), row(1, 0, null, { mu: 2 })])).toHaveLength(2);
  });
});
