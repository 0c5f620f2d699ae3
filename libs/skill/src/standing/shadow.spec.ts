import { describe, expect, it } from 'vitest';
import { graduate, isStale, shadowOf } from './shadow.js';

describe('R15 shadow period', () => {
  it('hides a rating for its first fifty matches', () => {
    expect(shadowOf({ matches: 0 })).toEqual({ hidden: true, left: 50 });
    expect(shadowOf({ matches: 49 })).toEqual({ hidden: true, left: 1 });
    expect(shadowOf({ matches: 50 })).toEqual({ hidden: false, left: 0 });
    expect(shadowOf({ matches: 400 })).toEqual({ hidden: false, left: 0 });
    expect(shadowOf({ matches: 0, shadowMatches: 0 })).toEqual({ hidden: false, left: 0 });
  });

  it('caps the mean at its end, where there is a cap', () => {
    expect(graduate({ mu: 2500, sigma: 90 }, 2200)).toEqual({ mu: 2200, sigma: 90 });
    expect(graduate({ mu: 1800, sigma: 90 }, 2200)).toEqual({ mu: 1800, sigma: 90 });
    expect(graduate({ mu: 2500, sigma: 90 })).toEqual({ mu: 2500, sigma: 90 });
  });
});

describe('R15, R17 stale flag', () => {
  const day = 86_400_000;

  it('is set after thirty days without a match, and never without any match', () => {
    expect(isStale(0, 30 * day)).toBe(false);
    expect(isStale(0, 30 * day + 1)).toBe(true);
    expect(isStale(0, 8 * day, 7)).toBe(true);
    expect(isStale(null, 1e15)).toBe(false);
    // Written with a wrong clock: it must not keep its player fresh for ever.
    expect(isStale(Date.UTC(2538, 0), Date.UTC(2026, 0))).toBe(true);
    expect(isStale(60_000, 0)).toBe(false);
    expect(isStale(5, 0)).toBe(false);
  });
});
