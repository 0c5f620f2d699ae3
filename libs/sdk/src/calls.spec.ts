import { endpointOf, endpoints, type Caller, type EndpointName } from '@muster/contracts';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OperatorClient } from './operator-client.js';
import { PlayerClient } from './player-client.js';
import { ServerClient } from './server-client.js';

/** Every endpoint of the table that one of these roles may call. */
const tableOf = (...roles: Caller[]): EndpointName[] =>
  (Object.keys(endpoints) as EndpointName[]).filter((name) =>
    endpointOf(name).callers.some((role) => roles.includes(role)),
  );

interface Called {
  readonly method: string;
  readonly path: string;
  readonly key: string;
}

let coordinator: Server;
let url: string;
let called: Called[];

beforeAll(async () => {
  coordinator = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    called.push({ method: request.method ?? '', path, key: request.headers.authorization ?? '' });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ pass: 'pass' }));
  });
  await new Promise<void>((resolve) => coordinator.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(coordinator.address() as AddressInfo).port}`;
});
afterAll(() => {
  coordinator.closeAllConnections();
  coordinator.close();
});
beforeEach(() => {
  called = [];
});

type AnyCall = (request: object) => Promise<unknown>;

interface Made {
  readonly name: string;
  readonly call: string;
  readonly answer: 'parsed' | 'response';
}

/** Makes every call of a client, with each parameter as its own name. */
async function callAll(calls: object): Promise<Made[]> {
  const made: Made[] = [];
  for (const [name, call] of Object.entries(calls) as [EndpointName, AnyCall][]) {
    const params = endpointOf(name)
      .path.split('/')
      .flatMap((part) => (part.startsWith(':') ? [part.slice(1)] : []));
    const said = await call({ params: Object.fromEntries(params.map((param) => [param, param])) });
    const { method, path } = called.at(-1) ?? {};
    made.push({ name, call: `${method} ${path}`, answer: said instanceof Response ? 'response' : 'parsed' });
  }
  return made;
}

describe('a usual call', () => {
  it('has its parts of the path, and no name in place of one that is absent', async () => {
    const operator = new OperatorClient({ url, operatorKey: 'k' });

    await operator.withdrawSeason('default', 2);
    await operator.waiting(process.env['MUSTER_NO_SUCH_VARIABLE'] as string);

    expect(called.map(({ path }) => path)).toEqual(['/v1/pools/default/seasons/2', '/v1/queues//waiting']);
  });
});

/** What the table says of the calls of these roles. */
const expected = (...roles: Caller[]): Made[] =>
  tableOf(...roles).map((name) => {
    const { method, path, answer } = endpointOf(name);
    return { name, call: `${method} ${path.replaceAll(':', '')}`, answer: answer ? 'parsed' : 'response' };
  });

describe('a client has every call of its role', () => {
  it('of an operator', async () => {
    const { calls } = new OperatorClient({ url, operatorKey: 'k' });

    expect(await callAll(calls)).toEqual(expected('operator', 'anyone'));
    expect(new Set(called.map(({ key }) => key))).toEqual(new Set(['Bearer k']));
  });

  it('of a player', async () => {
    const { calls } = new PlayerClient({ url, token: 't' });

    expect(await callAll(calls)).toEqual(expected('player', 'anyone'));
  });

  it('of a server, with the server key where that is enough', async () => {
    const server = { serverId: 's', region: 'eu', build: 'b', host: '127.0.0.1', port: 7_777, slots: 1 };
    const handlers = { createSession: async () => undefined, endSession: () => undefined };
    const { calls } = new ServerClient({ url, serverKey: 'k', server }, handlers);

    expect(await callAll(calls)).toEqual(expected('server', 'fleet', 'anyone'));
    await calls.splitTeams({ body: { players: [], teamSizes: [] } });
    expect(called.at(-1)?.key).toBe('Bearer k');
    await calls.readBackfill({ params: { sessionId: 'ses_1', backfillId: 'bkf_1' } });
    expect(called.at(-1)?.key).toBe('Bearer');
  });
});
