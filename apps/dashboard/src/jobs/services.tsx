import { Badge, Text } from '@mantine/core';
import type { ReactElement } from 'react';
import { useAsked } from '../live/use-call.js';
import { Panel } from '../ui/panel.js';
import { Empty, Shown } from '../ui/states.js';
import { DataTable, type Column } from '../ui/table.js';
import { readHealth, replicasIn, troubleOf, type ServiceHealth } from './replicas.js';

/** Which replicas of the services are alive. The edge answers this without a key. */
export function Services(): ReactElement {
  const health = useAsked(
    ['health'],
    async (signal) => {
      const response = await fetch('/health/ready', { signal });
      return readHealth(await response.json().catch(() => null));
    },
    { everyMs: 10_000 },
  );
  return (
    <Panel title="Services">
      <Shown of={health}>
        {(services) =>
          services === null ? (
            <Empty>
              The replicas are not visible here: this address is not that of the Muster edge. Ask{' '}
              <code>/health/ready</code> of each replica instead.
            </Empty>
          ) : (
            <DataTable
              caption="Services and their replicas"
              rows={services}
              columns={columns}
              keyOf={({ service }) => service}
              empty="The edge reports no services."
            />
          )
        }
      </Shown>
    </Panel>
  );
}

const columns: readonly Column<ServiceHealth>[] = [
  { header: 'Service', cell: ({ service }) => service, by: ({ service }) => service },
  { header: 'State', cell: (health) => <StateOf health={health} /> },
  {
    header: 'Replicas ready',
    cell: (health) => `${health.replicas.ready} of ${replicasIn(health)}`,
    by: ({ replicas }) => replicas.ready,
    isNumber: true,
  },
  { header: 'Problems', cell: (health) => <Text size="sm">{troubleOf(health) || 'none'}</Text> },
];

function StateOf({ health }: { readonly health: ServiceHealth }): ReactElement {
  const { ready } = health.replicas;
  if (ready === 0)
    return (
      <Badge color="red" variant="light">
        not available
      </Badge>
    );
  if (ready < replicasIn(health))
    return (
      <Badge color="orange" variant="light">
        degraded
      </Badge>
    );
  return (
    <Badge color="green" variant="light">
      ready
    </Badge>
  );
}
