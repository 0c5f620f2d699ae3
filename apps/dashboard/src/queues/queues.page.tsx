import { Badge } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useCall } from '../live/use-call.js';
import { useMay } from '../session/session.js';
import { Page } from '../ui/page.js';
import { Panel } from '../ui/panel.js';
import { Shown } from '../ui/states.js';
import { DataTable, type Column } from '../ui/table.js';
import { Took } from '../ui/values/time.js';
import { numberWords, percentWords } from '../ui/values/words.js';
import { Maintenance } from './maintenance.js';
import { PauseAction, ResumeAction } from './pause-actions.js';
import { queueRows, type QueueRow } from './queue-row.js';

const columns: readonly Column<QueueRow>[] = [
  {
    header: 'Queue',
    by: ({ name }) => name,
    cell: ({ name }) => (
      <Link to="/queues/$queue" params={{ queue: name }}>
        {name}
      </Link>
    ),
  },
  {
    header: 'Game',
    cell: ({ inForce: { mode, teams, teamSize } }) => (
      <span style={{ whiteSpace: 'nowrap' }}>
        {mode}, {Array(teams).fill(teamSize).join(' against ')}
      </span>
    ),
  },
  {
    header: 'State',
    by: ({ inForce }) => (inForce.paused ? 0 : 1),
    cell: ({ inForce: { paused } }) =>
      paused ? (
        <Badge variant="light" color="yellow" title={paused.message} miw="max-content">
          paused
        </Badge>
      ) : (
        'open'
      ),
  },
  {
    header: 'Waiting',
    isNumber: true,
    by: ({ waiting }) => waiting ?? -1,
    cell: ({ waiting }) => numberWords(waiting),
  },
  {
    header: 'To match, p50',
    isNumber: true,
    by: ({ lately }) => lately?.matchMs?.p50 ?? -1,
    cell: ({ lately }) => <Took ms={lately?.matchMs?.p50} />,
  },
  {
    header: 'To match, p95',
    isNumber: true,
    by: ({ lately }) => lately?.matchMs?.p95 ?? -1,
    cell: ({ lately }) => <Took ms={lately?.matchMs?.p95} />,
  },
  {
    header: 'Matches',
    isNumber: true,
    by: ({ lately }) => lately?.matches ?? -1,
    cell: ({ lately }) => numberWords(lately?.matches),
  },
  {
    header: 'Favourite’s lead, p50',
    isNumber: true,
    by: ({ lately }) => lately?.favouriteLead?.p50 ?? -1,
    cell: ({ lately }) => percentWords(lately?.favouriteLead?.p50, 1),
  },
  {
    header: 'Rules',
    cell: ({ name, inForce: { version } }) => (
      <Link to="/queues/$queue/rules" params={{ queue: name }} style={{ whiteSpace: 'nowrap' }}>
        version {version}
      </Link>
    ),
  },
];
const pauseColumn: Column<QueueRow> = {
  header: 'Pause',
  cell: ({ name, inForce: { paused } }) =>
    paused ? <ResumeAction queue={name} paused={paused} /> : <PauseAction queue={name} paused={paused} />,
};

/** The queues at a glance. */
export function QueuesPage(): ReactElement {
  const may = useMay();
  const queues = useCall('listQueues', {}, { everyMs: 10_000 });
  const statistics = useCall('readStatistics', {}, { everyMs: 30_000 });
  return (
    <Page title="Queues">
      <Shown of={queues}>
        {(answer) => (
          <>
            <Panel title="Queues in the last hour">
              <DataTable
                caption="Queues, with figures of the last hour"
                rows={queueRows(answer.queues, statistics.data)}
                columns={may('pauseQueue') ? [...columns, pauseColumn] : columns}
                keyOf={({ name }) => name}
                empty="No queues. QUEUES_FILE creates them at the first start; muster rules apply adds more."
              />
            </Panel>
            <Maintenance now={answer.maintenance} />
          </>
        )}
      </Shown>
    </Page>
  );
}
