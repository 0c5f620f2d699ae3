import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServerClient } from './server-client.js';

const sessionId = 'ses_00000001';
const order = { matchId: 'mat_00000001', teams: [], map: null, roles: {}, bots: [] };
/** Commands of a newer coordinator: a session, then a command for it that this SDK does not support. */
const commands = [
  { seq: 1, kind: 'create-session', sessionId, session: order },
  { seq: 2, kind: 'sing', sessionId, song: 'la' },
  { seq: 3, kind: 'create-session', sessionId: 'ses_00000002' },
];

let coordinator: Server;
let url: string;
const answers: unknown[] = [];
/** The sessions named by each heartbeat, and whether it is answered. */
const beats: string[][] = [];
/** Whole heartbeats. */
const bodies: object[] = [];
let isDeaf = false;
/** The times of asks for commands that were refused with 503; null while they are not. */
let refusedAt: number[] | null = null;
/** What is said of a server that drains, and how often one left. */
let slotsInUse = 0;
let left = 0;
/** Whether heartbeats are refused, because the server is not registered any more. */
let superseded = false;
/** A token with which heartbeats are answered, and those that heartbeats carried. */
let renewed: string | null = null;
const credentials: unknown[] = [];
/** The problem with which registrations are refused; null while they are not. */
let refusal: { status: number; code: string } | null = null;
const registrations: unknown[] = [];

beforeEach(async () => {
  answers.length = 0;
  beats.length = 0;
  bodies.length = 0;
  isDeaf = false;
  refusedAt = null;
  refusal = null;
  superseded = false;
  renewed = null;
  credentials.length = 0;
  [slotsInUse, left] = [0, 0];
  registrations.length = 0;
  coordinator = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const reply = (value: object): void => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
      };
      const path = request.url ?? '';
      if (/\/commands\/\d+$/.test(path)) {
        answers.push([path.split('/').at(-1), JSON.parse(body)]);
        return reply({ accepted: true });
      }
      if (path.includes('/commands')) {
        if (refusedAt) {
          refusedAt.push(performance.now());
          return void response.writeHead(503, { 'retry-after': '1' }).end();
        }
        const after = Number(new URL(path, 'http://here').searchParams.get('after'));
        // The session first: the other commands need it.
        const next = commands.filter(({ seq }) => seq === after + 1);
        return void setTimeout(() => reply({ commands: next }), next.length > 0 ? 0 : 50);
      }
      if (path.endsWith('/jwks.json')) return reply({ keys: [] });
      if (path.endsWith('/heartbeat')) {
        const beat = JSON.parse(body) as { sessions: string[] };
        bodies.push(beat);
        beats.push(beat.sessions);
        if (superseded)
          return void response.writeHead(409, { 'content-type': 'application/problem+json' }).end(
            JSON.stringify({
              type: 'urn:muster:problem:server-superseded',
              title: 't',
              status: 409,
              detail: 'Register again.',
            }),
          );
        credentials.push(request.headers.authorization);
        const more = renewed === null ? {} : { serverToken: renewed };
        return isDeaf ? request.socket.destroy() : reply({ state: 'ready', slotsInUse: 0, ...more });
      }
      if (path.endsWith('/drain')) return reply({ state: 'draining', slotsInUse });
      if (request.method === 'DELETE') {
        left++;
        return reply({ state: 'left', slotsInUse: 0 });
      }
      registrations.push(JSON.parse(body));
      if (refusal) {
        const { status, code } = refusal;
        const problem = {
          type: `urn:muster:problem:${code}`,
          title: 't',
          status,
          detail: 'Shut this server down.',
        };
        return void response
          .writeHead(status, { 'content-type': 'application/problem+json' })
          .end(JSON.stringify(problem));
      }
      return reply({
        serverId: 's',
        serverToken: 't.t',
        heartbeatSeconds: 1,
        silenceSeconds: 4,
        resumed: [],
      });
    });
  });
  coordinator.listen(0, '127.0.0.1');
  await once(coordinator, 'listening');
  const address = coordinator.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
});
afterEach(() => {
  coordinator.closeAllConnections();
  coordinator.close();
});

describe('a command that this version of the SDK does not support', () => {
  it('is refused and reported, and ends no session', async () => {
    const ended: string[] = [];
    const trouble: string[] = [];
    const server = new ServerClient(
      {
        url,
        serverKey: 'key',
        server: { serverId: 's', region: 'eu', build: 'b', host: '127.0.0.1', port: 7_777, slots: 1 },
      },
      {
        createSession: async () => undefined,
        endSession: (id) => void ended.push(id),
        trouble: (error) => void trouble.push(String(error)),
      },
    );
    await server.start();
    await vi.waitFor(() => expect(answers).toHaveLength(3), 10_000);
    server.silence();

    expect(answers).toEqual([
      ['1', { status: 'done' }],
      ['2', { status: 'refused', reason: 'this server does not support the command sing' }],
      ['3', { status: 'refused', reason: 'this server cannot parse the command create-session' }],
    ]);
    expect(ended).toEqual([]);
    expect(trouble.join()).toContain('does not support the command "sing"');
  });
});

