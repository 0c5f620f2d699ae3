import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitAfter } from './curve.js';
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
  it('are linear between corners and flat after the last', () => {
    expect(limitAfter(curve, 0)).toBe(4);
    expect(limitAfter(curve, 2_500)).toBe(6);
    expect(limitAfter(curve, 20_000)).toBe(20);
    expect(limitAfter(curve, 44_999)).toBe(20);
    expect(limitAfter(curve, 45_000)).toBe(Infinity);
    fc.assert(
      fc.property(fc.nat(120_000), fc.nat(120_000), (a, b) => {
        expect(limitAfter(curve, Math.min(a, b))).toBeLessThanOrEqual(limitAfter(curve, Math.max(a, b)));
      }),
    );
  });

  it('are compiled to the time at which they reach a value', () => {
    const { spreadAfter } = compileRules({ ...rules!, skillWindow: curve });
    fc.assert(
      fc.property(fc.double({ min: 0, max: 40, noNaN: true }), (needed) => {
        const at = spreadAfter(needed);
        expect(limitAfter(curve, at)).toBeGreaterThanOrEqual(needed - 1e-9);
        if (at > 0) expect(limitAfter(curve, at - 1)).toBeLessThan(needed);
      }),
    );
  });
});
