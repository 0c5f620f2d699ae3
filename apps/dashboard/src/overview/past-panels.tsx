import { Card, Group, NativeSelect, SimpleGrid, Title } from '@mantine/core';
import { useMemo, type ReactElement } from 'react';
import { RangeChoice, useRange } from '../past/range-choice.js';
import type { Statistics } from '../past/steps.js';
import { usePast } from '../past/use-past.js';
import { Chart } from '../ui/charts/chart.js';
import { useFilters } from '../ui/filters.js';
import { Panel } from '../ui/panel.js';
import { Shown } from '../ui/states.js';
import { ChancesPanel } from './chances.js';
import { chartsOf } from './charts.js';

/** The past of one queue or all, as charts; the address says of which time and queue. */
export function PastPanels(): ReactElement {
  const { queue } = useFilters().filters;
  const past = usePast(useRange());
  return (
    <>
      <Card withBorder padding="xs">
        <Group justify="space-between" gap="xs">
          <Title order={2}>Over time</Title>
          <Group gap="xs">
            <QueueChoice queues={past.data?.queues.map((each) => each.queue) ?? []} />
            <RangeChoice />
          </Group>
        </Group>
      </Card>
      <Shown of={past}>{(answer) => <Charts statistics={answer} queue={queue} />}</Shown>
    </>
  );
}

function Charts({
  statistics,
  queue,
}: {
  readonly statistics: Statistics;
  readonly queue: string | undefined;
}): ReactElement {
  const { x, charts } = useMemo(() => chartsOf(statistics, queue, Date.now()), [statistics, queue]);
  return (
    <SimpleGrid type="container" cols={{ base: 1, '640px': 2, '1000px': 3, '1700px': 4 }}>
      {charts.map((chart) => (
        <Panel key={chart.label} title={chart.label}>
          <Chart x={x} {...chart} />
        </Panel>
      ))}
      <ChancesPanel queue={queue} />
    </SimpleGrid>
  );
}

function QueueChoice({ queues }: { readonly queues: readonly string[] }): ReactElement | null {
  const { filters, setFilters } = useFilters();
  const { queue = '' } = filters;
  if (queues.length < 2 && queue === '') return null;
  return (
    <NativeSelect
      size="xs"
      aria-label="Queue"
      data={[{ value: '', label: 'All queues' }, ...new Set([...queues, ...(queue === '' ? [] : [queue])])]}
      value={queue}
      onChange={({ currentTarget: { value } }) => setFilters({ queue: value })}
    />
  );
}
