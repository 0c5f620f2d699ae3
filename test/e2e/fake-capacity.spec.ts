import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeServer, GameServer } from '../support/game-server.js';
import { ask, jsonOf } from '../support/http.js';
import { duel } from '../support/party.js';
import type { Stack } from '../support/stack.js';
import { ownStack } from './shared-stack.js';

/** As many as the flood that was measured, with FAKE_SERVERS=1200. */
const count = Number(process.env['FAKE_SERVERS'] ?? 100);
const build = 'flooded';

let stack: Stack;
const honest: GameServer[] = [];
const ended = new AbortController();

beforeAll(async () => {
  stack = await ownStack([]);
  for (const i of [1, 2, 3])
    honest.push(await GameServer.start(stack, { serverId: `honest-${i}`, build, slots: 40 }));
});
afterAll(async () => {
  ended.abort();
  await Promise.all(honest.map((server) => server.stop()));
  await stack?.stop();
});

/** How long matches take from two tickets to a server, in milliseconds, one begun every 250 ms. */
async function places(name: string, matches: number): Promise<number[]> {
  const running = Array.from({ length: matches }, async (_, i) => {
    await new Promise((resolve) => setTimeout(resolve, i * 250));
    const startedAt = performance.now();
    const tickets = await duel(stack, build, [`${name}-${i}-a`, `${name}-${i}-b`]);
    await Promise.all(tickets.map((ticket) => ticket.assigned()));
    return Math.round(performance.now() - startedAt);
  });
  return Promise.all(running);
}

/** An invented server: it is registered, sends heartbeats, and never answers a command. */
async function invent(i: number, polls: boolean): Promise<void> {
  const serverId = `fake-${polls ? 'polling' : 'deaf'}-${i}`;
  const { serverKey: token } = stack.run;
  const body = describeServer({ serverId, build, slots: 1_000, port: 30_000 + (i % 30_000) });
  const { serverToken } = jsonOf<{ serverToken: string }>(
    await ask(stack.url, '/v1/servers', { token, body }),
    201,
  );
  const call = (path: string, more: object = {}): Promise<unknown> =>
    ask(stack.url, `/v1/servers/${serverId}/${path}`, { token: serverToken, ...more }).catch(() => null);
  if (polls) await call('commands?after=0&waitSeconds=0');
  const beat = setInterval(() => void call('heartbeat', { body: {} }), 5_000);
  ended.signal.addEventListener('abort', () => clearInterval(beat));
}

async function flood(polls: boolean): Promise<void> {
  for (let from = 0; from < count; from += 20)
    await Promise.all(Array.from({ length: Math.min(20, count - from) }, (_, i) => invent(from + i, polls)));
}

it('invented servers with more slots than all others delay two matches at most', async () => {
  await places('before', 8);
  await flood(false);
  const deaf = await places('deaf', 20);
  await flood(true);
  const polling = await places('polling', 40);
  // Such servers delayed matches by 10 to 30 s.
  const lateMs = 10_000;
  const late = (times: readonly number[]): number => times.filter((ms) => ms > lateMs).length;
  const told = { deaf: deaf.toSorted((a, b) => b - a), polling: polling.toSorted((a, b) => b - a) };
  process.stdout.write(`${count} invented servers: ${JSON.stringify(told)}\n`);
  expect([late(deaf), late(polling)]).toEqual([0, expect.toSatisfy((many: number) => many <= 2)]);
}, 240_000);
