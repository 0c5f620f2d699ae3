import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fullAllowance, refilled } from './allowance.js';

it('an allowance grows evenly, and never beyond a second’s', () => {
  expect(refilled({ left: 0, atMs: 1_000 }, 100, 1_050)).toEqual({ left: 5, atMs: 1_050 });
  expect(refilled({ left: 90, atMs: 0 }, 100, 60_000)).toEqual({ left: 100, atMs: 60_000 });
  // A clock that goes back gives nothing and takes nothing.
  expect(refilled({ left: 3, atMs: 500 }, 100, 400)).toEqual({ left: 3, atMs: 500 });
});

it('lets through no more than a second’s at once and then so many a second, however it is asked', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 500 }),
      fc.array(fc.record({ afterMs: fc.nat(400), wanted: fc.nat(300) }), { maxLength: 50 }),
      (perSecond, asks) => {
        let allowance = fullAllowance(perSecond, 0);
        let nowMs = 0;
        let taken = 0;
        for (const { afterMs, wanted } of asks) {
          nowMs += afterMs;
          allowance = refilled(allowance, perSecond, nowMs);
          const given = Math.min(wanted, Math.floor(allowance.left));
          allowance = { ...allowance, left: allowance.left - given };
          taken += given;
          expect(taken).toBeLessThanOrEqual(perSecond + (nowMs * perSecond) / 1000 + 1e-6);
        }
      },
    ),
  );
});
