import { Badge, Text } from '@mantine/core';
import type { AnswerOf } from '@muster/contracts';
import type { ReactElement } from 'react';
import { useCall } from '../live/use-call.js';
import { PoolLink } from '../ui/links/links.js';
import { Page } from '../ui/page.js';
import { Panel } from '../ui/panel.js';
import { Shown } from '../ui/states.js';
import { DataTable, type Column } from '../ui/table.js';
import { numberWords } from '../ui/values/words.js';
import { CreatePool } from './create-pool.js';
import { healthWord } from './health-word.js';

type Pool = AnswerOf<'listPools'>['pools'][number];

/** The rating pools. */
export function PoolsPage(): ReactElement {
  const pools = useCall('listPools', {}, { everyMs: 30_000 });
  return (
    <Page title="Pools" actions={<CreatePool />}>
      <Panel title="Rating pools">
        <Text size="sm" c="dimmed" mb="xs">
          A pool is one set of ratings, for one game mode. Queues name the pool that their matches are rated
          in.
        </Text>
        <Shown of={pools}>
          {(answer) => (
            <DataTable
              caption="Rating pools with their models and health"
              rows={answer.pools}
              columns={columns}
              keyOf={({ name }) => name}
              empty="No pools. Create one, or name them in the setting POOLS."
            />
          )}
        </Shown>
      </Panel>
    </Page>
  );
}

const columns: readonly Column<Pool>[] = [
  { header: 'Pool', cell: ({ name }) => <PoolLink id={name} />, by: ({ name }) => name },
  {
    header: 'Game mode',
    cell: ({ gameMode, modifiers }) => [gameMode ?? '–', ...modifiers].join(', '),
    by: ({ gameMode }) => gameMode ?? '',
  },
  { header: 'Model', cell: ({ rules }) => rules.model, by: ({ rules }) => rules.model },
  { header: 'Players', cell: ({ name }) => <Figures pool={name} of="players" />, isNumber: true },
  { header: 'Rated matches', cell: ({ name }) => <Figures pool={name} of="matches" />, isNumber: true },
  { header: 'Health', cell: ({ name }) => <Figures pool={name} of="health" /> },
  { header: 'Rules version', cell: ({ version }) => version, by: ({ version }) => version, isNumber: true },
];

/** How many matches the figures are of; no call says how many there are beyond them. */
const latest = 10_000;

function Figures({
  pool,
  of,
}: {
  readonly pool: string;
  readonly of: 'players' | 'matches' | 'health';
}): ReactElement {
  const health = useCall(
    'readPoolHealth',
    { params: { pool }, query: { matches: latest, periods: 10 } },
    { everyMs: 60_000 },
  );
  if (!health.data) return <>{health.error ? 'unavailable' : '…'}</>;
  const { players, overall } = health.data;
  if (of === 'players') return <>{numberWords(players)}</>;
  const { matches } = overall.calibrated;
  if (of === 'matches')
    return <>{matches >= latest ? `${numberWords(latest)} or more` : numberWords(matches)}</>;
  const { word, colour, why } = healthWord(health.data);
  return (
    <Badge variant="light" color={colour} title={why}>
      {word}
    </Badge>
  );
}
