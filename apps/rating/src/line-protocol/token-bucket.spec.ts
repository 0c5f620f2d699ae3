import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fullBucket, refill } from './token-bucket.js';

it('a bucket refills evenly, up to the tokens of one second', () => {
  expect(refill({ tokens: 0, atMs: 1_000 }, 100, 1_050)).toEqual({ tokens: 5, atMs: 1_050 });
  expect(refill({ tokens: 90, atMs: 0 }, 100, 60_000)).toEqual({ tokens: 100, atMs: 60_000 });
  // A clock that goes back adds and removes nothing.
  expect(refill({ tokens: 3, atMs: 500 }, 100, 400)).toEqual({ tokens: 3, atMs: 500 });
});

it('admits at most one second’s burst and then the rate, for every sequence of calls', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 500 }),
      fc.array(fc.record({ afterMs: fc.nat(400), wanted: fc.nat(300) }), { maxLength: 50 }),
      (perSecond, asks) => {
        let bucket = fullBucket(perSecond, 0);
        let nowMs = 0;
        let taken = 0;
        for (const { afterMs, wanted } of asks) {
          nowMs += afterMs;
          bucket = refill(bucket, perSecond, nowMs);
          const given = Math.min(wanted, Math.floor(bucket.tokens));
          bucket = { ...bucket, tokens: bucket.tokens - given };
          taken += given;
          expect(taken).toBeLessThanOrEqual(perSecond + (nowMs * perSecond) / 1000 + 1e-6);
        }
      },
    ),
  );
});
