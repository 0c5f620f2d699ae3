import type { ServerView } from '@muster/contracts';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import { counted, right, tableLines } from '@muster/command-line/terminal/table';

export async function listServers(
  ask: Ask,
  { after, limit }: { readonly after?: string; readonly limit: number },
): Promise<Answer> {
  const page = await ask((operator) => operator.servers({ limit, cursor: after }));
  const columns = ['server', 'state', 'last heard (UTC)', ...right('sessions', 'slots'), 'region', 'build'];
  return {
    json: page,
    text: () =>
      page.servers.length === 0 ? ['There are no servers.'] : tableLines(columns, page.servers.map(rowOf)),
  };
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

/** The servers of a region, of a build, or of a build in a region. */
type Some = { readonly region?: string | undefined; readonly build?: string | undefined };

export async function drainServer(ask: Ask, serverId: string | undefined, some: Some): Promise<Answer> {
  if (isOne(serverId, some))
    return answerOf(serverId, await ask(({ calls }) => calls.drainServer({ params: { serverId } })));
  const answer = await ask((operator) => operator.drainServers(filterOf(some)));
  return changedAnswer(answer, 'take no new sessions from now on');
}

export async function undrainServer(ask: Ask, serverId: string | undefined, some: Some): Promise<Answer> {
  if (isOne(serverId, some))
    return answerOf(serverId, await ask(({ calls }) => calls.undrainServer({ params: { serverId } })));
  const answer = await ask((operator) => operator.undrainServers(filterOf(some)));
  return changedAnswer(answer, 'take new sessions again');
}

/** Without the other options of the command. */
function filterOf({ region, build }: Some): Some {
  return { region, build };
}

/** @throws Error unless either a server or a region or build is named */
function isOne(serverId: string | undefined, { region, build }: Some): serverId is string {
  if ((serverId === undefined) === (region === undefined && build === undefined))
    throw new Error('Name a server, or give --region, --build or both.');
  return serverId !== undefined;
}

function changedAnswer(answer: { readonly changed: number }, what: string): Answer {
  return { json: answer, text: () => [`${counted(answer.changed, 'server', 'servers')} ${what}.`] };
}

function answerOf(serverId: string, standing: Pick<ServerView, 'state' | 'slotsInUse'>): Answer {
  const { state, slotsInUse } = standing;
  const text = `${serverId} is ${state}, with ${counted(slotsInUse, 'session', 'sessions')}.`;
  return { json: standing, text: () => [text] };
}
