import { expect, it } from 'vitest';
import type { QueuePast, QueueStep } from '../past/steps.js';
import { latelyOf, lively, sumOf, worstBy } from './lately.js';

const minuteMs = 60_000;
const now = 1_000 * minuteMs + 30_000;
const step = (minutesAgo: number, some: Partial<QueueStep> = {}): QueueStep => ({
  at: (1_000 - minutesAgo) * minuteMs,
  waiting: null,
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
const past = (queue: string, points: QueueStep[], total: Partial<QueueStep> = {}): QueuePast => ({
  queue,
  points,
  total: step(0, total),
});

it('has rates of the last five minutes, and of less where it looked for less', () => {
  const points = [9, 5, 4, 3, 2, 1, 0].map((ago) => step(ago, { accepted: 11, matched: ago === 9 ? 50 : 2 }));
  const [queue] = latelyOf({ queues: [past('duel', points)] }, now);
  // Six steps, of which the last one is half over.
  expect(queue?.accepted).toBeCloseTo((6 * 11) / 5.5);
  expect(queue?.matchedLately).toBe(12);
  const [young] = latelyOf({ queues: [past('duel', [step(0, { accepted: 3 })])] }, now);
  expect(young?.accepted).toBe(3);
  const [away] = latelyOf({ queues: [past('duel', [step(9, { accepted: 3 })])] }, now);
  expect(away?.accepted).toBeNull();
});

it('knows how many wait from the last look that is not long ago', () => {
  const waitingOf = (...points: QueueStep[]): number | null | undefined =>
    latelyOf({ queues: [past('duel', points)] }, now)[0]?.waiting;
  expect(waitingOf(step(2, { waiting: 4 }), step(1, { waiting: 7 }), step(0))).toBe(7);
  expect(waitingOf(step(4, { waiting: 4 }))).toBeNull();
  expect(waitingOf()).toBeNull();
});

it('adds up queues, names the worst one, and knows where nothing happens', () => {
  const queues = latelyOf(
    {
      queues: [
        past('a', [step(1, { waiting: 1 })], { matchMs: { p50: 1, p95: 2 } }),
        past('b', [step(1, { waiting: 2 })], { matchMs: { p50: 1, p95: 9 } }),
        past('c', [], {}),
      ],
    },
    now,
  );
  expect(sumOf(queues, ({ waiting }) => waiting)).toBe(3);
  expect(sumOf(queues.slice(2), ({ waiting }) => waiting)).toBeNull();
  expect(
    worstBy(
      queues,
      ({ matchMs }) => matchMs,
      ({ p95 }) => p95,
    )?.queue,
  ).toBe('b');
  expect(
    worstBy(
      queues,
      ({ teamGap }) => teamGap,
      ({ p95 }) => p95,
    ),
  ).toBeNull();
  expect(lively(queues)).toEqual(['a', 'b']);
});
