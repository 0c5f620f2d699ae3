import type { FleetKeyCreated, FleetKeyView, ServerRegistered } from '@muster/contracts';
import { requestSigner, ServerClient } from '@muster/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { describeServer, type ServerTraits } from '../support/game-server.js';
import { ask, jsonOf, problemOf, type Answer, type Ask } from '../support/http.js';
import { muster } from '../support/muster.js';
import type { Stack } from '../support/stack.js';
import { ownReplica, type OwnReplica } from './own-replica.js';
import { ownStack } from './shared-stack.js';

type Registered = z.infer<typeof ServerRegistered>;

let stack: Stack;
let second: OwnReplica;
/** Two replicas of the allocator, and one of rating. */
let one: string;
let two: string;
let rating: string;

beforeAll(async () => {
  stack = await ownStack([], { SERVER_TOKEN_SECONDS: '6' });
  second = await ownReplica('allocator', { SERVER_TOKEN_SECONDS: '6' }, stack);
  const at = (service: string): string =>
    `http://127.0.0.1:${stack.run.replicas.find((each) => each.service === service)?.httpPort}`;
  [one, two, rating] = [at('allocator'), second.url, at('rating')];
});
afterAll(async () => {
  second?.child.kill('SIGTERM');
  await second?.exit;
  await stack?.stop();
});

const operator = (path: string, more: Omit<Ask, 'token'> = {}): Promise<Answer> =>
  ask(one, path, { token: stack.run.operatorKey, ...more });

async function makeKey(caps: object = {}): Promise<FleetKeyCreated> {
  const body = { fleet: 'community', ...caps };
  return jsonOf(await operator('/v1/fleet-keys', { body }), 201);
}

const register = (url: string, token: string, traits: ServerTraits, more: object = {}): Promise<Answer> =>
  ask(url, '/v1/servers', { token, body: { ...describeServer(traits), ...more } });

async function registered(url: string, token: string, serverId: string): Promise<Registered> {
  return jsonOf(await register(url, token, { serverId, build: 'keys', slots: 2 }), 201);
}

const beat = (url: string, serverId: string, token: string): Promise<Answer> =>
  ask(url, `/v1/servers/${serverId}/heartbeat`, { token, body: {} });

