import { busiest, perMinute, sumsOf, timesOf, valuesOf } from '../past/steps.js';
import type { QueuePast, QueueStep, Statistics } from '../past/steps.js';
import type { ChartProps } from '../ui/charts/chart.js';
import { durationWords, percentWords } from '../ui/values/words.js';

type PastChart = Pick<ChartProps, 'label' | 'unit' | 'series' | 'words' | 'from'>;
type Quantiles = { readonly p50: number; readonly p95: number } | null;

/** More lines are not told apart. */
const mostLines = 5;

/** What the charts of a range show. */
export interface PastCharts {
  /** The begins of the steps. */
  readonly x: readonly number[];
  readonly charts: readonly PastChart[];
}

/**
 * The charts of a range, of one queue or of all. Counts of queues are added; quantiles cannot be merged, so each queue has a line of
 * its own.
 */
export function chartsOf(statistics: Statistics, queue: string | undefined, now: number): PastCharts {
  const x = timesOf(statistics, now);
  const queues = statistics.queues.filter((each) => queue === undefined || each.queue === queue);
  return {
    x,
    charts: [
      ...countCharts(x, queues, statistics.step, now),
      ...qualityCharts(x, queues),
      ...realmCharts(x, queues, statistics),
    ],
  };
}

function countCharts(
  x: readonly number[],
  queues: readonly QueuePast[],
  step: Statistics['step'],
  now: number,
): PastChart[] {
  const sums = (of: (step: QueueStep) => number | null) => sumsOf(x, queues, of);
  const rates = (of: (step: QueueStep) => number) => perMinute(x, sums(of), step, now);
  return [
    {
      label: 'Waiting',
      unit: 'tickets',
      from: 0,
      series: [{ label: 'waiting', values: sums(({ waiting }) => waiting) }],
    },
    {
      label: 'Accepted and matched',
      unit: 'a minute',
      from: 0,
      series: [
        { label: 'tickets accepted', values: rates(({ accepted }) => accepted) },
        { label: 'tickets matched', values: rates(({ matched }) => matched) },
        { label: 'matches', values: rates(({ matches }) => matches) },
      ],
    },
  ];
}

function qualityCharts(x: readonly number[], queues: readonly QueuePast[]): PastChart[] {
  return [
    {
      ...quantileChart('Time to match', x, queues, ({ matchMs }) => matchMs),
      unit: 'from queuing to the match',
      from: 0,
      words: durationWords,
    },
    {
      ...quantileChart('Chance of the favourite', x, queues, ({ favouriteLead }) => chanceOf(favouriteLead)),
      unit: 'to win, in matches of two teams; 50 % is even',
      from: 0.5,
      words: (share) => percentWords(share),
    },
    {
      ...quantileChart('Gap between teams', x, queues, ({ teamGap }) => teamGap),
      unit: 'rating points, of the strongest and the weakest',
      from: 0,
    },
  ];
}

function realmCharts(
  x: readonly number[],
  queues: readonly QueuePast[],
  { realm, step }: Statistics,
): PastChart[] {
  const sums = (of: (step: QueueStep) => number | null) => sumsOf(x, queues, of);
  const ofRealm = (of: (point: (typeof realm.points)[number]) => number | null) =>
    valuesOf(x, realm.points, of);
  return [
    {
      label: 'Slots of servers',
      unit: 'slots, of all queues',
      from: 0,
      series: [
        { label: 'used', values: ofRealm(({ slots }) => slots?.used ?? null) },
        { label: 'free', values: ofRealm(({ slots }) => slots?.free ?? null) },
      ],
    },
    {
      label: 'Errors',
      unit: `in each ${{ '1m': 'minute', '5m': '5 minutes', '1h': 'hour' }[step]}; jobs: at a look, of all queues`,
      from: 0,
      series: [
        { label: 'tickets failed', values: sums(({ failed }) => failed) },
        { label: 'tickets expired', values: sums(({ expired }) => expired) },
        { label: 'dead letters', values: ofRealm(({ deadJobs }) => deadJobs) },
        { label: 'jobs to retry', values: ofRealm(({ retryingJobs }) => retryingJobs) },
      ],
    },
  ];
}

/** The chance of the favourite by its distance from an even one. */
export const chanceOf = (lead: Quantiles): Quantiles => lead && { p50: 0.5 + lead.p50, p95: 0.5 + lead.p95 };

/** Of one queue its median and its p95 with the area between; of several the p95 of each. */
function quantileChart(
  label: string,
  x: readonly number[],
  queues: readonly QueuePast[],
  of: (step: QueueStep) => Quantiles,
): Pick<PastChart, 'label' | 'series'> {
  const there = busiest(queues).filter(({ points }) => points.some((step) => of(step) !== null));
  const [only] = there;
  if (only && there.length === 1)
    return {
      label,
      series: [
        { label: 'p50', values: valuesOf(x, only.points, (step) => of(step)?.p50 ?? null), isBand: true },
        { label: 'p95', values: valuesOf(x, only.points, (step) => of(step)?.p95 ?? null) },
      ],
    };
  return {
    label: `${label}, p95`,
    series: there.slice(0, mostLines).map(({ queue, points }) => ({
      label: queue,
      values: valuesOf(x, points, (step) => of(step)?.p95 ?? null),
    })),
  };
}
