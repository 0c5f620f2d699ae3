import type { ReactElement } from 'react';
import { ServerLink } from '../ui/links/links.js';
import { DataTable, type Column } from '../ui/table.js';
import { Ago } from '../ui/values/time.js';
import { numberWords, percentWords } from '../ui/values/words.js';
import { ServerBadge } from './server-badge.js';
import { conditionOf, type Server } from './server-state.js';

/** Servers with their load; ten thousand of them scroll as quickly as ten. */
export function ServerTable({
  servers,
  empty,
}: {
  readonly servers: readonly Server[];
  readonly empty: string;
}): ReactElement {
  return <DataTable caption="Servers" rows={servers} columns={columns} keyOf={keyOf} empty={empty} />;
}

const keyOf = ({ serverId }: Server): string => serverId;

const columns: readonly Column<Server>[] = [
  { header: 'Server', by: keyOf, cell: ({ serverId }) => <ServerLink id={serverId} /> },
  { header: 'State', by: conditionOf, cell: (server) => <ServerBadge server={server} /> },
  { header: 'Region', by: ({ region }) => region, cell: ({ region }) => region },
  { header: 'Build', by: ({ build }) => build, cell: ({ build }) => build },
  {
    header: 'Slots used',
    isNumber: true,
    by: ({ slotsInUse }) => slotsInUse,
    cell: ({ slots, slotsInUse }) => `${numberWords(slotsInUse)} of ${numberWords(slots)}`,
  },
  {
    header: 'Processor',
    isNumber: true,
    by: ({ cpuLoad }) => cpuLoad,
    cell: ({ cpuLoad }) => percentWords(cpuLoad),
  },
  {
    header: 'Ticks',
    isNumber: true,
    by: ({ tickLoad }) => tickLoad ?? -1,
    cell: ({ tickLoad }) => percentWords(tickLoad),
  },
  {
    header: 'Last heartbeat',
    isNumber: true,
    by: ({ heartbeatAt }) => heartbeatAt,
    cell: ({ heartbeatAt }) => <Ago at={heartbeatAt} />,
  },
];
