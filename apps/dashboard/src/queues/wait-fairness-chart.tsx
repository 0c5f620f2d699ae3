import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, type ReactElement } from 'react';
import { useAsked } from '../live/use-call.js';
import { useSession } from '../session/session.js';
import { Chart } from '../ui/charts/chart.js';
import { Panel } from '../ui/panel.js';
import { Empty, Shown } from '../ui/states.js';
import { numberWords } from '../ui/values/words.js';
import { seriesOf, waitsAndLeads } from './wait-fairness.js';

const dayMs = 86_400_000;
const mostMatches = 200;

const points = (value: number): string => `${numberWords(value)} pp`;

/** Whether those who waited longer had less fair matches, by the newest matches of the queue. */
export function WaitFairness({ queue }: { readonly queue: string }): ReactElement {
  const { operator } = useSession();
  // Not by events: each of them would read all of these matches again.
  const matches = useAsked(
    ['waitAndFairness', queue],
    (signal) => operator.matches({ queue, from: Date.now() - dayMs, limit: mostMatches }, { signal }),
    { everyMs: 60_000 },
  );
  return (
    <Panel title="Waiting against fairness">
      <Shown of={matches}>{({ matches: found }) => <Drawn queue={queue} matches={found} />}</Shown>
    </Panel>
  );
}

function Drawn({
  queue,
  matches,
}: {
  readonly queue: string;
  readonly matches: Parameters<typeof waitsAndLeads>[0];
}): ReactElement {
  const { x, leads, medians, of } = useMemo(() => {
    const sorted = waitsAndLeads(matches);
    return { ...seriesOf(sorted), of: sorted.length };
  }, [matches]);
  const series = useMemo(
    () => [
      { label: 'a match', values: leads },
      { label: 'median of neighbours', values: medians, isTrend: true },
    ],
    [leads, medians],
  );
  if (of === 0)
    return <Empty>No match of this queue ended in the last day. Every match that ends is a dot here.</Empty>;
  return (
    <>
      <Chart
        label="The favourite’s lead of matches, by the longest wait of their tickets"
        unit="Favourite’s lead in percentage points (pp) above an even chance, by the longest wait of the match in seconds."
        x={x}
        xUnit="s waited"
        series={series}
        words={points}
        height={220}
        isScatter
      />
      <Text size="xs" c="dimmed">
        The newest {numberWords(of)} matches of this queue that ended in the last day, at most {mostMatches},
        by the chances that were predicted when their teams were made. Matches that still run are not among
        them, nor are tickets that gave up. It shows what was played under the rules of that time, not what
        longer waits would have brought: a{' '}
        <Link to="/queues/$queue/rules" params={{ queue }} search={{ view: 'change' }}>
          trial of other rules
        </Link>{' '}
        does.
      </Text>
    </>
  );
}
