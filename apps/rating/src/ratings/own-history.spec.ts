import type { RatingHistoryRow, Season } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { ownHistory } from './own-history.js';

const divisions = [
  { name: 'bronze', from: null },
  { name: 'silver', from: 25 },
  { name: 'gold', from: 30 },
];
const visible = { divisions, margin: 1, rules: { shadowMatches: 0 } };

/** Rows of matches, oldest first by the means after them, from 24 on. */
function rowsOf(...means: number[]): RatingHistoryRow[] {
  return means
    .map((mu, i): RatingHistoryRow => ({
      sequence: 10 * (i + 1),
      kind: 'match',
      eventId: `mat_${i}`,
      at: i,
      by: null,
      reason: null,
      version: 1,
      before: { mu: means[i - 1] ?? 24, sigma: 8 },
      after: { mu, sigma: 8 },
    }))
    .toReversed();
}
const afters = (changes: ReturnType<typeof ownHistory>) => changes.map(({ after }) => after).toReversed();

describe('a player’s own rating history', () => {
  it('shows divisions with their margin, and no number, author or reason', () => {
    const changes = ownHistory(rowsOf(25.5, 26.1, 24.5, 31.5), 4, visible, []);
    expect(afters(changes)).toEqual(['bronze', 'silver', 'silver', 'gold']);
    expect(changes[0]).toEqual({ at: 3, kind: 'match', matchId: 'mat_3', before: 'silver', after: 'gold' });
  });

  it('hides the first matches, also later', () => {
    const rows = rowsOf(31.5, 31.5, 31.5, 31.5);
    const shadow = { ...visible, rules: { shadowMatches: 3 } };
    expect(ownHistory(rows, 4, shadow, []).map(({ before, after }) => [before, after])).toEqual([
      ['gold', 'gold'],
      [null, 'gold'],
      [null, null],
      [null, null],
    ]);
    // Of a player with more matches than were read, all are shown.
    expect(afters(ownHistory(rows, 50, shadow, []))).not.toContain(null);
  });

  it('hides the placement matches of a season', () => {
    const season = { number: 1, sequence: 25, startedAt: 1, placementMatches: 2 } as Season;
    const changes = ownHistory(rowsOf(31.5, 31.5, 31.5, 31.5, 31.5), 5, visible, [season]);
    expect(afters(changes)).toEqual(['gold', 'gold', null, 'gold', 'gold']);
  });

  it('leaves out signals of integrity, and what operators wrote', () => {
    const [last, first] = rowsOf(31.5, 31.5);
    if (!last || !first) throw new Error('two rows');
    const signal: RatingHistoryRow = { ...last, sequence: 15, kind: 'signal', reason: 'suspected' };
    const set: RatingHistoryRow = { ...last, kind: 'set', eventId: 'evt', by: 'operator', reason: 'sold' };
    const changes = ownHistory([set, signal, first], 1, visible, []);
    expect(changes.map(({ kind, matchId }) => [kind, matchId])).toEqual([
      ['set', null],
      ['match', 'mat_0'],
    ]);
    expect(JSON.stringify(changes)).not.toMatch(/sold|suspected|operator/);
  });
});
