import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServerClient } from './server-client.js';

const sessionId = 'ses_00000001';
const order = { matchId: 'mat_00000001', teams: [], map: null, roles: {}, bots: [] };
/** What a coordinator of a newer release orders: a session, then something for it that this SDK does not know. */
const commands = [
  { seq: 1, kind: 'create-session', sessionId, session: order },
  { seq: 2, kind: 'sing', sessionId, song: 'la' },
  { seq: 3, kind: 'create-session', sessionId: 'ses_00000002' },
];

let coordinator: Server;
let url: string;
const answers: unknown[] = [];
/** The sessions that each heartbeat named, and whether it is heard. */
const beats: string[][] = [];
let isDeaf = false;

beforeEach(async () => {
  answers.length = 0;
  beats.length = 0;
  isDeaf = false;
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
        const after = Number(new URL(path, 'http://here').searchParams.get('after'));
        // The session first: the rest is about one that runs.
        const next = commands.filter(({ seq }) => seq === after + 1);
        return void setTimeout(() => reply({ commands: next }), next.length > 0 ? 0 : 50);
      }
      if (path.endsWith('/heartbeat')) {
        beats.push((JSON.parse(body) as { sessions: string[] }).sessions);
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

describe('a command that this version of the SDK does not know', () => {
  it('is refused and said, and no session ends for it', async () => {
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
      ['2', { status: 'refused', reason: 'this server does not know the command sing' }],
      ['3', { status: 'refused', reason: 'this server does not understand the command create-session' }],
    ]);
    expect(ended).toEqual([]);
    expect(trouble.join()).toContain('does not know the command "sing"');
  });
});

describe('a heartbeat that is not heard', () => {
  it('is followed by one that names what has begun since, so that no running session is taken for forgotten', async () => {
    isDeaf = true;
    const begin = new AbortController();
    const server = new ServerClient(
      {
        url,
        serverKey: 'key',
        server: { serverId: 's', region: 'eu', build: 'b', host: '127.0.0.1', port: 7_777, slots: 1 },
      },
      {
        // The session begins while the coordinator hears no heartbeat.
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
