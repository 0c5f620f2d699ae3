import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseIntervals } from './choose.js';

interface Interval {
  readonly from: number;
  readonly to: number;
  readonly worth: number;
}

/** The largest total value of disjoint intervals, by brute force. */
function most(intervals: readonly Interval[], free = 0): number {
  return intervals.reduce(
    (best, { from, to, worth }, i) =>
      from < free ? best : Math.max(best, worth + most(intervals.slice(i + 1), to + 1)),
    0,
  );
}

const places = 12;
const lanes = fc
  .array(
    fc.record({
      from: fc.nat(places - 1),
      length: fc.nat(5),
      worth: fc.integer({ min: 1, max: 20 }).map((tenths) => tenths / 10),
    }),
    { maxLength: 9 },
  )
  .map((drawn) =>
    drawn
      .map(({ from, length, worth }) => ({ from, to: Math.min(places - 1, from + length), worth }))
      .sort((a, b) => a.from - b.from),
  );

describe('the matches chosen along a lane', () => {
  it('are disjoint, and have the largest total value', () => {
    fc.assert(
      fc.property(lanes, (intervals) => {
        const chosen = chooseIntervals(
          {
            count: intervals.length,
            from: Int32Array.from(intervals, ({ from }) => from),
            to: Int32Array.from(intervals, ({ to }) => to),
            worth: Float64Array.from(intervals, ({ worth }) => worth),
          },
          places,
        ).map((i) => intervals[i]!);
        for (const [i, { from }] of chosen.entries()) expect(from).toBeGreaterThan(chosen[i - 1]?.to ?? -1);
        expect(chosen.reduce((sum, { worth }) => sum + worth, 0)).toBeCloseTo(most(intervals), 9);
      }),
      { numRuns: 500 },
    );
  });
});
