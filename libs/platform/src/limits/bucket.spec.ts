import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { left, paceOf, taken, waitMs } from './bucket.js';

const rates = fc.record({
  burst: fc.integer({ min: 1, max: 500 }),
  perMinute: fc.integer({ min: 1, max: 60_000 }),
});
const pauses = fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 400 });

describe('a bucket', () => {
  it('lets through a burst, and then one call at a time', () => {
    const pace = paceOf({ burst: 3, perMinute: 60 });
    let fullAt = 0;
    const call = (now: number): number => {
      const wait = waitMs(fullAt, now, pace);
      if (wait === 0) fullAt = taken(fullAt, now, pace);
      return wait;
    };
    expect([call(0), call(0), call(0), call(0), call(400), call(1_000), call(1_000)]).toEqual([
      0, 0, 0, 1_000, 600, 0, 1_000,
    ]);
    expect(left(fullAt, 3_000, pace)).toBe(2);
  });

  it('lets through no more than its burst and its rate in any time', () => {
    fc.assert(
      fc.property(rates, pauses, (rate, waits) => {
        const pace = paceOf(rate);
        const passed: number[] = [];
        let [fullAt, now] = [0, 0];
        for (const wait of waits) {
          now += wait;
          expect(waitMs(fullAt, now, pace) === 0).toBe(left(fullAt, now, pace) > 0);
          if (waitMs(fullAt, now, pace) > 0) continue;
          fullAt = taken(fullAt, now, pace);
          passed.push(now);
        }
        for (const [i, since] of passed.entries())
          for (const [j, until] of passed.entries())
            if (j >= i)
              expect(j - i + 1).toBeLessThanOrEqual(
                rate.burst + ((until - since) / 60_000) * rate.perMinute + 1e-3,
              );
      }),
    );
  });

  it('lets a call through after the time that it said, and not before', () => {
    fc.assert(
      fc.property(rates, fc.integer({ min: 0, max: 100_000 }), (rate, ahead) => {
        const pace = paceOf(rate);
        const fullAt = Math.min(ahead, pace.fillMs);
        const wait = waitMs(fullAt, 0, pace);
        expect(waitMs(fullAt, Math.ceil(wait), pace)).toBe(0);
        if (wait > 1) expect(waitMs(fullAt, wait - 0.9, pace)).toBeGreaterThan(0);
      }),
    );
  });
});
