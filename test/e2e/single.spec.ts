import type { AnswerOf } from '@muster/contracts';
import { ServerClient } from '@muster/sdk';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join as pathOf } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readStream } from '../support/event-stream.js';
import { Fleet } from '../support/fleet.js';
import { describeServer, GameServer } from '../support/game-server.js';
import { ask, jsonOf, problemOf, type Ask } from '../support/http.js';
import { LineCaller } from '../support/line-caller.js';
import { muster } from '../support/muster.js';
import { queueUp } from '../support/party.js';
import { TestRedis } from '../support/redis.js';
import type { Stack } from '../support/stack.js';
import { ownStack, sharedStack } from './shared-stack.js';
import { createDb } from '../support/prisma.js';

// The shared system is started with the same origins.
const page = 'https://play.example';

let stack: Stack;
let redis: TestRedis;
beforeAll(async () => {
  redis = await TestRedis.start();
  stack = await ownStack(['--single', '--tcp-port', '0'], { CORS_ORIGINS: page, REDIS_URL: redis.url });
});
afterAll(async () => {
  await stack?.stop();
  await redis?.stop();
});

const pidOf = async (): Promise<number> => (await stack.pids())['muster'] ?? 0;

describe('the single process', () => {
  it('hosts all services and the public port', () => {
    expect(Object.keys(stack.run.pids)).toEqual(['muster']);
    expect(new Set(stack.run.replicas.map(({ service }) => service)).size).toBe(4);
  });

  it('ends its start with a link to the dashboard that signs in once', async () => {
    const { origin, pathname, hash } = new URL(stack.dashboard);
    const shown = await ask(origin, pathname);
    expect([shown.status, shown.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const [, nonce] = /'nonce-([\w-]+)'/.exec(String(shown.headers['content-security-policy'])) ?? [];
    expect(shown.text).toContain(`nonce="${nonce}"`);
    const body = { code: new URLSearchParams(hash.slice(1)).get('code') };
    const { key, role } = jsonOf<AnswerOf<'signIn'>>(await ask(stack.url, '/v1/sign-ins', { body }), 201);
    expect(role).toBe('admin');
    expect(jsonOf(await ask(stack.url, '/v1/me/operator', { token: key }))).toMatchObject({
      name: 'operator',
      role: 'admin',
      signIn: 'key',
    });
    expect(problemOf(await ask(stack.url, '/v1/sign-ins', { body }))).toMatchObject({
      code: 'sign-in-refused',
      detail: expect.stringContaining('each signs in once, within ten minutes'),
    });
  });

  it('shows the figures of all services to holders of the operator key', async () => {
    for (const token of [undefined, 'wrong', await stack.token('ann')])
      expect((await ask(stack.url, '/metrics', token === undefined ? {} : { token })).status).toBe(401);
    const { status, text } = await ask(stack.url, '/metrics', { token: stack.run.operatorKey });
    expect(status).toBe(200);
    const named = text.split('\n').map((line) => line.replace(/\d+(\.\d+)?$/, 'n'));
    for (const line of [
      'muster_tickets_waiting{queue="5v5"} n',
      'muster_outbox_lag_seconds{owner="allocator"} n',
      'muster_outbox_lag_seconds{owner="rating"} n',
      'muster_oldest_job_seconds{job_queue="form-teams"} n',
      'muster_open_calls{muster_service="assignment"} n',
    ])
      expect(named.filter((each) => each === line)).toEqual([line]);
  });

  it('plays a match from two tickets to new ratings, with events of each step', async () => {
    const server = await GameServer.start(stack, { serverId: 'single-server', build: 'single' });
    try {
      const tickets = await Promise.all(
        ['ann', 'ben'].map((name) => queueUp(stack, [name], { queue: '1v1', build: 'single' })),
      );
      const [first] = tickets;
      if (!first) throw new Error('there are two tickets');
      const stream = readStream(stack.url, first.ticketId, await stack.token('ann'), undefined);
      const { sessionId } = await first.assigned();
      await server.report(sessionId, { winner: 0 });
      await Promise.all(tickets.map((ticket) => ticket.closed()));
      const { ended, events } = await stream;
      expect(ended).toBe('by the server');
      expect([...new Set(events.map(({ data }) => data['state']))]).toEqual([
        'waiting',
        'proposed',
        'placing',
        'assigned',
      ]);
      expect(events.at(-1)?.data).toMatchObject({ closed: true, matchState: 'rated' });
      const { ratings } = await stack.operator.ratings('duel');
      expect(ratings.map(({ playerId, matches }) => [playerId, matches]).toSorted()).toEqual([
        ['ann', 1],
        ['ben', 1],
      ]);
    } finally {
      await server.stop();
    }
  });

  it('checks the balance of a community server, splits teams in threads, and speaks the line protocol', async () => {
    const pool = 'single-lone';
    await stack.operator.createPool({ name: pool });
    const unused = (): never => {
      throw new Error('it hosts no sessions');
    };
    const server = new ServerClient(
      {
        url: stack.url,
        serverKey: stack.run.serverKey,
        server: describeServer({ serverId: 'lone', build: 'lone' }),
      },
      { createSession: unused, endSession: unused },
    );
    const first = ['ann', 'ben', 'cat'].map((playerId) => ({ playerId, team: 0 }));
    const roster = { pool, teams: 2, players: [...first, { playerId: 'dan', team: 1 }] };
    expect(await server.checkBalance({ policy: 'synelo', roster })).toMatchObject({ outcome: 'moves' });
    const players = [90, 80, 20, 10].map((weight, n) => ({ id: `p${n}`, weight }));
    const { certificate } = await stack.operator.split({ players, teamSizes: [2, 2] });
    expect(certificate).toMatchObject({ status: 'proven' });
    const [tcpPort] = stack.run.replicas.flatMap((replica) => replica.tcpPort ?? []);
    const caller = await LineCaller.to(tcpPort ?? 0);
    caller.send('MEANBOT\n');
    expect(await caller.lines(1)).toEqual([expect.stringMatching(/^ERROR no game yet/)]);
    caller.socket.destroy();
  });
});

describe('the public port of the single process', () => {
  /** A request, and the service that answers it. */
  const requests: readonly (readonly [title: string, path: string, ask: Ask])[] = [
    ['an unknown path', '/v1/nope', {}],
    ['another method', '/v1/tickets', { method: 'DELETE' }],
    ['a path that cannot be decoded', '/v1/tickets/%zz', {}],
    ['an id that is too long', `/v1/tickets/${'x'.repeat(400)}`, {}],
    ['a slash at the end', '/v1/tickets/', {}],
    ['no token', '/v1/tickets', { body: { queue: '1v1' } }],
    ['a foreign token', '/v1/tickets', { body: { queue: '1v1' }, token: 'foreign' }],
    ['JSON that is cut off', '/v1/tickets', { raw: '{"queue":' }],
    ['an empty body', '/v1/tickets', { raw: '' }],
    ['a body that is too large', '/v1/tickets', { raw: JSON.stringify('x'.repeat(70_000)) }],
    [
      'a form',
      '/v1/tickets',
      { raw: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    ['a target that is not a path', 'http://other/v1/tickets', {}],
    ['a request without a body', '/v1/matches/mat_1', { method: 'HEAD' }],
    ['the keys', '/.well-known/jwks.json', { method: 'HEAD' }],
    ['a page of an allowed origin', '/v1/pools', { headers: { origin: page } }],
    ['a page of another origin', '/v1/pools', { headers: { origin: 'https://evil.example' } }],
    [
      'a preflight',
      '/v1/tickets',
      { method: 'OPTIONS', headers: { origin: page, 'access-control-request-method': 'POST' } },
    ],
    ['the documentation', '/docs', {}],
    ['its start', '/', {}],
    ['the OpenAPI document', '/openapi.json', {}],
    ['its life', '/health/live', {}],
  ];

  it.each(requests)('answers as the edge does: %s', async (_title, path, request) => {
    const { url } = await sharedStack();
    const [edge, single] = await Promise.all([ask(url, path, request), ask(stack.url, path, request)]);
    const told = ({ status, headers, text }: typeof edge): object => {
      const { date: _date, 'content-length': _length, ...rest } = headers;
      return { status, headers: rest, text };
    };
    expect(told(single)).toEqual(told(edge));
  });

  it('reports every service at /health/ready', async () => {
    expect(jsonOf(await ask(stack.url, '/health/ready'))).toEqual({
      status: 'ok',
      checks: {
        queue: 'ok (1 ready)',
        assignment: 'ok (1 ready)',
        allocator: 'ok (1 ready)',
        rating: 'ok (1 ready)',
      },
    });
  });
});

describe('a single process that ends under load', { timeout: 240_000 }, () => {
  const players = Array.from({ length: 60 }, (_, n) => `crowd-${n}`);

  /** Repeats a call until it is answered with 201: the key makes the repetition safe. */
  async function join(playerId: string): Promise<string> {
    const token = await stack.token(playerId);
    const headers = { 'idempotency-key': randomUUID() };
    for (;;) {
      const request = { token, headers, body: { queue: '1v1', build: 'crowd' } };
      const answer = await ask(stack.url, '/v1/tickets', request).catch(() => null);
      if (answer?.status === 201) return (JSON.parse(answer.text) as { ticketId: string }).ticketId;
      if (answer && answer.status < 500) throw new Error(`${answer.status} ${answer.text}`);
      await sleep(100);
    }
  }

  /** Sends a signal and waits for the next process. */
  async function restart(signal: NodeJS.Signals): Promise<void> {
    const before = await pidOf();
    process.kill(before, signal);
    await vi.waitFor(async () => expect(await pidOf()).not.toBe(before), { timeout: 60_000, interval: 50 });
  }

  it('loses nothing and counts nothing twice, after SIGTERM and after kill -9', async () => {
    const fleet = new Fleet({
      url: stack.url,
      serverKey: stack.run.serverKey,
      servers: 2,
      slots: 20,
      build: 'crowd',
      region: 'local',
      matchMs: () => 300,
      ranks: () => [1, 2],
    });
    await fleet.start();
    try {
      const tickets: string[] = [];
      const restarts: Promise<void>[] = [];
      for (const playerId of players) {
        tickets.push(await join(playerId));
        if (tickets.length === 20) restarts.push(restart('SIGTERM'));
        if (tickets.length === 40) {
          await Promise.all(restarts);
          restarts.push(restart('SIGKILL'));
        }
      }
      await Promise.all(restarts);
      await vi.waitFor(
        async () => {
          const { ratings } = await stack.operator.ratings('duel', { limit: 500 });
          const crowd = ratings.filter(({ playerId }) => playerId.startsWith('crowd-'));
          expect(crowd).toHaveLength(players.length);
          // A server whose answer was lost repeats its report.
          expect(fleet.report.reported.size).toBe(players.length / 2);
        },
        { timeout: 120_000, interval: 500 },
      );
      const { ratings } = await stack.operator.ratings('duel', { limit: 500 });
      const crowd = ratings.filter(({ playerId }) => playerId.startsWith('crowd-'));
      expect(crowd.filter(({ matches }) => matches !== 1)).toEqual([]);
      expect(new Set(tickets).size).toBe(players.length);
      for (const ticketId of tickets)
        expect(await stack.operator.ticket(ticketId)).toMatchObject({ closed: true, matchState: 'rated' });
      expect(fleet.report.overCommitted).toBe(0);
    } finally {
      await fleet.stop();
    }
    const log = await readFile(pathOf(stack.dataDir, 'logs', 'muster.log'), 'utf8');
    expect(log).toContain('muster drains');
    expect(log).not.toContain('did not end cleanly');
  });
});

it('uses stores of your own by URL, starts none then, and leaves them running', async () => {
  expect(stack.run.redisEngine).toBe('yours');
  expect(Object.keys(stack.run.pids)).toEqual(['muster']);
  await queueUp(stack, ['eve'], { queue: '1v1', build: 'guest' });
  await stack.stop();
  const db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
  expect(await db.match.count({ where: { state: 'rated' } })).toBeGreaterThan(0);
  await db.$disconnect();
  const client = new Redis(redis.url);
  expect(await client.keys('muster:*:player:eve')).toHaveLength(1);
  client.disconnect();
});

it('refuses --single with several replicas', async () => {
  const { code, stderr } = await muster(['up', '--single', '--replicas', '2', '--no-demo']);
  expect(code).toBe(1);
  expect(stderr).toContain('--single runs one process, so it cannot run 2 replicas of each service.');
});
