import { SegmentedControl, SimpleGrid, Stack, Title } from '@mantine/core';
import type { AnswerOf } from '@muster/contracts';
import { useMemo, type ReactElement } from 'react';
import { Chart, type Series } from '../ui/charts/chart.js';
import { Panel } from '../ui/panel.js';
import { Empty, Shown } from '../ui/states.js';
import { numberWords, percentWords } from '../ui/values/words.js';
import type { useCall } from '../live/use-call.js';

type Point = AnswerOf<'readStatistics'>['queues'][number]['points'][number];

export const spans = {
  hour: { label: 'Hour', words: 'in the last hour', ms: 3_600_000 },
  hours: { label: '6 hours', words: 'in the last 6 hours', ms: 21_600_000 },
  days: { label: '2 days', words: 'in the last 2 days', ms: 172_800_000 },
} as const;
export type Span = keyof typeof spans;
export const spanOf = (name: string | undefined): Span =>
  name === 'hours' || name === 'days' ? name : 'hour';

interface Drawn {
  readonly title: string;
  readonly unit: string;
  readonly words: (value: number) => string;
  readonly lines: readonly { readonly label: string; readonly of: (point: Point) => number | null }[];
}

const charts: readonly Drawn[] = [
  {
    title: 'Waiting tickets',
    unit: 'Tickets, the mean of a step.',
    words: numberWords,
    lines: [{ label: 'waiting', of: ({ waiting }) => waiting }],
  },
  {
    title: 'Time to match',
    unit: 'Seconds from queueing to the proposal of a match.',
    words: (ms) => `${numberWords(ms / 1_000)} s`,
    lines: [
      { label: 'p50', of: ({ matchMs }) => matchMs?.p50 ?? null },
      { label: 'p95', of: ({ matchMs }) => matchMs?.p95 ?? null },
    ],
  },
  {
    title: 'Tickets',
    unit: 'Tickets in a step.',
    words: numberWords,
    lines: [
      { label: 'accepted', of: ({ accepted }) => accepted },
      { label: 'matched', of: ({ matched }) => matched },
      { label: 'cancelled', of: ({ cancelled }) => cancelled },
      { label: 'expired', of: ({ expired }) => expired },
      { label: 'failed', of: ({ failed }) => failed },
    ],
  },
  {
    title: 'Fairness',
    unit: 'The favourite’s lead over an even chance, in matches of two teams.',
    words: (value) => percentWords(value, 1),
    lines: [
      { label: 'p50', of: ({ favouriteLead }) => favouriteLead?.p50 ?? null },
      { label: 'p95', of: ({ favouriteLead }) => favouriteLead?.p95 ?? null },
    ],
  },
];

/** The figures of a queue over time. */
export function QueueStatistics({
  statistics,
  span,
  select,
}: {
  readonly statistics: ReturnType<typeof useCall<'readStatistics'>>;
  readonly span: Span;
  readonly select: (span: Span) => void;
}): ReactElement {
  return (
    <Panel
      title="Over time"
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Time shown"
          value={span}
          onChange={(value) => select(spanOf(value))}
          data={Object.entries(spans).map(([value, { label }]) => ({ value, label }))}
        />
      }
    >
      <Shown of={statistics}>
        {({ queues: [queue] }) =>
          queue && queue.points.length > 0 ? (
            <SimpleGrid cols={{ base: 1, md: 2, xl: 4 }}>
              {charts.map((chart) => (
                <Lines key={chart.title} chart={chart} points={queue.points} />
              ))}
            </SimpleGrid>
          ) : (
            <Empty>No data for this time yet. Figures are recorded every minute.</Empty>
          )
        }
      </Shown>
    </Panel>
  );
}

function Lines({
  chart,
  points,
}: {
  readonly chart: Drawn;
  readonly points: readonly Point[];
}): ReactElement {
  const x = useMemo(() => points.map(({ at }) => at), [points]);
  const series = useMemo(
    (): Series[] => chart.lines.map(({ label, of }) => ({ label, values: points.map(of) })),
    [chart, points],
  );
  return (
    <Stack gap={4}>
      <Title order={3}>{chart.title}</Title>
      <Chart label={chart.title} unit={chart.unit} x={x} series={series} words={chart.words} />
    </Stack>
  );
}
