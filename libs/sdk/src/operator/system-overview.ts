import type { AnswerOf } from '@muster/contracts';
import type { OperatorClient } from '../operator-client.js';

/** How a queue is doing. */
export interface QueueOverview {
  readonly queue: string;
  readonly paused: boolean;
  readonly waiting: number;
  /** Half of the waiting tickets wait longer, and one in twenty, of the thousand that wait longest; null when none waits. */
  readonly waitedMs: { readonly p50: number; readonly p95: number } | null;
  /** How many of these wait for what, by rule. */
  readonly waitFor: Readonly<Record<string, number>>;
  /** Tickets a minute, and the times to match, of the last minutes. */
  readonly accepted: number;
  readonly matched: number;
  readonly matchMs: { readonly p50: number; readonly p95: number } | null;
}

const latelyMs = 300_000;
const mostLookedAt = 1_000;

/** How the system is doing at one moment. */
export interface SystemOverview {
  readonly maintenance: boolean;
  readonly queues: readonly QueueOverview[];
  readonly places: AnswerOf<'readCapacity'>['places'];
  /** Jobs between services, of all queues. */
  readonly jobs: Readonly<Record<'waiting' | 'active' | 'delayed' | 'dead', number>>;
  /** Results that contradict one that counted, and wait for a decision. */
  readonly conflicts: number;
}

/** Asks the services how they are doing: several calls at once. */
export async function readOverview(operator: OperatorClient): Promise<SystemOverview> {
  const [{ queues, maintenance }, lately, { places }, { queues: jobQueues }, { conflicts }] =
    await Promise.all([
      operator.queues(),
      operator.statistics({ from: Date.now() - latelyMs }),
      operator.capacity(),
      operator.jobQueues(),
      operator.conflicts(),
    ]);
  const waits = await Promise.all(queues.map(({ name }) => operator.waiting(name, { limit: mostLookedAt })));
  const sum = (state: keyof SystemOverview['jobs']): number =>
    jobQueues.reduce((all, each) => all + each[state], 0);
  return {
    maintenance: maintenance !== undefined,
    queues: queues.map(({ name, paused }, i) => ({
      ...queueOverview(name, paused !== undefined, waits[i]),
      ...rates(lately, name),
    })),
    places,
    jobs: { waiting: sum('waiting'), active: sum('active'), delayed: sum('delayed'), dead: sum('dead') },
    conflicts: conflicts.filter(({ decision }) => !decision).length,
  };
}

type Rates = Pick<QueueOverview, 'accepted' | 'matched' | 'matchMs'>;

/** Nothing is noted of a queue that is new. */
function rates({ from, to, queues }: AnswerOf<'readStatistics'>, queue: string): Rates {
  const {
    accepted = 0,
    matched = 0,
    matchMs = null,
  } = queues.find((each) => each.queue === queue)?.total ?? {};
  const minutes = Math.max(1, (to - from) / 60_000);
  return { accepted: accepted / minutes, matched: matched / minutes, matchMs };
}

function queueOverview(
  queue: string,
  paused: boolean,
  { waiting: tickets, total }: Pick<AnswerOf<'listWaiting'>, 'waiting' | 'total'> = { waiting: [], total: 0 },
): Omit<QueueOverview, keyof Rates> {
  const waited = tickets.map(({ waitedMs }) => waitedMs).toSorted((a, b) => a - b);
  const at = (share: number): number => waited[Math.floor(share * waited.length)] ?? 0;
  const waitFor = new Map<string, number>();
  for (const { rule } of tickets) waitFor.set(rule, (waitFor.get(rule) ?? 0) + 1);
  return {
    queue,
    paused,
    waiting: total,
    waitedMs: waited.length === 0 ? null : { p50: at(0.5), p95: at(0.95) },
    waitFor: Object.fromEntries(waitFor),
  };
}
