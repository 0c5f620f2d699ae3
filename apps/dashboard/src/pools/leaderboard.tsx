import { Alert, Button, Group, Text } from '@mantine/core';
import type { AnswerOf } from '@muster/contracts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useCall } from '../live/use-call.js';
import { FilterBar, TextFilter } from '../ui/filters.js';
import { PlayerLink } from '../ui/links/links.js';
import { Panel } from '../ui/panel.js';
import { Shown } from '../ui/states.js';
import { DataTable, type Column } from '../ui/table.js';
import { numberWords } from '../ui/values/words.js';
import { positionOf } from './position.js';

const onOnePage = 50;
type Row = AnswerOf<'readLeaderboard'>['rows'][number];

/** Ranks of a pool: from the top, in pages, or around a player. */
export function Leaderboard({ pool }: { readonly pool: string }): ReactElement {
  const search = useSearch({ from: '/pools/$pool' });
  const { around, region } = search;
  const from = positionOf(search['from']);
  const board = useCall(
    'readLeaderboard',
    {
      params: { pool },
      query: {
        limit: onOnePage,
        ...(region === undefined ? {} : { region }),
        ...(around === undefined ? { from } : { around }),
      },
    },
    { everyMs: 10_000 },
  );
  return (
    <Panel title="Leaderboard">
      <FilterBar>
        <TextFilter name="around" label="Around player" placeholder="id" />
        <TextFilter name="region" label="Region" placeholder="all" />
      </FilterBar>
      <Shown of={board}>
        {({ players, rows, notRanked, season }) => (
          <>
            <Text size="sm" c="dimmed">
              {numberWords(players)} ranked {players === 1 ? 'player' : 'players'}
              {season === null ? '' : ` in season ${season}`}
              {region === undefined ? '' : `, region ${region}`}. By the mean of the rating; it follows
              results within a second.
            </Text>
            {notRanked !== null && (
              <Alert title={`${around ?? 'The player'} is not ranked`}>{notRanked}</Alert>
            )}
            <DataTable
              caption="Ranked players, the best first"
              rows={rows}
              columns={columns}
              keyOf={({ playerId }) => playerId}
              empty="No ranked players. A player is ranked once the division is visible: after the first matches in the pool and the placement matches of the season."
            />
            {around === undefined && <Turn from={from} players={players} />}
          </>
        )}
      </Shown>
    </Panel>
  );
}

const columns: readonly Column<Row>[] = [
  { header: 'Rank', cell: ({ rank }) => numberWords(rank), by: ({ rank }) => rank, isNumber: true },
  {
    header: 'Player',
    cell: ({ playerId, name }) => <PlayerLink id={playerId} name={name} />,
    by: ({ playerId }) => playerId,
  },
  { header: 'Division', cell: ({ division }) => division },
  { header: 'Rating', cell: ({ mu }) => numberWords(mu), by: ({ mu }) => mu ?? 0, isNumber: true },
  {
    header: 'Matches',
    cell: ({ matches }) => numberWords(matches),
    by: ({ matches }) => matches,
    isNumber: true,
  },
];

function Turn({ from, players }: { readonly from: number; readonly players: number }): ReactElement | null {
  const navigate = useNavigate({ from: '/pools/$pool' });
  const search = useSearch({ from: '/pools/$pool' });
  if (players <= onOnePage && from === 1) return null;
  const go = (position: number): void =>
    void navigate({ search: { ...search, from: position === 1 ? undefined : String(position) } });
  return (
    <Group gap="xs" component="nav" aria-label="Pages of the leaderboard">
      <Button size="xs" variant="default" disabled={from === 1} onClick={() => go(1)}>
        Top
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={from === 1}
        onClick={() => go(Math.max(1, from - onOnePage))}
      >
        Above
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={from + onOnePage > players}
        onClick={() => go(from + onOnePage)}
      >
        Below
      </Button>
    </Group>
  );
}
