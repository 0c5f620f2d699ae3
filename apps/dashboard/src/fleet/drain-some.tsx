import { Text } from '@mantine/core';
import type { ReactElement } from 'react';
import { useMay, useSession } from '../session/session.js';
import { Action } from '../ui/action.js';
import { counted } from '../ui/values/words.js';
import { wantedOf, type Server } from './server-state.js';

/** Drains the servers of a region or a build, or ends that. Which ones: what the filters say. */
export function DrainSome({
  servers,
  region,
  build,
}: {
  /** All of them: their number is said before. */
  readonly servers: readonly Server[];
  readonly region: string | undefined;
  readonly build: string | undefined;
}): ReactElement | null {
  const may = useMay();
  const { calls } = useSession().operator;
  if (!may('drainServers')) return null;
  if (region === undefined && build === undefined)
    return (
      <Text size="xs" c="dimmed">
        Choose a region or a build to drain its servers.
      </Text>
    );
  const body = { ...(region === undefined ? {} : { region }), ...(build === undefined ? {} : { build }) };
  const where = [
    ...(region === undefined ? [] : [`in ${region}`]),
    ...(build === undefined ? [] : [`of build ${build}`]),
  ].join(' ');
  const ready = wantedOf(servers, { ...body, state: 'ready' }).length;
  const draining = wantedOf(servers, { ...body, state: 'draining' }).length;
  return (
    <>
      <Action
        call="drainServers"
        label={`Drain ${counted(ready, 'server')}`}
        title={`Drain the servers ${where}`}
        text={`${counted(ready, 'server')} ${where} ${ready === 1 ? 'gets' : 'get'} no new match; running ones continue. Servers that register later are not drained.${ready > 0 ? ' Matches of players there wait for other servers.' : ''}`}
        isGrave
        isDisabled={ready === 0}
        send={async () => (await calls.drainServers({ body })).changed}
        done={(changed) => `${counted(Number(changed), 'server')} ${where}: draining.`}
      />
      <Action
        call="undrainServers"
        label={`Undrain ${counted(draining, 'server')}`}
        title={`End the draining ${where}`}
        text={`${counted(draining, 'server')} ${where} ${draining === 1 ? 'takes' : 'take'} matches again.`}
        isGrave
        isDisabled={draining === 0}
        send={async () => (await calls.undrainServers({ body })).changed}
        done={(changed) => `${counted(Number(changed), 'server')} ${where}: ready.`}
      />
    </>
  );
}
