import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { useCall } from '../live/use-call.js';
import { ChoiceFilter, FilterBar, Pager, TextFilter, useFilters } from '../ui/filters.js';
import { MatchLink, PlayerLink, QueueLink, ServerLink } from '../ui/links/links.js';
import { Page } from '../ui/page.js';
import { Panel } from '../ui/panel.js';
import { Shown } from '../ui/states.js';
import { DataTable, type Column } from '../ui/table.js';
import { TimeFilter } from '../ui/values/time-filter.js';
import { Ago, Took } from '../ui/values/time.js';
import { percentWords } from '../ui/values/words.js';
import { longestWaitOf, teamsOf, type Match } from './match.js';
import { resultWords, stateColour, stateWords } from './match-words.js';
import { queryOf } from './matches-query.js';

const everyMs = 10_000;
const ranges = [
  ['Last hour', 3_600_000],
  ['Last 24 hours', 86_400_000],
  ['Last 7 days', 604_800_000],
] as const;

/** Matches by state, queue, pool, player, server, region, map and time. */
export function MatchesPage(): ReactElement {
  const { filters } = useFilters();
  const [openedAt] = useState(() => Date.now());
  const { query, isOfLastDay, isOfEnded } = queryOf(filters, openedAt);
  const matches = useCall('listMatches', { query }, { everyMs });
  return (
    <Page title="Matches">
      <Filters />
      <Panel title={isOfEnded ? 'Matches by their end' : 'Matches by when they were formed'}>
        {isOfLastDay && (
          <Text size="sm" mb="xs">
            Of the last 24 hours: by queue, server, region and map, matches are searched within a time. Set
            “Ended from” for another one.
          </Text>
        )}
        {isOfEnded && (
          <Text size="sm" c="dimmed" mb="xs">
            A time is that of the end: matches that are not over are not listed.
          </Text>
        )}
        <Shown of={matches}>
          {(answer) => (
            <Stack gap="sm">
              <DataTable
                caption="Matches"
                rows={answer.matches}
                columns={columnsOf(answer.matches)}
                keyOf={({ matchId }) => matchId}
                empty="No match fits these filters. Matches stand here as soon as their teams are made."
              />
              <Pager next={answer.next} />
            </Stack>
          )}
        </Shown>
      </Panel>
    </Page>
  );
}

function Filters(): ReactElement {
  const { setFilters } = useFilters();
  const queues = useCall('listQueues', {});
  const pools = useCall('listPools', {});
  const maps = [...new Set(queues.data?.queues.flatMap((queue) => queue.maps?.names ?? []))];
  return (
    <Stack gap="xs">
      <FilterBar>
        <TextFilter name="playerId" label="Player" placeholder="id" />
        <ChoiceFilter
          name="state"
          label="State"
          choices={Object.entries(stateWords).map(([value, label]) => ({ value, label }))}
        />
        <ChoiceFilter
          name="queue"
          label="Queue"
          choices={queues.data?.queues.map(({ name }) => name) ?? []}
        />
        <ChoiceFilter name="pool" label="Pool" choices={pools.data?.pools.map(({ name }) => name) ?? []} />
        <TextFilter name="serverId" label="Server" placeholder="id" />
        <TextFilter name="region" label="Region" />
        {maps.length > 0 ? (
          <ChoiceFilter name="map" label="Map" choices={maps} />
        ) : (
          <TextFilter name="map" label="Map" />
        )}
        <TimeFilter name="from" label="Ended from" />
        <TimeFilter name="to" label="Ended before" />
        <ChoiceFilter
          name="order"
          label="Order"
          any="newest first"
          choices={[{ value: 'oldest', label: 'oldest first' }]}
        />
      </FilterBar>
      <Group gap="xs">
        {ranges.map(([label, ms]) => (
          <Button
            key={label}
            size="compact-xs"
            variant="default"
            onClick={() => setFilters({ from: new Date(Date.now() - ms).toISOString(), to: undefined })}
          >
            {label}
          </Button>
        ))}
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => setFilters(Object.fromEntries(names.map((name) => [name, undefined])))}
        >
          No filters
        </Button>
      </Group>
    </Stack>
  );
}

const names = ['playerId', 'state', 'queue', 'pool', 'serverId', 'region', 'map', 'from', 'to', 'order'];

/** More players would hide the rest. */
const shownPlayers = 20;

const columnsOf = (matches: readonly Match[]): readonly Column<Match>[] => [
  {
    header: 'Match',
    cell: ({ matchId }) => (
      <span className="one-line">
        <MatchLink id={matchId} />
      </span>
    ),
  },
  {
    header: 'State',
    cell: ({ state, closeReason }) => (
      <Badge color={stateColour[state]} variant="light" title={closeReason ?? undefined}>
        {stateWords[state]}
      </Badge>
    ),
    by: ({ state }) => state,
  },
  { header: 'Formed', cell: ({ formedAt }) => <Ago at={formedAt} />, by: ({ formedAt }) => formedAt ?? 0 },
  {
    header: 'Queue',
    cell: ({ queue }) => (queue === null ? 'played elsewhere' : <QueueLink id={queue} />),
    by: ({ queue }) => queue ?? '',
  },
  { header: 'Teams', cell: (match) => <Teams match={match} /> },
  {
    header: 'Chances',
    cell: ({ prediction }) => (
      <span className="one-line">{prediction.map((chance) => percentWords(chance)).join(' : ') || '–'}</span>
    ),
    by: ({ prediction }) => Math.max(...prediction, 0),
  },
  { header: 'Result', cell: (match) => <span className="one-line">{resultWords(match) || '–'}</span> },
  {
    header: 'Longest wait',
    isNumber: true,
    cell: (match) => <Took ms={longestWaitOf(match)} />,
    by: (match) => longestWaitOf(match) ?? 0,
  },
  {
    header: 'Server',
    cell: ({ serverId }) => (serverId === null ? '–' : <ServerLink id={serverId} />),
    by: ({ serverId }) => serverId ?? '',
  },
  ...(matches.some(({ region }) => region !== null)
    ? [
        {
          header: 'Region',
          cell: ({ region }: Match) => region ?? '–',
          by: ({ region }: Match) => region ?? '',
        },
      ]
    : []),
  ...(matches.some(({ map }) => map !== null)
    ? [{ header: 'Map', cell: ({ map }: Match) => map ?? '–', by: ({ map }: Match) => map ?? '' }]
    : []),
  {
    header: 'Ended',
    cell: ({ endedAt, closedAt }) => <Ago at={endedAt ?? closedAt} />,
    by: ({ endedAt, closedAt }) => endedAt ?? closedAt ?? 0,
  },
];

/** A line for each team. */
function Teams({ match }: { readonly match: Match }): ReactElement {
  if (match.players.length > shownPlayers) return <>{match.players.length} players</>;
  return (
    <Text size="xs" component="div">
      {teamsOf(match).map((team, t) => (
        <div key={t} className="one-line">
          {team.map(({ playerId, name }, i) => (
            <span key={playerId}>
              {i > 0 && ', '}
              <PlayerLink id={playerId} name={name} />
            </span>
          ))}
        </div>
      ))}
    </Text>
  );
}
