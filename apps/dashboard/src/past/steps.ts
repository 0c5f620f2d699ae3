import { statisticsSteps, type AnswerOf } from '@muster/contracts';

export type Statistics = AnswerOf<'readStatistics'>;
export type QueuePast = Statistics['queues'][number];
export type QueueStep = QueuePast['points'][number];
type Values = readonly (number | null)[];

const minuteMs = 60_000;

/** The begins of the steps of an answer. One that has lasted for less than a minute says too little. */
export function timesOf({ from, to, step }: Pick<Statistics, 'from' | 'to' | 'step'>, now: number): number[] {
  const ms = statisticsSteps[step];
  const times: number[] = [];
  for (let at = from; at < to && now - at >= minuteMs; at += ms) times.push(at);
  return times;
}

/** A value of each step; null where nobody looked: a gap stays one. */
export function valuesOf<Step extends { readonly at: number }>(
  times: readonly number[],
  steps: readonly Step[],
  value: (step: Step) => number | null,
): Values {
  const known = new Map(steps.map((step) => [step.at, step]));
  return times.map((at) => {
    const step = known.get(at);
    return step ? value(step) : null;
  });
}

/** The sum over some queues in each step; null where no queue has a value. */
export function sumsOf(
  times: readonly number[],
  queues: readonly QueuePast[],
  value: (step: QueueStep) => number | null,
): Values {
  const all = queues.map(({ points }) => valuesOf(times, points, value));
  return times.map((_, i) => {
    const there = all.flatMap((values) => values[i] ?? []);
    return there.length === 0 ? null : there.reduce((sum, each) => sum + each, 0);
  });
}

/** Turns counts of steps into counts a minute; of a step that goes on, by the time that it has lasted. */
export function perMinute(
  times: readonly number[],
  counts: Values,
  step: Statistics['step'],
  now: number,
): Values {
  return counts.map((count, i) => {
    const lastedMs = Math.min(statisticsSteps[step], now - (times[i] ?? now));
    return count === null || lastedMs <= 0 ? null : (count * minuteMs) / lastedMs;
  });
}

/** The queues with the most matches first. */
export const busiest = (queues: readonly QueuePast[]): QueuePast[] =>
  queues.toSorted((a, b) => b.total.matched - a.total.matched || a.queue.localeCompare(b.queue));
