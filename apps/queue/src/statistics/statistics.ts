import {
  mostStatisticsPoints,
  statisticsSteps,
  type ReadStatistics,
  type StatisticsStep,
  type StatisticsView,
} from '@muster/contracts';
import type { Clock } from '@muster/domain';
import type { FollowRules } from '../rules/follow-rules.js';
import type { Queues } from '../rules/queues.js';
import { between, quantilesOf, relativeError, totalOf, type Counts } from './distribution.js';
import type { NotedCounts, RedisMinutes } from './minutes.store.js';

const hourMs = 3_600_000;

/** A range in whole steps. */
export interface Range {
  readonly from: number;
  readonly to: number;
  readonly step: StatisticsStep;
}

/** The range of a question, in whole steps; or what is wrong with it. */
export function rangeOf({ from, to, step }: ReadStatistics, now: number): Range | string {
  const end = Math.min(to ?? now, now);
  const begin = from ?? end - hourMs;
  if (begin >= end) return '`from` must be a time in the past, before `to`.';
  const whole = (each: StatisticsStep): Range => {
    const ms = statisticsSteps[each];
    return { from: Math.floor(begin / ms) * ms, to: Math.ceil(end / ms) * ms, step: each };
  };
  const fits = (range: Range): boolean =>
    (range.to - range.from) / statisticsSteps[range.step] <= mostStatisticsPoints;
  const range = step ? whole(step) : ((['1m', '5m'] as const).map(whole).find(fits) ?? whole('1h'));
  return fits(range)
    ? range
    : `The range has more than ${mostStatisticsPoints} steps of ${range.step}: ask for less time${range.step === '1h' ? '' : ' or a longer `step`'}.`;
}

/** How queues did: of any time of the last two days, from what was counted each minute. */
export class Statistics {
  constructor(
    private readonly minutes: Pick<RedisMinutes, 'at'>,
    private readonly queues: Pick<Queues, 'all' | 'named'>,
    private readonly follow: Pick<FollowRules, 'withNewest'>,
    private readonly clock: Clock,
  ) {}

  range(query: ReadStatistics): Range | string {
    return rangeOf(query, this.clock.now());
  }

  /** @throws QueueNotFound with the known names */
  async read(range: Range, queue: string | undefined): Promise<StatisticsView> {
    const names =
      queue === undefined
        ? this.queues.all.map(({ name }) => name)
        : [(await this.follow.withNewest(queue, () => this.queues.named(queue))).name];
    const queues = await Promise.all(
      names.map(async (name) => ({ queue: name, ...(await this.of(name, range, queueFigures)) })),
    );
    return { ...range, relativeError, queues, realm: await this.of('', range, realmFigures) };
  }

  /** The whole is of the same counts as its steps, so it is their sum. */
  private async of<Figures extends object>(
    queue: string,
    { from, to, step }: Range,
    figuresOf: (counts: Counts) => Figures,
  ): Promise<{ total: Figures; points: (Figures & { at: number })[] }> {
    const stepMs = statisticsSteps[step];
    const times = Array.from({ length: (to - from) / stepMs + 1 }, (_, i) => from + i * stepMs);
    const noted = await this.minutes.at(queue, times);
    const points = noted.slice(0, -1).flatMap((before, i) => {
      const counts = counted(before, noted[i + 1]);
      return counts ? [{ at: times[i] ?? 0, ...figuresOf(counts) }] : [];
    });
    return { total: figuresOf(counted(noted[0], noted.at(-1)) ?? new Map()), points };
  }
}

/** What was counted between two notes; null if both are one: nobody looked in between. */
function counted(before: NotedCounts | undefined, after: NotedCounts | undefined): Counts | null {
  return before && after && before.id !== after.id ? between(before.counts, after.counts) : null;
}

function queueFigures(counts: Counts): StatisticsView['queues'][number]['total'] {
  const of = (name: string): number => counts.get(name) ?? 0;
  return {
    waiting: mean(counts, 'waiting'),
    accepted: of('accepted'),
    matched: totalOf(counts, 'waited'),
    matches: totalOf(counts, 'gap'),
    assigned: of('assigned'),
    cancelled: of('cancelled'),
    expired: of('expired'),
    failed: of('failed'),
    matchMs: quantilesOf(counts, 'waited'),
    teamGap: quantilesOf(counts, 'gap', 1_000),
    favouriteLead: quantilesOf(counts, 'lead', 100_000),
  };
}

function realmFigures(counts: Counts): StatisticsView['realm']['total'] {
  const used = mean(counts, 'slots-used', 'slots-notes');
  const free = mean(counts, 'slots-free', 'slots-notes');
  return {
    slots: used === null || free === null ? null : { used, free },
    deadJobs: mean(counts, 'jobs-dead'),
    retryingJobs: mean(counts, 'jobs-retrying'),
  };
}

/** The mean of what notes saw, with one decimal; null without a note. */
function mean(counts: Counts, name: string, notes = 'notes'): number | null {
  const looks = counts.get(notes) ?? 0;
  return looks === 0 ? null : Math.round((10 * (counts.get(name) ?? 0)) / looks) / 10;
}
