import { Text } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { useMemo, type ReactElement } from 'react';
import { useAsked } from '../live/use-call.js';
import { useSession } from '../session/session.js';
import { MatchLink, PoolLink, QueueLink, ServerLink } from '../ui/links/links.js';
import { Pager } from '../ui/filters.js';
import { Panel } from '../ui/panel.js';
import { Shown } from '../ui/states.js';
import { DataTable, type Column } from '../ui/table.js';
import { Ago, Took } from '../ui/values/time.js';
import { percentWords, ratingWords, signedWords } from '../ui/values/words.js';
import { movedBy, outcomeOf, playerIn, type Match } from './played.js';

const onOnePage = 20;

/** A player's matches, newest first, each with what it did to the rating. */
export function PlayerMatches({ playerId }: { readonly playerId: string }): ReactElement {
  const { operator } = useSession();
  const { cursor } = useSearch({ from: '/players/$playerId' });
  const matches = useAsked(
    ['matchesOfPlayer', { params: { playerId }, query: { cursor } }],
    (signal) =>
      operator.matches(
        { playerId, limit: onOnePage, ...(cursor === undefined ? {} : { cursor }) },
        { signal },
      ),
    { everyMs: 60_000 },
  );
  const columns = useMemo(() => columnsFor(playerId), [playerId]);
  return (
    <Panel
      title="Matches"
      actions={
        <Text size="sm">
          <Link to="/matches" search={{ playerId }}>
            Filter by time and queue
          </Link>
        </Text>
      }
    >
      <Shown of={matches}>
        {(page) => (
          <>
            <DataTable
              caption="Matches of the player, newest first"
              rows={page.matches}
              columns={columns}
              keyOf={({ matchId }) => matchId}
              empty="None. Matches from queues and reported results are listed here."
            />
            <Pager next={page.next} />
          </>
        )}
      </Shown>
    </Panel>
  );
}

const columnsFor = (playerId: string): readonly Column<Match>[] => {
  const self = (match: Match) => playerIn(match, playerId);
  const moved = (match: Match): number | null => {
    const player = self(match);
    return player ? movedBy(player) : null;
  };
  const chance = (match: Match): number | null => match.prediction[self(match)?.team ?? -1] ?? null;
  return [
    {
      header: 'When',
      cell: ({ endedAt, formedAt }) => <Ago at={endedAt ?? formedAt} />,
      by: ({ endedAt, formedAt }) => endedAt ?? formedAt ?? 0,
    },
    { header: 'Match', cell: ({ matchId }) => <MatchLink id={matchId} /> },
    {
      header: 'Result',
      cell: (match) => outcomeOf(match, self(match)?.team),
      by: (match) => outcomeOf(match, self(match)?.team),
    },
    {
      header: 'Change',
      cell: (match) => signedWords(moved(match)),
      by: (match) => moved(match) ?? -Infinity,
      isNumber: true,
    },
    {
      header: 'Chance before',
      cell: (match) => percentWords(chance(match)),
      by: (match) => chance(match) ?? -1,
      isNumber: true,
    },
    {
      header: 'Rating before',
      cell: (match) => ratingWords(self(match)?.before),
      by: (match) => self(match)?.before?.mu ?? -Infinity,
      isNumber: true,
    },
    {
      header: 'Queue or pool',
      cell: ({ queue, pool }) => (queue === null ? <PoolLink id={pool} /> : <QueueLink id={queue} />),
      by: ({ queue, pool }) => queue ?? pool,
    },
    {
      header: 'Waited',
      cell: (match) => <Took ms={self(match)?.waitedMs} />,
      by: (match) => self(match)?.waitedMs ?? -1,
      isNumber: true,
    },
    {
      header: 'Server',
      cell: ({ serverId }) => (serverId === null ? '–' : <ServerLink id={serverId} />),
    },
  ];
};
