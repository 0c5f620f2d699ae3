import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import { moment } from '@muster/command-line/terminal/moment';
import { right, tableLines } from '@muster/command-line/terminal/table';
import type { StatisticsView } from '@muster/contracts';

type Figures = StatisticsView['queues'][number]['total'];

/** The longest waits and the least even matches are those of a twentieth. */
const figures = right(
  'waiting',
  'accepted',
  'matched',
  'p50 wait',
  'p95 wait',
  'p95 gap',
  'p95 lead',
  'cancelled',
  'expired',
  'failed',
);

export async function showStatistics(
  ask: Ask,
  queue: string | undefined,
  { hours }: { readonly hours: number },
): Promise<Answer> {
  const from = Date.now() - hours * 3_600_000;
  const view = await ask((operator) =>
    operator.statistics({ from, ...(queue === undefined ? {} : { queue }) }),
  );
  const [only] = queue === undefined ? [] : view.queues;
  const lines = only
    ? [
        ...only.points.map((point) => [moment(point.at), ...cellsOf(point)]),
        ['total', ...cellsOf(only.total)],
      ]
    : view.queues.map(({ queue: name, total }) => [name, ...cellsOf(total)]);
  const { slots, deadJobs } = view.realm.total;
  return {
    json: view,
    text: () => [
      ...tableLines([only ? 'from (UTC)' : 'queue', ...figures], lines),
      '',
      `Slots: ${slots ? `${slots.used} used, ${slots.free} free` : 'unknown'}. Dead letters: ${deadJobs ?? 'unknown'}.`,
    ],
  };
}

function cellsOf({ matchMs, teamGap, favouriteLead, ...counts }: Figures): string[] {
  const seconds = (ms: number | undefined): string =>
    ms === undefined ? '–' : `${(ms / 1_000).toFixed(1)} s`;
  return [
    String(counts.waiting ?? '–'),
    String(counts.accepted),
    String(counts.matched),
    seconds(matchMs?.p50),
    seconds(matchMs?.p95),
    teamGap ? teamGap.p95.toFixed(1) : '–',
    favouriteLead ? `${(100 * favouriteLead.p95).toFixed(0)} %` : '–',
    String(counts.cancelled),
    String(counts.expired),
    String(counts.failed),
  ];
}
