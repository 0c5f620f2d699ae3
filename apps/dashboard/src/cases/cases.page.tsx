import { Badge, Stack } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useCall } from '../live/use-call.js';
import { ChoiceFilter, FilterBar, Pager, TextFilter, useFilters } from '../ui/filters.js';
import { PlayerLinks, PoolLink, ServerLink } from '../ui/links/links.js';
import { Page } from '../ui/page.js';
import { Panel } from '../ui/panel.js';
import { Shown } from '../ui/states.js';
import { DataTable, type Column } from '../ui/table.js';
import { Ago } from '../ui/values/time.js';
import { numberWords } from '../ui/values/words.js';
import { chanceWords, kindWords, verdictWords, type Case } from './case-words.js';

const pageSize = 100;
const kinds = Object.entries(kindWords).map(([value, label]) => ({ value, label }));
const isKind = (kind: string | undefined): kind is Case['kind'] =>
  kind !== undefined && Object.hasOwn(kindWords, kind);

/** Cases that signals of integrity opened. */
export function CasesPage(): ReactElement {
  const { state, kind, pool, player, cursor } = useSearch({ from: '/cases' });
  const isClosed = state === 'closed';
  const cases = useCall(
    'listCases',
    {
      query: {
        state: isClosed ? 'closed' : 'open',
        kind: isKind(kind) ? kind : undefined,
        pool,
        player,
        after: cursor,
        limit: pageSize,
      },
    },
    { everyMs: 60_000 },
  );
  return (
    <Page title="Cases">
      <FilterBar>
        <ChoiceFilter name="state" label="State" any="open" choices={['closed']} />
        <ChoiceFilter name="kind" label="Signal" choices={kinds} />
        <TextFilter name="pool" label="Pool" />
        <TextFilter name="player" label="Player" />
      </FilterBar>
      <Panel title={isClosed ? 'Closed cases' : 'Open cases'}>
        <Shown of={cases}>
          {(answer) => (
            <Stack gap="sm">
              <DataTable
                caption={isClosed ? 'Closed cases, newest first' : 'Open cases, newest first'}
                rows={answer.cases}
                columns={isClosed ? [...columns, ...ofClosed] : columns}
                keyOf={({ caseId }) => caseId}
                empty={<Nothing />}
              />
              <Pager next={answer.cases.length < pageSize ? null : answer.cases.at(-1)?.caseId} />
            </Stack>
          )}
        </Shown>
      </Panel>
    </Page>
  );
}

function Nothing(): ReactElement {
  const { filters } = useFilters();
  const isFiltered = ['kind', 'pool', 'player'].some((name) => filters[name] !== undefined);
  if (isFiltered) return <>No cases match the filters.</>;
  if (filters['state'] === 'closed')
    return <>No closed cases. A case is listed here with its verdict when it is closed.</>;
  return (
    <>
      No open cases. A pool opens cases when it watches its results for signs of cheating:{' '}
      <code>muster pools change POOL --integrity watch</code>.
    </>
  );
}

const columns: readonly Column<Case>[] = [
  {
    header: 'Signal',
    cell: ({ caseId, kind, outdated }) => (
      <>
        <Link to="/cases/$caseId" params={{ caseId }}>
          {kindWords[kind]}
        </Link>
        {outdated && (
          <Badge ml="xs" color="gray" variant="light">
            outdated
          </Badge>
        )}
      </>
    ),
    by: ({ kind }) => kindWords[kind],
  },
  {
    header: 'About',
    cell: ({ players, server }) =>
      server === null ? (
        <PlayerLinks ids={players} />
      ) : (
        <>
          server <ServerLink id={server} />
        </>
      ),
    by: ({ players, server }) => server ?? players.join(' '),
  },
  { header: 'Pool', cell: ({ pool }) => <PoolLink id={pool} />, by: ({ pool }) => pool },
  {
    header: 'Evidence',
    cell: ({ evidence }) => `${numberWords(evidence)} times`,
    by: ({ evidence }) => evidence,
    isNumber: true,
  },
  {
    header: 'By luck',
    cell: ({ byChance }) => chanceWords(byChance),
    by: ({ byChance }) => byChance,
    isNumber: true,
  },
  {
    header: 'Matches',
    cell: ({ matches }) => numberWords(matches),
    by: ({ matches }) => matches,
    isNumber: true,
  },
  { header: 'Opened', cell: ({ openedAt }) => <Ago at={openedAt} />, by: ({ openedAt }) => openedAt },
  { header: 'Last found', cell: ({ updatedAt }) => <Ago at={updatedAt} />, by: ({ updatedAt }) => updatedAt },
];

const ofClosed: readonly Column<Case>[] = [
  {
    header: 'Verdict',
    cell: ({ verdict }) => verdict && verdictWords[verdict],
    by: ({ verdict }) => verdict ?? '',
  },
  { header: 'Closed', cell: ({ closedAt }) => <Ago at={closedAt} />, by: ({ closedAt }) => closedAt ?? 0 },
  { header: 'By', cell: ({ closedBy }) => closedBy, by: ({ closedBy }) => closedBy ?? '' },
];
