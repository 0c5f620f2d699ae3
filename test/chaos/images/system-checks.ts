import { playerToken } from '@muster/embedded';
import { z } from 'zod';
import type { Container } from './daemon.js';
import type { Findings } from './findings.js';
import { serviceOf, services, type Installation } from './installation.js';

const nameOf = ({ Name }: Container): string => Name.replace(/^\//, '');

/** What a process may do, from the inside. */
const rights = `const fs = require('node:fs');
const status = Object.fromEntries(fs.readFileSync('/proc/1/status','utf8').split('\\n').map((l) => l.split(':\\t')));
const written = ['/app/x','/tmp/x','/x'].filter((p) => { try { fs.writeFileSync(p,''); return true; } catch { return false; } });
console.log(JSON.stringify({ user: status.Uid, effective: status.CapEff, privileges: status.NoNewPrivs, written }));`;
const Rights = z.object({
  user: z.string(),
  effective: z.string(),
  privileges: z.string(),
  written: z.array(z.string()),
});

/** Looks at the system that runs. */
export async function checkSystem(installation: Installation, findings: Findings): Promise<void> {
  const lasting = await installation.lasting();
  const own = lasting.filter(({ Config }) => [...services, 'edge'].includes(serviceOf(Config.Labels)));
  findings.add(
    'two replicas of each service and of the edge run',
    [...services, 'edge'].filter(
      (name) => own.filter(({ Config }) => serviceOf(Config.Labels) === name).length !== 2,
    ),
  );
  await findings.check('their processes are not root, have no capability and write no file', async () => {
    const wrong = await Promise.all(
      own.map(async (container) => {
        const said = await installation.daemon.run(['exec', container.Id, 'node', '-e', rights]);
        const { user, effective, privileges, written } = Rights.parse(JSON.parse(said));
        const isRight =
          user.startsWith('1000\t1000') &&
          /^0+$/.test(effective) &&
          privileges === '1' &&
          written.length === 0;
        return isRight && container.HostConfig.ReadonlyRootfs ? [] : [`${nameOf(container)}: ${said.trim()}`];
      }),
    );
    return wrong.flat();
  });
  findings.add(
    'one port is published, on 127.0.0.1',
    (await installation.containers()).flatMap((container) =>
      Object.values(container.NetworkSettings.Ports)
        .flatMap((bindings) => bindings ?? [])
        .filter(({ HostIp }) => HostIp !== '127.0.0.1' || serviceOf(container.Config.Labels) !== 'ingress')
        .map(({ HostIp, HostPort }) => `${nameOf(container)} on ${HostIp}:${HostPort}`),
    ),
  );
  await findings.check('a second migration and a second round of keys change nothing', () =>
    repeated(installation),
  );
  await findings.check('operators’ commands find Muster', async () => {
    const said = await installation.compose(['run', '--rm', 'muster', 'jobs', '--json']);
    return said.includes('form-teams') ? [] : [said];
  });
  await findings.check('the ingress answers for the edge, and keeps figures and health inside', () =>
    paths(installation.url),
  );
  await findings.check('events pass the ingress one by one', () => unbuffered(installation));
}

async function repeated(installation: Installation): Promise<string[]> {
  const migrated = await installation.compose(['run', '--rm', 'migrate']);
  await installation.compose(['run', '--rm', 'keys']);
  const before = installation.keys.operatorKey;
  await installation.readKeys();
  return [
    ...(migrated.includes('Nothing to migrate.') ? [] : [`migrate says ${migrated}`]),
    ...(installation.keys.operatorKey === before ? [] : ['the operator key has changed']),
  ];
}

async function paths(url: string): Promise<string[]> {
  const expected: readonly (readonly [method: string, path: string, status: number])[] = [
    ['GET', '/health/live', 200],
    ['GET', '/health/ready', 200],
    ['GET', '/openapi.json', 200],
    ['GET', '/docs', 200],
    ['GET', '/dashboard', 200],
    ['GET', '/dashboard/assets/none.js', 404],
    ['GET', '/.well-known/jwks.json', 200],
    ['GET', '/v1/queues', 200],
    ['POST', '/v1/tickets', 401],
    ['DELETE', '/v1/queues', 405],
    ['GET', '/v1/nothing', 404],
    ['GET', '/metrics', 404],
    ['GET', '/health/anything', 404],
  ];
  const wrong = await Promise.all(
    expected.map(async ([method, path, status]) => {
      const answer = await fetch(`${url}${path}`, { method });
      await answer.arrayBuffer();
      return answer.status === status ? [] : [`${method} ${path} is ${answer.status} instead of ${status}`];
    }),
  );
  return wrong.flat();
}

/** Reads the stream of a ticket that waits alone: each event must arrive while the stream stays open. */
async function unbuffered(installation: Installation): Promise<string[]> {
  const player = await installation.player('alone');
  const { ticketId } = await player.enqueue({ queue: '5v5', build: 'nowhere', latencyMs: { local: 20 } });
  const token = await playerToken(installation.keys.login, 'alone');
  const answer = await fetch(`${installation.url}/v1/tickets/${ticketId}/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(60_000),
  });
  let text = '';
  for await (const chunk of (answer.body ?? new ReadableStream<Uint8Array>()).pipeThrough(
    new TextDecoderStream(),
  )) {
    // It is cancelled only once the first event is there.
    if (!text.includes('waiting') && `${text}${chunk}`.includes('waiting')) await player.cancel(ticketId);
    text += chunk;
    if (text.includes('cancelled')) return [];
  }
  return [`the stream ended with status ${answer.status} after: ${text}`];
}
