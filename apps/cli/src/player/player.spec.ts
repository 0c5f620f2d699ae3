import type { RatingView } from '@muster/contracts';
import { describe, expect, it } from 'vitest';
import { inkFor } from '@muster/command-line/terminal/ink';
import { changedText } from './change.js';
import { ratingText } from './get.js';
import { beliefText, changeWords, historyLines, type Change } from './history.js';
import { voidedText } from './match.js';

const plainInk = inkFor({}, {});

const rating: RatingView = {
  pool: 'ctf',
  playerId: 'alice',
  mu: 26.12,
  sigma: 7.5,
  display: 3.62,
  matches: 12,
  division: { name: 'Platinum', step: 4, of: 7 },
  shadow: { hidden: true, matchesLeft: 38 },
  stale: true,
  lastRatedAt: Date.UTC(2026, 0, 2, 10),
};
const change = (more: Partial<Change>): Change => ({
  sequence: 1,
  kind: 'match',
  eventId: 'mat_12345678',
  at: Date.UTC(2026, 0, 2, 10),
  by: null,
  reason: null,
  version: 1,
  before: { mu: 25, sigma: 8.3333 },
  after: { mu: 26.12, sigma: 7.5 },
  ...more,
});

describe('historyLines', () => {
  it('shows time, new rating, actor and reason', () => {
    const lines = historyLines([
      change({ kind: 'set', eventId: 'set_1', by: 'operator', reason: 'plays in the league' }),
      change({}),
    ]);
    expect(lines).toEqual([
      '2026-01-02 10:00  25.00 ± 8.33 → 26.12 ± 7.50  set by operator: plays in the league',
      '2026-01-02 10:00  25.00 ± 8.33 → 26.12 ± 7.50  match mat_12345678',
    ]);
  });

  it('has text for each kind of change, and tolerates an unreadable state', () => {
    expect(changeWords(change({ kind: 'seed', by: 'calibration', reason: 'r' }))).toBe(
      'given by calibration: r',
    );
    expect(changeWords(change({ kind: 'reset', by: 'operator', reason: 'r' }))).toBe('reset by operator: r');
    expect(historyLines([change({ before: 'x', after: null })])[0]).toContain('? → ?');
  });
});

describe('beliefText', () => {
  it.each([
    [{ mu: 1500, sigma: 350 }, '1500 ± 350'],
    [{ mu: 25, sigma: 8.3333 }, '25.00 ± 8.33'],
    [{ mu: 0.1234, sigma: 0.04 }, '0.123 ± 0.040'],
  ])('has enough digits for %j', (belief, text) => {
    expect(beliefText(belief)).toBe(text);
  });
});

describe('ratingText', () => {
  it('shows rating, division, matches and changes', () => {
    expect(ratingText(rating, [change({})], plainInk)).toEqual([
      'alice in pool ctf',
      '  rating    26.12 ± 7.50 (mu 26.12, sigma 7.5)',
      '  display   3.62',
      '  division  Platinum, step 4 of 7; hidden from the player for 38 more matches',
      '  matches   12, the last at 2026-01-02 10:00: stale',
      '',
      'The latest change',
      '  2026-01-02 10:00  25.00 ± 8.33 → 26.12 ± 7.50  match mat_12345678',
    ]);
  });

  it('reports a player without a rating', () => {
    const stranger = { ...rating, matches: 0, lastRatedAt: null, stale: false };
    expect(ratingText(stranger, [], plainInk)[0]).toContain('alice in pool ctf has no rating');
  });
});

describe('changedText', () => {
  it('shows the rating before and after', () => {
    const after = { ...rating, mu: 32, sigma: 3, division: { name: 'Diamond', step: 5, of: 7 } };
    expect(changedText('Set', rating, after, 'league')).toEqual([
      'Set alice in pool ctf: 26.12 ± 7.50 → 32.00 ± 3.00 (Platinum → Diamond). Stored in the history: league',
    ]);
  });
});

describe('voidedText', () => {
  const rebuild = {
    rebuildId: 'rbd_12345678',
    pool: 'ctf',
    state: 'running' as const,
    model: 'elo',
    reason: 'r',
    done: 0,
    total: 0,
    skipped: 0,
    generation: 2,
    startedAt: 0,
    finishedAt: null,
    error: null,
  };
  const matchId = 'mat_12345678';

  it('reports the rebuild that follows', () => {
    expect(voidedText({ matchId, voided: true, rebuild })).toEqual([
      expect.stringMatching(/^The match mat_12345678 is void\. "ctf" is being rebuilt without it/),
      'Progress: muster pool rebuilds ctf',
    ]);
    expect(voidedText({ matchId, voided: false, rebuild: { ...rebuild, state: 'done' } })).toEqual([
      'The match mat_12345678 was already void. The ratings of "ctf" exclude it already.',
    ]);
    const failed = voidedText({
      matchId,
      voided: false,
      rebuild: { ...rebuild, state: 'failed', error: 'E.' },
    });
    expect(failed[0]).toMatch(/failed: E\.$/);
    expect(failed[1]).toContain('muster pool rebuild ctf');
  });

  it('reports no change for an unrated match', () => {
    expect(voidedText({ matchId, voided: true, rebuild: null })).toEqual([
      'The match mat_12345678 is void. It was not rated, so no rating changes.',
    ]);
  });
});
