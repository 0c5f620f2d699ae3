import { describe, expect, it } from 'vitest';
import { estimateWait, type PastWait } from './estimate.js';

const wait = (seconds: number, more: Partial<PastWait> = {}): PastWait => ({
  skill: 25,
  players: 1,
  region: 'eu',
  waitedMs: seconds * 1000,
  matched: true,
  ...more,
});
const me = { skill: 25, players: 1, region: 'eu' };

describe('the estimate of a wait', () => {
  it('is absent when too few similar tickets were matched', () => {
    expect(estimateWait([], me, 0, 8)).toBeNull();
    expect(
      estimateWait(
        Array.from({ length: 7 }, () => wait(5)),
        me,
        0,
        8,
      ),
    ).toBeNull();
    const left = Array.from({ length: 40 }, () => wait(5, { matched: false }));
    expect(estimateWait([...left, wait(1)], me, 0, 8)).toBeNull();
  });

  it('is the interquartile range of similar tickets', () => {
    const past = Array.from({ length: 20 }, (_, i) => wait(i + 1));
    expect(estimateWait(past, me, 0, 8)).toEqual({ fromMs: 5_000, toMs: 15_000, basedOn: 20 });
  });

  it('counts from now, among tickets that waited as long', () => {
    const past = Array.from({ length: 20 }, (_, i) => wait(i + 1));
    expect(estimateWait(past, me, 10_500, 8)).toEqual({ fromMs: 2_500, toMs: 7_500, basedOn: 10 });
  });

  it('does not count tickets that gave up as matched', () => {
    // By hand: ten leave at 1 s; of the ten left, one in ten is matched at each of 2, 3, … 11 s.
    const past = [
      ...Array.from({ length: 10 }, () => wait(1, { matched: false })),
      ...Array.from({ length: 10 }, (_, i) => wait(i + 2)),
    ];
    expect(estimateWait(past, me, 0, 8)).toEqual({ fromMs: 4_000, toMs: 9_000, basedOn: 20 });
    const half = [
      ...Array.from({ length: 10 }, (_, i) => wait(i + 1)),
      ...Array.from({ length: 10 }, () => wait(20, { matched: false })),
    ];
    expect(estimateWait(half, me, 0, 8)).toMatchObject({ fromMs: 5_000, toMs: null });
  });

  it('depends on region, size and skill', () => {
    const here = Array.from({ length: 60 }, () => wait(3));
    const there = Array.from({ length: 60 }, () => wait(90, { region: 'us' }));
    const high = Array.from({ length: 60 }, () => wait(40, { skill: 50 }));
    const past = [...here, ...there, ...high];
    expect(estimateWait(past, me, 0, 8)?.fromMs).toBe(3_000);
    expect(estimateWait(past, { ...me, region: 'us' }, 0, 8)?.fromMs).toBe(90_000);
    expect(estimateWait(past, { ...me, skill: 48 }, 0, 8)?.fromMs).toBe(40_000);
  });
});
