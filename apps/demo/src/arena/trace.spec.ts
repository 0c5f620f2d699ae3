import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Trace } from './trace.js';

describe('Trace', () => {
  it('has the share of time at 40 to 60 %, both ends included', () => {
    const trace = new Trace();
    expect(trace.fairShare).toBeNull();
    for (const [at, chance] of [0.39, 0.4, 1 - 0.4, 0.1 + 0.5, 0.61, 0.5].entries()) trace.add(at, chance);
    expect(trace.fairShare).toBeCloseTo(4 / 6, 12);
  });

  it('keeps a bounded number of points, evenly spread from the first on, and the exact share', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 50 }), fc.integer({ min: 1, max: 2_000 }), (most, count) => {
        const trace = new Trace(most);
        for (let at = 0; at < count; at++) trace.add(at, at % 4 === 0 ? 0.5 : 0.9);
        const { moments } = trace;
        expect(moments.length).toBeLessThanOrEqual(most);
        expect(moments.length).toBeGreaterThanOrEqual(Math.min(count, Math.floor(most / 2)));
        expect(moments[0]).toEqual({ at: 0, chance: 0.5 });
        const gaps = moments.slice(1).map(({ at }, i) => at - (moments[i]?.at ?? NaN));
        expect(new Set(gaps).size).toBeLessThanOrEqual(1);
        expect(trace.fairShare).toBeCloseTo(Math.ceil(count / 4) / count, 12);
      }),
    );
  });
});
