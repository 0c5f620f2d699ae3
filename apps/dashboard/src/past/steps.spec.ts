import { describe, expect, it } from 'vitest';
import { busiest, perMinute, sumsOf, timesOf, valuesOf, type QueuePast, type QueueStep } from './steps.js';

const minuteMs = 60_000;
const step = (at: number, some: Partial<QueueStep> = {}): QueueStep => ({
  at,
  waiting: 0,
  accepted: 0,
  matched: 0,
  matches: 0,
  assigned: 0,
  cancelled: 0,
  expired: 0,
  failed: 0,
  matchMs: null,
  teamGap: null,
  favouriteLead: null,
  ...some,
});
const queue = (name: string, points: QueueStep[], matched = 0): QueuePast => ({
  queue: name,
  points,
  total: { ...step(0), matched },
});

describe('steps of the past', () => {
  it('are those of the range, without one that has just begun', () => {
    const range = { from: 0, to: 4 * minuteMs, step: '1m' } as const;
    expect(timesOf(range, 4 * minuteMs)).toEqual([0, 1, 2, 3].map((n) => n * minuteMs));
    expect(timesOf(range, 3.5 * minuteMs)).toEqual([0, 1, 2].map((n) => n * minuteMs));
    expect(timesOf({ from: 0, to: 10 * minuteMs, step: '5m' }, 7 * minuteMs)).toEqual([0, 5 * minuteMs]);
  });

  it('stay gaps where nobody looked', () => {
    const times = [0, 1, 2].map((n) => n * minuteMs);
    expect(valuesOf(times, [step(0, { waiting: 3 }), step(2 * minuteMs)], (each) => each.waiting)).toEqual([
      3,
      null,
      0,
    ]);
  });

  it('are added over queues, as far as they have values', () => {
    const times = [0, minuteMs, 2 * minuteMs];
    const queues = [
      queue('a', [step(0, { waiting: 1 }), step(minuteMs, { waiting: 2 })]),
      queue('b', [step(0, { waiting: 10 })]),
    ];
    expect(sumsOf(times, queues, (each) => each.waiting)).toEqual([11, 2, null]);
  });

  it('are counts a minute, of an unfinished one by its time so far', () => {
    const times = [0, 5 * minuteMs];
    expect(perMinute(times, [10, 6], '5m', 8 * minuteMs)).toEqual([2, 2]);
    expect(perMinute(times, [null, 6], '5m', 10 * minuteMs)).toEqual([null, 1.2]);
  });
});

it('puts the queues with the most matches first', () => {
  expect(
    busiest([queue('a', [], 1), queue('b', [], 5), queue('c', [], 1)]).map((each) => each.queue),
  ).toEqual(['b', 'a', 'c']);
});