describe('a heartbeat', () => {
  it.each([
    ['the ticks that the game reports', () => ({ rate: 60, p95Ms: 9.5 }), { tick: { rate: 60, p95Ms: 9.5 } }],
    ['no ticks while the game knows none', () => undefined, {}],
    ['no ticks without a handler', undefined, {}],
  ])('has %s', async (_, tick, expected) => {
    const server = new ServerClient(
      {
        url,
        serverKey: 'key',
        server: { serverId: 's', region: 'eu', build: 'b', host: '127.0.0.1', port: 7_777, slots: 1 },
      },
      {
        createSession: async () => undefined,
        endSession: () => undefined,
        cpuLoad: () => 0.25,
        ...(tick ? { tick } : {}),
      },
    );
    await server.start();
    await vi.waitFor(() => expect(bodies.length).toBeGreaterThan(0), 10_000);
    server.silence();
    expect(bodies[0]).toEqual({ cpuLoad: 0.25, sessions: ['ses_00000001'], ...expected });
  });
});

describe('a heartbeat that is answered with a token', () => {
  it('is followed by heartbeats with that token, and by no registration', async () => {
    renewed = 'token-2';
    const server = new ServerClient(
      {
        url,
        serverKey: 'key',
        server: { serverId: 's', region: 'eu', build: 'b', host: '127.0.0.1', port: 7_777, slots: 1 },
      },
      { createSession: async () => undefined, endSession: () => undefined },
    );
    await server.start();
    await vi.waitFor(() => expect(credentials.length).toBeGreaterThan(1), 10_000);
    server.silence();
    expect(credentials[1]).toBe('Bearer token-2');
    expect(registrations).toHaveLength(1);
  });
});

describe('an unanswered heartbeat', () => {
  it('is followed by one that names sessions begun since, so that none counts as lost', async () => {
    isDeaf = true;
    const begin = new AbortController();
    const server = new ServerClient(
      {
        url,
        serverKey: 'key',
        server: { serverId: 's', region: 'eu', build: 'b', host: '127.0.0.1', port: 7_777, slots: 1 },
      },
      {
        // The session begins while no heartbeat is answered.
        createSession: () =>
          new Promise((resolve) => begin.signal.addEventListener('abort', () => resolve(undefined))),
        endSession: () => undefined,
      },
    );
    await server.start();
    await vi.waitFor(() => expect(beats.length).toBeGreaterThan(0), 10_000);
    begin.abort();
    await vi.waitFor(() => expect(answers.length).toBeGreaterThan(0), 10_000);
    isDeaf = false;
    const before = beats.length;
    await vi.waitFor(() => expect(beats.length).toBeGreaterThan(before), 10_000);
    server.silence();

    expect(beats[0]).toEqual([]);
    expect(beats.at(-1)).toEqual([sessionId]);
  });
});

describe('a coordinator that refuses to hold another call', () => {
  it('is asked for commands no sooner than it says', async () => {
    refusedAt = [];
    const server = new ServerClient(
      {
        url,
        serverKey: 'key',
        server: { serverId: 's', region: 'eu', build: 'b', host: 'h', port: 1, slots: 1 },
      },
      { createSession: async () => undefined, endSession: () => undefined },
    );
    await server.start();
    await vi.waitFor(() => expect(refusedAt?.length).toBeGreaterThan(2), 10_000);
    server.silence();
    const [first = 0, second = 0, third = 0] = refusedAt;
    expect(second - first).toBeGreaterThan(990);
    expect(third - second).toBeGreaterThan(990);
  });
});

describe('a server that was started for an allocation', () => {
  const allocation = `alc_${'0'.repeat(32)}`;
  const started = (released: string[]): ServerClient =>
    new ServerClient(
      {
        url,
        serverKey: 'key',
        server: { serverId: 's', region: 'eu', build: 'b', host: 'h', port: 1, slots: 1, allocation },
      },
      {
        createSession: async () => undefined,
        endSession: () => undefined,
        released: (reason) => void released.push(reason),
      },
    );

  it.each([
    { status: 410, code: 'allocation-over' },
    { status: 409, code: 'allocation-taken' },
  ])('is told when it is not wanted ($code), and does not ask again', async (problem) => {
    refusal = problem;
    const released: string[] = [];
    await expect(started(released).start()).rejects.toMatchObject({ code: problem.code });
    expect(released).toEqual(['Shut this server down.']);
    expect(registrations).toMatchObject([{ allocation }]);
  });

  it('is told when its allocation ended while it was not registered', async () => {
    const released: string[] = [];
    const server = started(released);
    await server.start();
    refusal = { status: 410, code: 'allocation-over' };
    superseded = true;
    await vi.waitFor(() => expect(released).toHaveLength(1), 10_000);
    expect(registrations).toHaveLength(2);
    expect(beats.length).toBeLessThan(3);
  });
});

describe('a server that retires', () => {
  it('leaves when no session is left, not before', async () => {
    const server = new ServerClient(
      {
        url,
        serverKey: 'key',
        server: { serverId: 's', region: 'eu', build: 'b', host: 'h', port: 1, slots: 1 },
      },
      { createSession: async () => undefined, endSession: () => undefined },
    );
    await server.start();
    slotsInUse = 1;
    expect(await server.retire()).toBe(false);
    expect(left).toBe(0);
    slotsInUse = 0;
    expect(await server.retire()).toBe(true);
    expect(left).toBe(1);
  });
});