/** How long it takes until calls are refused, in milliseconds, and the last answer. */
async function untilRefused(call: () => Promise<Answer>): Promise<{ ms: number; answer: Answer }> {
  const startedAt = performance.now();
  for (;;) {
    const answer = await call();
    const ms = performance.now() - startedAt;
    if (answer.status >= 400 || ms > 5_000) return { ms, answer };
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** A signed request, which can be sent again as it is. */
async function signed(
  fleetKey: string,
  serverId: string | null,
  url: string,
  path: string,
  { token, body, headers = {}, method }: Ask,
): Promise<Ask> {
  const raw = body === undefined ? undefined : JSON.stringify(body);
  const plain = { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers };
  const verb = method ?? (raw === undefined ? 'GET' : 'POST');
  const more = await requestSigner(
    fleetKey,
    serverId,
  )({ method: verb, url: url + path, headers: plain, body: raw });
  return { method: verb, headers: { ...plain, ...more }, ...(raw === undefined ? {} : { raw }) };
}

describe('a server token', () => {
  it('expires, and heartbeats of the second half of its life bring a new one', async () => {
    const { serverToken, serverTokenExpiresAt } = await registered(one, stack.run.serverKey, 'renewed');
    // By the clock of the stores, which may be a little ahead.
    expect(serverTokenExpiresAt - Date.now()).toBeLessThanOrEqual(6_500);
    expect(jsonOf(await beat(one, 'renewed', serverToken))).not.toHaveProperty('serverToken');
    await new Promise((resolve) => setTimeout(resolve, 4_200));
    const { serverToken: next = '' } = jsonOf<{ serverToken?: string }>(
      await beat(two, 'renewed', serverToken),
    );
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(problemOf(await beat(one, 'renewed', serverToken))).toMatchObject({
      status: 401,
      detail: expect.stringMatching(/has expired/),
    });
    expect((await beat(one, 'renewed', next)).status).toBe(200);
  });

  it('is renewed by the SDK without another registration', async () => {
    const server = describeServer({ serverId: 'sdk-renewed', build: 'keys' });
    const troubles: unknown[] = [];
    const client = new ServerClient(
      { url: stack.url, serverKey: stack.run.serverKey, server },
      {
        createSession: async () => undefined,
        endSession: () => undefined,
        trouble: (error) => troubles.push(error),
      },
    );
    await client.start();
    await new Promise((resolve) => setTimeout(resolve, 8_000));
    await client.drain();
    await client.stop();
    expect(troubles).toEqual([]);
  });

  it('of a registration of before neither removes, drains nor undrains the server', async () => {
    const former = await registered(one, stack.run.serverKey, 'anew');
    const { serverToken } = await registered(two, stack.run.serverKey, 'anew');
    const calls: [path: string, method: string, state: string][] = [
      ['/drain', 'POST', 'draining'],
      ['/undrain', 'POST', 'ready'],
      ['', 'DELETE', 'left'],
    ];
    for (const [path, method, state] of calls) {
      const call = (token: string): Promise<Answer> => ask(one, `/v1/servers/anew${path}`, { token, method });
      expect(problemOf(await call(former.serverToken))).toMatchObject({
        status: 409,
        code: 'server-superseded',
      });
      expect((await beat(one, 'anew', serverToken)).status).toBe(200);
      expect(jsonOf(await call(serverToken))).toMatchObject({ state });
    }
  });

  it('is refused on every replica and service within a second of the removal of its server', async () => {
    const { serverToken } = await registered(one, stack.run.serverKey, 'removed');
    const predict = (): Promise<Answer> =>
      ask(rating, '/v1/pools/ladder/predictions', { token: serverToken, body: {} });
    const isKnown = (answer: Answer): boolean => answer.status !== 401;
    expect((await beat(two, 'removed', serverToken)).status).toBe(200);
    expect(isKnown(await predict())).toBe(true);
    await operator('/v1/servers/removed', { method: 'DELETE' });
    const { ms, answer } = await untilRefused(() => beat(two, 'removed', serverToken));
    expect([ms < 1_000, [401, 409].includes(answer.status)]).toEqual([true, true]);
    const startedAt = performance.now();
    while (isKnown(await predict()) && performance.now() - startedAt < 3_000)
      await new Promise((resolve) => setTimeout(resolve, 25));
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    // It may return with a new registration.
    const again = await registered(two, stack.run.serverKey, 'removed');
    expect((await beat(one, 'removed', again.serverToken)).status).toBe(200);
  });
});

describe('a fleet key', () => {
  it('registers servers within its caps, however many replicas are asked at once', async () => {
    const { key, keyId } = await makeKey({ maxServers: 5, maxSlots: 100 });
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        register(i % 2 === 0 ? one : two, key, { serverId: `capped-${i}`, build: 'keys', slots: 2 }),
      ),
    );
    const statuses = outcomes.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(5);
    const full = outcomes.find(({ status }) => status !== 201);
    expect(full && problemOf(full)).toMatchObject({
      status: 409,
      code: 'fleet-full',
      detail: expect.stringMatching(/5 servers, of 5/),
    });
    expect(full?.headers['retry-after']).toBe('10');
    const { keys } = jsonOf<{ keys: FleetKeyView[] }>(await operator('/v1/fleet-keys'));
    expect(keys.find((each) => each.keyId === keyId)).toMatchObject({ servers: 5, slots: 10 });
    // One that registers again does not count twice, and raised caps count at once.
    const [i] = statuses.flatMap((status, n) => (status === 201 ? [n] : []));
    expect((await register(one, key, { serverId: `capped-${i}`, build: 'keys', slots: 2 })).status).toBe(201);
    await operator(`/v1/fleet-keys/${keyId}`, { method: 'PUT', body: { maxSlots: 12 } });
    expect((await register(two, key, { serverId: 'capped-x', build: 'keys', slots: 3 })).status).toBe(409);
    expect((await register(two, key, { serverId: 'capped-x', build: 'keys', slots: 2 })).status).toBe(201);
  });

  it('is for its regions and builds, and its ids are not for other fleets', async () => {
    const { key } = await makeKey({ regions: ['eu', 'us'], builds: ['1.4'] });
    const other = await makeKey({ fleet: 'others' });
    const traits = { serverId: 'regional', build: '1.4', region: 'eu' };
    expect(problemOf(await register(one, key, { ...traits, region: 'ap' }))).toMatchObject({
      status: 403,
      code: 'fleet-refused',
      detail: expect.stringMatching(/not for servers in the region ap, but in eu, us/),
    });
    expect(problemOf(await register(one, key, { ...traits, build: '1.5' }))).toMatchObject({
      code: 'fleet-refused',
    });
    expect((await register(one, key, traits)).status).toBe(201);
    const taken = await register(two, other.key, traits);
    expect(problemOf(taken)).toMatchObject({
      code: 'server-id-taken',
      detail: expect.stringMatching(/by another fleet/),
    });
    expect(taken.text).not.toContain('127.0.0.1');
    // A second key of the fleet is a rotation.
    const next = await makeKey();
    expect((await register(two, next.key, traits)).status).toBe(201);
  });

  it('and its servers are refused on another replica within a second of its end', async () => {
    const { key, keyId } = await makeKey();
    const { serverToken } = await registered(one, key, 'of-revoked');
    expect((await beat(two, 'of-revoked', serverToken)).status).toBe(200);
    expect((await register(two, key, { serverId: 'of-revoked-2', build: 'keys' })).status).toBe(201);
    const revoke = ['fleet-keys', 'revoke', keyId, '--reason', 'It was published.', '--json'];
    const { code, stdout } = await muster([
      ...revoke,
      '--url',
      stack.url,
      '--operator-key',
      stack.run.operatorKey,
    ]);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { keyId, revokedAt: expect.any(Number) }]);
    const [server, fleet] = await Promise.all([
      untilRefused(() => beat(two, 'of-revoked', serverToken)),
      untilRefused(() => register(two, key, { serverId: 'of-revoked-3', build: 'keys' })),
    ]);
    expect([server.ms < 1_000, fleet.ms < 1_000]).toEqual([true, true]);
    expect(problemOf(fleet.answer)).toMatchObject({
      status: 401,
      detail: expect.stringMatching(/unknown, revoked or expired/),
    });
    // Its servers leave, with their slots.
    await expect
      .poll(
        async () => {
          const { servers } = jsonOf<{ servers: { serverId: string; state: string }[] }>(
            await operator('/v1/servers'),
          );
          return servers
            .filter(({ serverId }) => serverId.startsWith('of-revoked'))
            .map(({ state }) => state);
        },
        { timeout: 5_000 },
      )
      .toEqual(['left', 'left']);
  });

  it('that is revoked without its servers lets them go on', async () => {
    const { key, keyId } = await makeKey();
    const { serverToken } = await registered(one, key, 'kept');
    await operator(`/v1/fleet-keys/${keyId}?servers=keep`, { method: 'DELETE' });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect((await beat(two, 'kept', serverToken)).status).toBe(200);
    expect((await register(two, key, { serverId: 'kept', build: 'keys' })).status).toBe(401);
  });

  it('is not guessed, and is made by admins alone', async () => {
    const { key, keyId } = await makeKey();
    const last = key.endsWith('A') ? 'B' : 'A';
    for (const token of [
      `${key.slice(0, -1)}${last}`,
      `mfk_${keyId.slice(4)}`,
      'mfk_',
      `mfk_${'a'.repeat(65)}`,
    ])
      expect((await register(one, token, { serverId: 'guessed', build: 'keys' })).status).toBe(401);
    for (const token of [stack.run.serverKey, key])
      expect((await ask(one, '/v1/fleet-keys', { token, body: { fleet: 'x' } })).status).toBe(403);
    const entries = jsonOf<{ entries: object[] }>(
      await ask(stack.url, `/v1/audit?call=createFleetKey&target=${keyId}`, { token: stack.run.operatorKey }),
    );
    expect(JSON.stringify(entries)).not.toContain(key.slice(-43));
  });
});

