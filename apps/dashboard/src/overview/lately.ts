import type { QueuePast, QueueStep, Statistics } from '../past/steps.js';

const minuteMs = 60_000;
/** What is read, so that quantiles are of more than a few matches. */
export const latelyMs = 15 * minuteMs;
/** Rates are of less, so that they follow what happens. */
const rateMs = 5 * minuteMs;
/** An older look is none. */
const lookMs = 3 * minuteMs;

/** How a queue does now. Rates are a minute, of the last five; the total is of the last quarter of an hour. */
export interface QueueLately {
  readonly queue: string;
  /** At the last look, once a minute; null without one. */
  readonly waiting: number | null;
  readonly accepted: number | null;
  readonly matched: number | null;
  readonly matches: number | null;
  /** Tickets that were matched in the last five minutes. */
  readonly matchedLately: number;
  readonly total: QueuePast['total'];
}

/** How each queue does now, by the statistics of the last quarter of an hour. */
export const latelyOf = ({ queues }: Pick<Statistics, 'queues'>, now: number): QueueLately[] =>
  queues.map((each) => queueLately(each, now));

function queueLately({ queue, total, points }: QueuePast, now: number): QueueLately {
  const recent = points.filter(({ at }) => at + minuteMs > now - rateMs);
  const [first] = recent;
  const minutes = first ? Math.max(1, (now - first.at) / minuteMs) : null;
  const sum = (of: (step: QueueStep) => number): number => recent.reduce((all, step) => all + of(step), 0);
  const rate = (of: (step: QueueStep) => number): number | null =>
    minutes === null ? null : sum(of) / minutes;
  return {
    queue,
    waiting: points.findLast(({ at, waiting }) => waiting !== null && at > now - lookMs)?.waiting ?? null,
    accepted: rate((step) => step.accepted),
    matched: rate((step) => step.matched),
    matches: rate((step) => step.matches),
    matchedLately: sum((step) => step.matched),
    total,
  };
}

/** The sum over queues; null where none has a value. */
export function sumOf(
  queues: readonly QueueLately[],
  of: (queue: QueueLately) => number | null,
): number | null {
  const there = queues.flatMap((queue) => of(queue) ?? []);
  return there.length === 0 ? null : there.reduce((all, each) => all + each, 0);
}

/** The queue whose value is the largest, with it: quantiles of queues cannot be merged. */
export function worstBy<T>(
  queues: readonly QueueLately[],
  of: (total: QueueLately['total']) => T | null,
  size: (value: T) => number,
): { readonly queue: string; readonly value: T } | null {
  const there = queues.flatMap(({ queue, total }) => {
    const value = of(total);
    return value === null ? [] : [{ queue, value }];
  });
  return there.toSorted((a, b) => size(b.value) - size(a.value))[0] ?? null;
}

/** Queues in which something happened: the others need not be asked. */
export const lively = (queues: readonly QueueLately[]): string[] =>
  queues.flatMap(({ queue, waiting, total }) => ((waiting ?? 0) > 0 || total.accepted > 0 ? [queue] : []));
