import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { between, quantilesOf, readCounts, relativeError, totalOf, type Counts } from './distribution.js';

/** As ticket.lua counts a value. */
const bucketOf = (value: number): number =>
  value <= 100 ? 0 : Math.min(60, Math.ceil(Math.log(value / 100) / Math.log(11 / 9)));

function countsOf(values: readonly number[]): Counts {
  const counts = new Map<string, number>();
  for (const value of values) {
    const name = `waited:${bucketOf(value)}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

const minutes = fc.array(fc.array(fc.integer({ min: 0, max: 7_200_000 })), { minLength: 1, maxLength: 20 });
/** The notes of a count that goes on from minute to minute; the first is of nothing. */
const notesOf = (of: readonly number[][]): Counts[] =>
  [[], ...of].map((_, i) => countsOf(of.slice(0, i).flat()));

describe('counts in buckets', () => {
  it('are of any range of minutes what they are when its values are counted at once', () => {
    fc.assert(
      fc.property(minutes, fc.nat(), fc.nat(), (values, a, b) => {
        const notes = notesOf(values);
        const [from = 0, to = 0] = [a % notes.length, b % notes.length].toSorted((x, y) => x - y);
        const [before, after] = [notes[from] ?? new Map(), notes[to] ?? new Map()];
        const counted = between(before, after);
        const once = countsOf(values.slice(from, to).flat());
        expect(new Map([...counted].filter(([, count]) => count > 0))).toEqual(once);
        expect(quantilesOf(counted, 'waited')).toEqual(quantilesOf(once, 'waited'));
      }),
    );
  });

  it('have quantiles within the error that is said', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 100, max: 7_200_000 }), { minLength: 1 }), (values) => {
        const sorted = values.toSorted((a, b) => a - b);
        const exact = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? NaN;
        const found = quantilesOf(countsOf(values), 'waited');
        // Three digits are shown.
        const most = relativeError + 0.005;
        expect(Math.abs((found?.p50 ?? NaN) / exact(0.5) - 1)).toBeLessThanOrEqual(most);
        expect(Math.abs((found?.p95 ?? NaN) / exact(0.95) - 1)).toBeLessThanOrEqual(most);
      }),
    );
  });

  it('are read as the script writes them, whatever else is counted', () => {
    const counts = readCounts('accepted 3 waited:10 2 waited:2 1 waiting 7');
    expect(totalOf(counts, 'waited')).toBe(3);
    expect(quantilesOf(counts, 'waited')?.p95).toBeCloseTo((200 / (1 + 9 / 11)) * (11 / 9) ** 9, -1);
    expect(readCounts('').size).toBe(0);
    expect(quantilesOf(new Map(), 'waited')).toBeNull();
  });

  it('begin anew where Redis did', () => {
    const after = new Map([['accepted', 2]]);
    expect(between(new Map([['accepted', 9]]), after)).toEqual(after);
    expect(between(new Map([['failed', 1]]), after)).toEqual(after);
  });
});
