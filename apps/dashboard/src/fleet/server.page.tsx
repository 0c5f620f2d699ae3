import { Alert, Anchor, SimpleGrid, Text } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useRef, type ReactElement } from 'react';
import { useAsked } from '../live/use-call.js';
import { useSession } from '../session/session.js';
import { Action } from '../ui/action.js';
import { Facts as FactList } from '../ui/values/facts.js';
import { Figure } from '../ui/values/figure.js';
import { Page } from '../ui/page.js';
import { Panel } from '../ui/panel.js';
import { Shown } from '../ui/states.js';
import { Ago } from '../ui/values/time.js';
import { counted, numberWords, percentWords } from '../ui/values/words.js';
import { findServer } from './find-server.js';
import { EndedMatches, RunningMatches } from './server-match-tables.js';
import { ServerBadge } from './server-badge.js';
import type { Server } from './server-state.js';

const everyMs = 10_000;
const pageSize = 1_000;

/** What a server reports, its sessions, and what was played on it. */
export function ServerPage(): ReactElement {
  const { serverId } = useParams({ from: '/fleet/$serverId' });
  const { calls } = useSession().operator;
  const where = useRef('');
  const found = useAsked(
    ['fleet server', { params: { serverId } }],
    async (signal) => {
      const read = (cursor: string) =>
        calls.listServers({ query: { limit: pageSize, ...(cursor === '' ? {} : { cursor }) } }, { signal });
      const its = await findServer(read, serverId, where.current);
      where.current = its?.cursor ?? '';
      return its?.server ?? null;
    },
    { everyMs },
  );
  const server = found.data ?? undefined;
  return (
    <Page title={`Server ${serverId}`} actions={server && <Actions server={server} />}>
      <Shown of={found}>
        {(answer) =>
          answer ? (
            <Reported server={answer} />
          ) : (
            <Alert color="yellow" title="No such server">
              No server of this id is known. Those that are lost or have left are known for some days. All
              servers are{' '}
              <Anchor component={Link} to="/fleet">
                in the fleet
              </Anchor>
              .
            </Alert>
          )
        }
      </Shown>
      {server && <RunningMatches server={server} />}
      <EndedMatches serverId={serverId} />
    </Page>
  );
}

function Actions({ server: { serverId, state, slotsInUse } }: { readonly server: Server }): ReactElement {
  const { calls } = useSession().operator;
  const request = { params: { serverId } };
  const running = counted(slotsInUse, 'session');
  return (
    <>
      {state === 'draining' ? (
        <Action
          call="undrainServer"
          label="Undrain"
          title={`End the draining of ${serverId}`}
          text="It takes new sessions again."
          send={() => calls.undrainServer(request)}
          done={`${serverId} takes sessions again.`}
        />
      ) : (
        <Action
          call="drainServer"
          label="Drain"
          title={`Drain ${serverId}`}
          text={`It gets no new session, also when it registers again, until the draining is ended. ${slotsInUse === 0 ? 'None runs on it now.' : `${running} that ${slotsInUse === 1 ? 'runs continues' : 'run continue'}.`}`}
          send={() => calls.drainServer(request)}
          done={`Draining ${serverId}.`}
        />
      )}
      <Action
        call="leaveServer"
        label="Remove"
        title={`Remove ${serverId}`}
        text={
          slotsInUse === 0
            ? 'It leaves the fleet. No session runs on it. A server that still runs may register again.'
            : `It leaves the fleet, and ${running} on it ${slotsInUse === 1 ? 'is' : 'are'} lost: the matches are abandoned and their players free. To spare them, drain it first.`
        }
        isGrave
        isDisabled={state === 'left'}
        send={() => calls.leaveServer(request)}
        done={`Removed ${serverId}.`}
      />
    </>
  );
}

function Reported({ server }: { readonly server: Server }): ReactElement {
  const { region, build, host, port, slots, slotsInUse, labels, cpuLoad, tickLoad, heartbeatAt } = server;
  return (
    <>
      <SimpleGrid type="container" cols={{ base: 2, '620px': 5 }}>
        <Figure label="State" value={<ServerBadge server={server} />} />
        <Figure label="Slots used" value={numberWords(slotsInUse)} unit={`of ${numberWords(slots)}`} />
        <Figure label="Processor" value={percentWords(cpuLoad)} unit="in use" />
        <Figure
          label="Ticks"
          value={percentWords(tickLoad)}
          {...(tickLoad === null
            ? { note: 'not reported' }
            : { unit: 'of their time', note: 'the slowest 5 % take longer' })}
        />
        <Figure
          label="Last heartbeat"
          value={<Ago at={heartbeatAt} />}
          note="may be half of SILENCE_MS old"
        />
      </SimpleGrid>
      <Panel title="Reported by the server">
        <FactList
          of={[
            [
              'Region',
              <Link key="region" to="/fleet" search={{ region }}>
                {region}
              </Link>,
            ],
            [
              'Build',
              <Link key="build" to="/fleet" search={{ build }}>
                {build}
              </Link>,
            ],
            ['Address', `${host}:${port}`],
            ...Object.entries(labels).map(([name, values]) => [`Label ${name}`, values.join(', ')] as const),
          ]}
        />
        {Object.keys(labels).length === 0 && (
          <Text size="sm" c="dimmed" mt="xs">
            It reports no labels: it plays all modes and maps, and no queue that demands labels is played on
            it.
          </Text>
        )}
      </Panel>
    </>
  );
}
