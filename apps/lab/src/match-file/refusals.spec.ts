import { describe, expect, it } from 'vitest';
import { Refusals } from './refusals.js';

describe('refused rows', () => {
  it('are grouped by kind of error, the most frequent first, each with its first line', () => {
    const refusals = new Refusals();
    refusals.add({ line: 4, reason: 'it has 1 column where the header has 6' });
    for (let line = 12; line < 1_012; line++) refusals.add({ line, reason: `time "${line}." is no time` });
    expect(refusals.count).toBe(1_001);
    expect(refusals.lines('f.csv')).toEqual([
      'f.csv, 1,000 lines refused, the first is line 12: time "12." is no time',
      'f.csv, line 4 refused: it has 1 column where the header has 6',
    ]);
  });

  it('are listed up to a limit', () => {
    const refusals = new Refusals();
    for (const [i, word] of ['one', 'two', 'three', 'four'].entries())
      refusals.add({ line: i + 2, reason: `${word} is wrong` });
    expect(refusals.lines('f', 2)).toEqual([
      'f, line 2 refused: one is wrong',
      'f, line 3 refused: two is wrong',
      'f, 2 more lines refused for other reasons',
    ]);
  });
});
