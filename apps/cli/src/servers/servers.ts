import type { ServerView } from '@muster/contracts';
import { callMuster } from '@muster/command-line/operator/connection';
import type { OperatorOptions } from '@muster/command-line/operator/options';
import { print } from '@muster/command-line/operator/output';
import { counted, tableLines } from '@muster/command-line/terminal/table';

/** Options of `muster server list`. */
export interface ListOptions extends OperatorOptions {
  readonly after?: string;
  readonly limit: number;
}

/** @throws Error with a user-facing message, as all functions here */
export async function listServers(
  { after, limit, ...options }: ListOptions,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const page = await callMuster(options, env, (operator) =>
    operator.servers({ limit, ...(after === undefined ? {} : { cursor: after }) }),
  );
  print(options.json, page, () =>
    page.servers.length === 0
      ? ['There are no servers.']
      : tableLines(
          [
            { head: 'server' },
            { head: 'state' },
            { head: 'last heard (UTC)' },
            { head: 'sessions', right: true },
            { head: 'slots', right: true },
            { head: 'region' },
            { head: 'build' },
          ],
          page.servers.map(rowOf),
        ),
  );
}

/** A line of the table: the moment to the second. */
export function rowOf({
  serverId,
  state,
  silent,
  heartbeatAt,
  slotsInUse,
  slots,
  region,
  build,
}: ServerView): string[] {
  const heard = new Date(heartbeatAt).toISOString().slice(0, 19).replace('T', ' ');
  const counts = [String(slotsInUse), String(slots)];
  return [serverId, silent ? `${state}, silent` : state, heard, ...counts, region, build];
}

/** Drains a server, or ends that. */
export async function drainServer(
  act: 'drain' | 'undrain',
  serverId: string,
  options: OperatorOptions,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const standing = await callMuster(options, env, ({ calls }) =>
    calls[`${act}Server`]({ params: { serverId } }),
  );
  const { state, slotsInUse } = standing;
  print(options.json, standing, () => [
    `${serverId} is ${state}, with ${counted(slotsInUse, 'session', 'sessions')}.`,
  ]);
}
