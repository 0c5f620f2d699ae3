import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useMemo, useState, type ReactElement } from 'react';
import { useAsked } from '../../live/use-call.js';
import { useSession } from '../../session/session.js';
import { Chart } from '../../ui/charts/chart.js';
import { Panel } from '../../ui/panel.js';
import { Empty, Shown } from '../../ui/states.js';
import { At } from '../../ui/values/time.js';
import { numberWords } from '../../ui/values/words.js';
import { ChangesTable } from './changes-table.js';
import { courseOf, otherThanMatches, readHistory, thinned, type Change } from './rating-history.js';

/** Changes that are read at first. A player with thousands of matches reads the rest on demand. */
const atFirst = 1_000;

/** How a rating came about: its course with the uncertainty, and what no match did. */
export function HistoryPanel({
  playerId,
  pool,
  pools,
  choose,
}: {
  readonly playerId: string;
  readonly pool: string;
  readonly pools: readonly string[];
  readonly choose: (pool: string) => void;
}): ReactElement {
  const { operator } = useSession();
  const [isWhole, setWhole] = useState(false);
  const most = isWhole ? Infinity : atFirst;
  const history = useAsked(
    ['historyOfPlayer', { params: { playerId, pool }, query: { isWhole } }],
    (signal) => readHistory(operator, pool, playerId, most, signal),
    { everyMs: 120_000 },
  );
  return (
    <Panel
      title={`Rating history in ${pool}`}
      actions={
        pools.length > 1 && (
          <NativeSelect
            size="xs"
            aria-label="Pool of the history"
            data={[...pools]}
            value={pool}
            onChange={(event) => choose(event.currentTarget.value)}
          />
        )
      }
    >
      <Shown of={history}>
        {(changes) => (
          <Stack gap="sm">
            <Course pool={pool} changes={changes} />
            {changes.length >= atFirst && !isWhole && (
              <Group gap="xs">
                <Text size="sm">The last {numberWords(changes.length)} changes.</Text>
                <Button
                  size="xs"
                  variant="default"
                  loading={history.isFetching}
                  onClick={() => setWhole(true)}
                >
                  Load all
                </Button>
              </Group>
            )}
            <ChangesTable changes={otherThanMatches(changes)} />
          </Stack>
        )}
      </Shown>
    </Panel>
  );
}

function Course({
  pool,
  changes,
}: {
  readonly pool: string;
  readonly changes: readonly Change[];
}): ReactElement {
  const course = useMemo(() => courseOf(changes), [changes]);
  const drawn = useMemo(() => thinned(course), [course]);
  const x = useMemo(() => drawn.map(({ at }) => at), [drawn]);
  const series = useMemo(
    () => [
      { label: 'rating', values: drawn.map(({ mu }) => mu) },
      {
        label: 'rating − uncertainty',
        values: drawn.map(({ mu, sigma }) => mu - sigma),
        isBand: true,
        isEdge: true,
      },
      { label: 'rating + uncertainty', values: drawn.map(({ mu, sigma }) => mu + sigma), isEdge: true },
    ],
    [drawn],
  );
  const [first] = course;
  if (!first)
    return (
      <Empty>
        No changes yet. The first rated match, or a rating that an operator sets, begins the history.
      </Empty>
    );
  return (
    <>
      <Chart
        label={`The rating in ${pool} with its uncertainty, over time`}
        unit="rating points; the band is one uncertainty to either side"
        x={x}
        series={series}
        height={240}
      />
      <Text size="xs" c="dimmed">
        {numberWords(course.length)} ratings since <At at={first.at} />.
        {drawn.length < course.length &&
          ` The chart shows ${numberWords(drawn.length)} of them: the first, lowest, highest and last of each of 250 equal parts of the time.`}
      </Text>
    </>
  );
}
