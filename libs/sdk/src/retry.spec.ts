import { describe, expect, it } from 'vitest';
import { MusterProblem } from './problem.js';
import { canRetry, pauseMs, retryAfterMs } from './retry.js';

const problem = (code: string, status: number, afterMs: number | null = null): MusterProblem =>
  new MusterProblem({ type: `urn:muster:problem:${code}`, title: '', status, detail: '' }, afterMs);
const refused = Object.assign(new TypeError('fetch failed'), {
  cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }),
});
const nothing = { key: false, eventId: false };

describe('the pause before the next attempt', () => {
  it('grows, has full jitter, and is bounded', () => {
    expect([1, 2, 3, 4].map((attempt) => pauseMs(attempt, refused, 1))).toEqual([200, 400, 800, 1_600]);
    expect(pauseMs(1_000, refused, 1)).toBe(5_000);
    expect(pauseMs(1_000, refused, 0)).toBe(50);
  });

  it('is never shorter than Retry-After, with jitter on top', () => {
    const busy = problem('too-busy', 503, 2_000);
    expect(pauseMs(1, busy, 0)).toBeGreaterThanOrEqual(2_000);
    expect(pauseMs(1, busy, 1)).toBeGreaterThan(pauseMs(1, busy, 0));
  });

  it('reads seconds and dates of Retry-After', () => {
    const now = Date.UTC(2026, 10, 22, 12);
    expect(retryAfterMs('3', now)).toBe(3_000);
    expect(retryAfterMs('Sun, 22 Nov 2026 12:00:05 GMT', now)).toBe(5_000);
    expect(retryAfterMs('Sun, 22 Nov 2026 11:00:00 GMT', now)).toBe(0);
    expect(retryAfterMs('soon', now)).toBeNull();
    expect(retryAfterMs(null, now)).toBeNull();
  });
});

describe('a retry', () => {
  it.each([
    ['of a read after a lost answer', 'readTicket', nothing, new TypeError('fetch failed'), true],
    [
      'of a ticket without a key after a lost answer',
      'createTicket',
      nothing,
      new TypeError('fetch failed'),
      false,
    ],
    [
      'of a ticket with a key after a lost answer',
      'createTicket',
      { ...nothing, key: true },
      new TypeError('x'),
      true,
    ],
    ['of a party whose request was not sent', 'createParty', nothing, refused, true],
    ['of a party after a lost answer', 'createParty', nothing, problem('service-unreachable', 502), false],
    ['of a party that was rejected as too busy', 'createParty', nothing, problem('too-busy', 503), true],
    ['of a read that was refused', 'readTicket', nothing, problem('ticket-not-found', 404), false],
    ['of a poll beyond the limit', 'readTicket', nothing, problem('too-many-open', 429), true],
    [
      'of a rating with an event id',
      'setRating',
      { ...nothing, eventId: true },
      problem('store-unavailable', 503),
      true,
    ],
    ['of a rating without one', 'setRating', nothing, problem('store-unavailable', 503), false],
  ] as const)('%s', (_, name, carries, error, may) => {
    expect(canRetry(name, carries, error)).toBe(may);
  });
});
