import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitAfter, waitUntilAllowed } from './curve.js';
import { defaultQueues } from './default-rules.js';
import { compileRules } from './pool/compiled-rules.js';

const [rules] = defaultQueues;
const curve = [
  { afterSeconds: 0, limit: 4 },
  { afterSeconds: 5, limit: 8 },
  { afterSeconds: 20, limit: 20 },
  { afterSeconds: 45, limit: null },
];

describe('widening curves', () => {
  it('are linear between corners, flat after the last, and know when they reach a value', () => {
    expect(limitAfter(curve, 0)).toBe(4);
    expect(limitAfter(curve, 2_500)).toBe(6);
    expect(limitAfter(curve, 20_000)).toBe(20);
    expect(limitAfter(curve, 44_999)).toBe(20);
    expect(limitAfter(curve, 45_000)).toBe(Infinity);
    expect(waitUntilAllowed(curve, 6)).toBe(2_500);
    expect(waitUntilAllowed(curve, 21)).toBe(45_000);
    expect(waitUntilAllowed([{ afterSeconds: 0, limit: 4 }], 5)).toBeNull();
    fc.assert(
      fc.property(fc.nat(120_000), fc.nat(120_000), (a, b) => {
        expect(limitAfter(curve, Math.min(a, b))).toBeLessThanOrEqual(limitAfter(curve, Math.max(a, b)));
      }),
    );
  });

  it('give the same values when compiled', () => {
    const { spreadAfter } = compileRules({ ...rules!, skillWindow: curve });
    fc.assert(
      fc.property(fc.double({ min: 0, max: 40, noNaN: true }), (needed) => {
        expect(spreadAfter(needed)).toBeCloseTo(waitUntilAllowed(curve, needed) ?? Infinity, 6);
      }),
    );
  });
});
