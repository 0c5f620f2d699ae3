import { Text } from '@mantine/core';
import type { AnswerOf } from '@muster/contracts';
import { useMemo, type ReactElement } from 'react';
import { useAsked } from '../live/use-call.js';
import { useSession } from '../session/session.js';
import { Chart } from '../ui/charts/chart.js';
import { Panel } from '../ui/panel.js';
import { Empty, Shown } from '../ui/states.js';

const shownMs = 48 * 3_600_000;

/** Dead letters and jobs to be retried, over the time that statistics are kept for. */
export function FailedJobs(): ReactElement {
  const { operator } = useSession();
  const statistics = useAsked(
    ['readStatistics', { of: 'failed jobs' }],
    (signal) => operator.statistics({ from: Date.now() - shownMs }, { signal }),
    { everyMs: 60_000 },
  );
  return (
    <Panel title="Failed jobs, last two days">
      <Shown of={statistics}>{({ realm }) => <Drawn points={realm.points} />}</Shown>
      <Text size="xs" c="dimmed" mt="xs">
        The outbox lag is in the metrics: <code>muster_outbox_lag_seconds</code>.
      </Text>
    </Panel>
  );
}

function Drawn({ points }: { readonly points: AnswerOf<'readStatistics'>['realm']['points'] }): ReactElement {
  const x = useMemo(() => points.map(({ at }) => at), [points]);
  const series = useMemo(
    () => [
      { label: 'Dead letters', values: points.map(({ deadJobs }) => deadJobs) },
      { label: 'To be retried', values: points.map(({ retryingJobs }) => retryingJobs) },
    ],
    [points],
  );
  if (points.length === 0) return <Empty>No data yet. Jobs are counted once a minute.</Empty>;
  return <Chart label="Dead letters and jobs to be retried, over time" unit="jobs" x={x} series={series} />;
}
