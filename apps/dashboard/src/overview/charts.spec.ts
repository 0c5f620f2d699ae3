import { expect, it } from 'vitest';
import type { QueuePast, QueueStep, Statistics } from '../past/steps.js';
import { chartsOf } from './charts.js';

const minuteMs = 60_000;
const step = (minute: number, some: Partial<QueueStep> = {}): QueueStep => ({
  at: minute * minuteMs,
  waiting: 1,
  accepted: 4,
  matched: 2,
  matches: 1,
  assigned: 0,
  cancelled: 0,
  expired: 0,
  failed: 0,
  matchMs: { p50: 1_000, p95: 4_000 },
  teamGap: null,
  favouriteLead: { p50: 0.02, p95: 0.1 },
  ...some,
});
const past = (queue: string, points: QueueStep[], matched = 1): QueuePast => ({
  queue,
  points,
  total: { ...step(0), matched },
});
const statistics = (...queues: QueuePast[]): Statistics => ({
  from: 0,
  to: 3 * minuteMs,
  step: '1m',
  relativeError: 0.1,
  queues,
  realm: {
    total: { slots: null, deadJobs: 0, retryingJobs: 0 },
    points: [{ at: 0, slots: { used: 3, free: 5 }, deadJobs: 0, retryingJobs: 1 }],
  },
});
const valuesOf = (answer: Statistics, queue?: string) =>
  Object.fromEntries(
    chartsOf(answer, queue, 3 * minuteMs).charts.map(({ label, series }) => [
      label,
      Object.fromEntries(series.map((each) => [each.label, each.values])),
    ]),
  );

it('adds up counts of queues, and has a line for the p95 of each', () => {
  const charts = valuesOf(statistics(past('a', [step(0), step(2)]), past('b', [step(0)], 9)));
  expect(charts['Waiting']).toEqual({ waiting: [2, null, 1] });
  expect(charts['Accepted and matched']?.['tickets accepted']).toEqual([8, null, 4]);
  expect(Object.keys(charts['Time to match, p95'] ?? {})).toEqual(['b', 'a']);
  expect(charts['Time to match, p95']?.['a']).toEqual([4_000, null, 4_000]);
});

it('has the median and the p95 of one queue, and chances instead of leads', () => {
  const charts = valuesOf(statistics(past('a', [step(0)]), past('b', [step(0)])), 'a');
  expect(charts['Waiting']).toEqual({ waiting: [1, null, null] });
  expect(charts['Time to match']).toEqual({ p50: [1_000, null, null], p95: [4_000, null, null] });
  expect(charts['Chance of the favourite']).toEqual({ p50: [0.52, null, null], p95: [0.6, null, null] });
});

it('leaves gaps where nobody looked, also of slots and jobs', () => {
  const charts = valuesOf(statistics());
  expect(charts['Slots of servers']).toEqual({ used: [3, null, null], free: [5, null, null] });
  expect(charts['Waiting']).toEqual({ waiting: [null, null, null] });
});
