import { Text } from '@mantine/core';
import type { AnswerOf } from '@muster/contracts';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useAsked, useCall } from '../live/use-call.js';
import { useSession } from '../session/session.js';
import { MatchLink, QueueLink } from '../ui/links/links.js';
import { Panel } from '../ui/panel.js';
import { Shown } from '../ui/states.js';
import { DataTable, type Column } from '../ui/table.js';
import { Ago, Since, Took } from '../ui/values/time.js';
import { numberWords } from '../ui/values/words.js';
import type { Server } from './server-state.js';

type Match = AnswerOf<'listMatches'>['matches'][number];

const everyMs = 15_000;
/** More running matches of a server are not listed. */
const mostRunning = 500;
const mostEnded = 50;
const dayMs = 86_400_000;

const ofMatch: readonly Column<Match>[] = [
  { header: 'Match', cell: ({ matchId }) => <MatchLink id={matchId} /> },
  {
    header: 'Queue',
    by: ({ queue }) => queue ?? '',
    cell: ({ queue }) => (queue === null ? '–' : <QueueLink id={queue} />),
  },
  { header: 'Map', by: ({ map }) => map ?? '', cell: ({ map }) => map ?? '–' },
  {
    header: 'Players',
    isNumber: true,
    by: ({ players }) => players.length,
    cell: ({ players }) => numberWords(players.length),
  },
];

const running: readonly Column<Match>[] = [
  ...ofMatch,
  {
    header: 'Running for',
    isNumber: true,
    by: ({ placedAt }) => -(placedAt ?? 0),
    cell: ({ placedAt }) => (placedAt === null ? '–' : <Since at={placedAt} />),
  },
];

const ended: readonly Column<Match>[] = [
  ...ofMatch,
  { header: 'State', by: ({ state }) => state, cell: ({ state }) => state },
  {
    header: 'Ended',
    isNumber: true,
    by: (match) => endOf(match) ?? 0,
    cell: (match) => <Ago at={endOf(match)} />,
  },
  {
    header: 'Duration',
    isNumber: true,
    by: (match) => lastedMs(match) ?? -1,
    cell: (match) => <Took ms={lastedMs(match)} />,
  },
  { header: 'Close reason', cell: ({ closeReason }) => closeReason ?? '–' },
];

const endOf = ({ endedAt, closedAt }: Match): number | null => endedAt ?? closedAt;
function lastedMs(match: Match): number | null {
  const end = endOf(match);
  return end === null || match.placedAt === null ? null : end - match.placedAt;
}

/** What is played on a server now. */
export function RunningMatches({
  server: { serverId, slotsInUse },
}: {
  readonly server: Server;
}): ReactElement {
  const found = useCall(
    'listMatches',
    { query: { state: 'placed', serverId, limit: mostRunning } },
    { everyMs },
  );
  return (
    <Panel title="Running matches">
      <Shown of={found}>
        {({ matches }) => (
          <DataTable
            caption="Matches that are played on this server"
            rows={matches}
            columns={running}
            keyOf={({ matchId }) => matchId}
            empty={
              slotsInUse === 0
                ? 'No sessions are running. Matches placed on this server are listed here.'
                : 'A slot is reserved for a match that begins.'
            }
          />
        )}
      </Shown>
    </Panel>
  );
}

/** What was played on a server in the last day. */
export function EndedMatches({ serverId }: { readonly serverId: string }): ReactElement {
  const { calls } = useSession().operator;
  const found = useAsked(
    ['fleet ended', { params: { serverId } }],
    (signal) =>
      calls.listMatches({ query: { serverId, from: Date.now() - dayMs, limit: mostEnded } }, { signal }),
    { everyMs: 2 * everyMs },
  );
  return (
    <Panel
      title="Played in the last 24 hours"
      actions={
        <Link to="/matches" search={{ serverId, from: new Date(Date.now() - dayMs).toISOString() }}>
          All matches of this server
        </Link>
      }
    >
      <Shown of={found}>
        {({ matches, next }) => (
          <>
            <DataTable
              caption="Matches that ended on this server"
              rows={matches}
              columns={ended}
              keyOf={({ matchId }) => matchId}
              empty="No matches ended on this server in the last 24 hours."
            />
            {next !== null && (
              <Text size="xs" c="dimmed">
                These are the last {numberWords(mostEnded)}.
              </Text>
            )}
          </>
        )}
      </Shown>
    </Panel>
  );
}