describe('signed requests', () => {
  it('are taken once, on whatever replica, and a repeat that is signed anew is another request', async () => {
    const { key } = await makeKey({ mustSign: true });
    const body = describeServer({ serverId: 'signs', build: 'keys' });
    const call = await signed(key, null, one, '/v1/servers', { body });
    const { serverToken } = jsonOf<Registered>(await ask(one, '/v1/servers', call), 201);
    for (const url of [two, one])
      expect(problemOf(await ask(url, '/v1/servers', call))).toMatchObject({
        status: 409,
        code: 'request-replayed',
      });
    const path = '/v1/servers/signs/heartbeat';
    const next = (): Promise<Ask> => signed(key, 'signs', one, path, { token: serverToken, body: {} });
    const heartbeat = await next();
    expect((await ask(two, path, heartbeat)).status).toBe(200);
    expect(problemOf(await ask(one, path, heartbeat))).toMatchObject({ code: 'request-replayed' });
    expect((await ask(one, path, await next())).status).toBe(200);
    const poll = '/v1/servers/signs/commands?after=0&waitSeconds=0';
    expect((await ask(one, poll, await signed(key, 'signs', one, poll, { token: serverToken }))).status).toBe(
      200,
    );
  });

  it('are demanded by such a key and its tokens: neither is of use to who sees it', async () => {
    const { key } = await makeKey({ mustSign: true });
    expect(problemOf(await register(one, key, { serverId: 'bare', build: 'keys' }))).toMatchObject({
      status: 401,
      detail: expect.stringMatching(/must be signed .* replace it/),
    });
    const call = await signed(key, null, one, '/v1/servers', {
      body: describeServer({ serverId: 'bare', build: 'keys' }),
    });
    const { serverToken } = jsonOf<Registered>(await ask(one, '/v1/servers', call), 201);
    expect(problemOf(await beat(one, 'bare', serverToken))).toMatchObject({ status: 401 });
    const path = '/v1/servers/bare/heartbeat';
    const as = async (fleetKey: string, serverId: string | null): Promise<Answer> =>
      ask(two, path, await signed(fleetKey, serverId, two, path, { token: serverToken, body: {} }));
    expect((await as(key, 'bare')).status).toBe(200);
    const other = await makeKey({ mustSign: true });
    for (const answer of [await as(key, null), await as(key, 'other'), await as(other.key, 'bare')])
      expect(answer.status).toBe(401);
    const changed = await signed(key, 'bare', two, path, { token: serverToken, body: { cpuLoad: 0 } });
    expect(problemOf(await ask(two, path, { ...changed, raw: '{"cpuLoad":1}' }))).toMatchObject({
      status: 401,
      detail: expect.stringMatching(/not the sha-256 of the body/),
    });
  });

  it('are made by the SDK when it is asked to', async () => {
    const { key } = await makeKey({ mustSign: true });
    const server = describeServer({ serverId: 'sdk-signs', build: 'keys' });
    const troubles: unknown[] = [];
    const client = new ServerClient(
      { url: stack.url, serverKey: key, server, signs: true },
      {
        createSession: async () => undefined,
        endSession: () => undefined,
        trouble: (error) => troubles.push(error),
      },
    );
    await client.start();
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    await client.drain();
    await client.stop();
    expect(troubles).toEqual([]);
  });
});

it.each(['localhost', '169.254.169.254', '[', '...', '2130706433', '::ffff:127.0.0.1', 'foo.localhost'])(
  'the host %s is refused where servers must be reached from outside',
  async (host) => {
    const strict = await strictReplica();
    const answer = await register(
      strict,
      stack.run.serverKey,
      { serverId: 'hosted', build: 'keys' },
      { host },
    );
    expect(problemOf(answer)).toMatchObject({
      status: 400,
      code: 'invalid-request',
      detail: expect.stringMatching(/`host`/),
    });
  },
);

let strict: Promise<OwnReplica> | undefined;
async function strictReplica(): Promise<string> {
  strict ??= ownReplica('allocator', { SERVER_LOCAL_HOSTS: 'no' }, stack);
  return (await strict).url;
}
afterAll(async () => {
  const replica = await strict;
  replica?.child.kill('SIGTERM');
  await replica?.exit;
});
