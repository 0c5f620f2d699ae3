import type { AnswerOf } from '@muster/contracts';

type InForce = AnswerOf<'listQueues'>['queues'][number];
type Statistics = AnswerOf<'readStatistics'>;
type Figures = Statistics['queues'][number]['total'];

/** A queue with its figures of a time; null where there are none. */
export interface QueueRow {
  readonly name: string;
  readonly inForce: InForce;
  /** Tickets at the last look. */
  readonly waiting: number | null;
  readonly lately: Figures | null;
}

/** The queues, each with what the statistics have of it. */
export function queueRows(queues: readonly InForce[], statistics: Statistics | undefined): QueueRow[] {
  return queues.map((inForce) => {
    const found = statistics?.queues.find(({ queue }) => queue === inForce.name);
    const looks = found?.points.filter(({ waiting }) => waiting !== null) ?? [];
    return {
      name: inForce.name,
      inForce,
      waiting: looks.at(-1)?.waiting ?? null,
      lately: found?.total ?? null,
    };
  });
}
