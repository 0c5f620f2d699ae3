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

beforeEach(async () => {
  answers.length = 0;
  beats.length = 0;
  bodies.length = 0;
  isDeaf = false;
  refusedAt = null;
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
      if (path.endsWith('/heartbeat')) {
        const beat = JSON.parse(body) as { sessions: string[] };
        bodies.push(beat);
        beats.push(beat.sessions);
        return isDeaf ? request.socket.destroy() : reply({ state: 'ready', slotsInUse: 0 });
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
