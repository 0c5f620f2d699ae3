import type { Problem, TicketView } from '@muster/contracts';
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { ask, jsonOf } from '../support/http.js';
import type { Stack } from '../support/stack.js';
import { sharedStack } from './shared-stack.js';

let stack: Stack;
const open: ClientRequest[] = [];
const agent = new Agent({ keepAlive: false });

beforeAll(async () => {
  stack = await sharedStack();
});
afterEach(() => {
  for (const call of open.splice(0)) call.destroy();
});

/** Opens a waiting call. @returns its response; a stream stays open */
function hold(path: string, token: string, base = stack.url): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const call = request(`${base}${path}`, { agent, headers: { authorization: `Bearer ${token}` } }, resolve);
    open.push(call);
    call.on('error', reject);
    call.end();
  });
}

async function problemOf(response: IncomingMessage): Promise<Problem> {
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return JSON.parse(text) as Problem;
}

const queueUp = async (playerId: string): Promise<{ token: string; ticket: TicketView }> => {
  const token = await stack.token(playerId);
  const body = { queue: '5v5', build: 'open-calls' };
  return { token, ticket: jsonOf<TicketView>(await ask(stack.url, '/v1/tickets', { token, body }), 201) };
};

it('1,024 streams of one player do not block others’ calls, and all but eight are refused', async () => {
  const { token, ticket } = await queueUp('open-greedy');
  const path = `/v1/tickets/${ticket.ticketId}/events`;
  const streams = await Promise.all(Array.from({ length: 1_024 }, () => hold(path, token)));
  const refused = streams.filter(({ statusCode }) => statusCode === 429);
  expect(streams.filter(({ statusCode }) => statusCode === 200)).toHaveLength(8);
  expect(refused).toHaveLength(1_016);
  const [first] = refused;
  expect(Number(first?.headers['retry-after'])).toBeGreaterThan(0);
  expect(first && (await problemOf(first))).toMatchObject({
    type: 'urn:muster:problem:too-many-open',
    open: 8,
    limit: 8,
  });

  const other = await queueUp('open-modest');
  const read = await ask(stack.url, `/v1/tickets/${other.ticket.ticketId}`, { token: other.token });
  expect(jsonOf<TicketView>(read).state).toBe('waiting');
  const stream = await hold(`/v1/tickets/${other.ticket.ticketId}/events`, other.token);
  expect(stream.statusCode).toBe(200);
});

it('a server with eight open polls is refused another, also without the edge, until one ends', async () => {
  const server = {
    serverId: 'open-calls',
    region: 'eu',
    build: 'open-calls',
    host: '127.0.0.1',
    port: 1,
    slots: 1,
  };
  const registered = await ask(stack.url, '/v1/servers', { token: stack.run.serverKey, body: server });
  const { serverToken } = jsonOf<{ serverToken: string }>(registered, 201);
  const port = stack.run.replicas.find(({ service }) => service === 'allocator')?.httpPort;
  const base = `http://127.0.0.1:${port}`;
  const path = '/v1/servers/open-calls/commands?waitSeconds=30';
  // None of the eight is answered; the others are answered immediately, in any order.
  const polls = Array.from({ length: 9 }, () => hold(path, serverToken, base));
  const refused = await Promise.race(polls);
  expect(refused.statusCode).toBe(429);

  const beat = { cpuLoad: 0, sessions: [] };
  const heartbeat = await ask(stack.url, '/v1/servers/open-calls/heartbeat', {
    token: serverToken,
    body: beat,
  });
  expect(heartbeat.status).toBe(200);
  for (const call of open.splice(0)) call.destroy();
  await Promise.allSettled(polls);
  await expect
    .poll(
      async () => (await hold('/v1/servers/open-calls/commands?waitSeconds=0', serverToken, base)).statusCode,
    )
    .toBe(200);
  await ask(stack.url, '/v1/servers/open-calls', { method: 'DELETE', token: serverToken });
});
