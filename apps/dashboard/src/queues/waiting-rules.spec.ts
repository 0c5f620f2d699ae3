import { describe, expect, it } from 'vitest';
import { medianOf, sharesOf, type WaitingTicket } from './waiting-rules.js';

const waits = (rule: WaitingTicket['rule'], waitedMs: number) => ({ rule, waitedMs }) as WaitingTicket;

describe('what tickets wait for', () => {
  it('is counted by rule, most tickets first', () => {
    const waiting = [
      waits('skill', 5_000),
      waits('players', 1_000),
      waits('skill', 9_000),
      waits('skill', 7_000),
    ];
    expect(sharesOf(waiting)).toEqual([
      { rule: 'skill', tickets: 3, medianMs: 7_000, share: 0.75 },
      { rule: 'players', tickets: 1, medianMs: 1_000, share: 0.25 },
    ]);
    expect(sharesOf([])).toEqual([]);
  });

  it('has the lower of two middles', () => {
    expect(medianOf([4, 1, 3, 2])).toBe(2);
    expect(medianOf([])).toBe(0);
  });
});
