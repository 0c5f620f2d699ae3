import { expect, it } from 'vitest';
import { numbersOf } from './event-numbers.js';

it('are those of the log for a reader who knows a part of it', () => {
  for (const after of [0, 3, 7]) expect(numbersOf(after, 7)).toEqual({ known: after, offset: 0 });
});

it('of a reader who knows a later event exceed what it knows, and stay the same afterwards', () => {
  for (const [after, seq] of [
    [8, 7],
    [200, 1],
    [999_999, 1],
    [1_000_009, 8],
  ] as const) {
    const { known, offset } = numbersOf(after, seq);
    expect(known).toBe(seq - 1);
    expect(offset + seq).toBeGreaterThan(after);
    expect(numbersOf(offset + seq, seq)).toEqual({ known: seq, offset });
    expect(numbersOf(offset + seq, seq + 1)).toEqual({ known: seq, offset });
  }
});
