import { randomUUID } from 'node:crypto';
import { startTestRedis, type TestRedis } from '@muster/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectRedis, WakeUps } from './index.js';

const run = randomUUID();
const channel = `muster-test-${run}`;
const connections: ReturnType<typeof connectRedis>[] = [];
let server: TestRedis;
let here: WakeUps;
let elsewhere: WakeUps;

function connect(name: string, blocking = false): ReturnType<typeof connectRedis> {
  const redis = connectRedis(server.url, { name: `${name}-${run}`, blocking, onError: () => undefined });
  connections.push(redis);
  return redis;
}

async function wakeUps(name: string): Promise<WakeUps> {
  const made = new WakeUps(connect(name), connect(`${name}-subscriber`, true), channel, () => undefined);
  await made.start();
  return made;
}

/** The duration of a wait, in milliseconds. */
async function waited(wait: Promise<void>): Promise<number> {
  const from = performance.now();
  await wait;
  return performance.now() - from;
}

beforeAll(async () => {
  server = await startTestRedis();
  here = await wakeUps('here');
  elsewhere = await wakeUps('elsewhere');
}, 30_000);

afterAll(async () => {
  for (const connection of connections) connection.disconnect();
  await server.stop();
});

describe('WakeUps', () => {
  it('wakes all waiters of the topic, in this and other processes', async () => {
    const waits = [here, here, elsewhere].map((of) => waited(of.wait('match', 10_000)));
    here.wake('match');
    for (const ms of await Promise.all(waits)) expect(ms).toBeLessThan(5_000);
  });

  it('does not wake waiters of other topics', async () => {
    const other = waited(elsewhere.wait('other', 300));
    const woken = elsewhere.wait('match', 10_000);
    here.wake('match');
    await woken;
    expect(await other).toBeGreaterThan(250);
  });

  it('waits no longer than the time-out', async () => {
    expect(await waited(here.wait('never', 30))).toBeLessThan(5_000);
  });

  it('stops waiting when the signal aborts, also if it was aborted before', async () => {
    const caller = new AbortController();
    const wait = waited(here.wait('never', 10_000, caller.signal));
    caller.abort();
    expect(await wait).toBeLessThan(5_000);
    expect(await waited(here.wait('never', 10_000, caller.signal))).toBeLessThan(5_000);
  });

  it('resubscribes after a lost connection', async () => {
    const admin = connect('admin');
    const clients = String(await admin.client('LIST')).split('\n');
    const lost = clients.find((line) => line.includes(`name=muster-elsewhere-subscriber-${run}`));
    const [, id = ''] = /id=(\d+)/.exec(lost ?? '') ?? [];
    expect(await admin.client('KILL', 'ID', id)).toBe(1);
    const wait = waited(elsewhere.wait('match', 10_000));
    // Messages are lost while disconnected; repeated, one arrives.
    const again = setInterval(() => here.wake('match'), 20);
    const ms = await wait;
    clearInterval(again);
    expect(ms).toBeLessThan(5_000);
  });

  it('never fails its caller, not even without a server, and reports the error', async () => {
    const errors: unknown[] = [];
    const lost = connectRedis('redis://127.0.0.1:1', {
      name: 'lost',
      onError: (error) => void errors.push(error),
    });
    connections.push(lost);
    const alone = new WakeUps(
      lost,
      connect('alone-subscriber', true),
      channel,
      (error) => void errors.push(error),
    );
    const wait = waited(alone.wait('match', 10_000));
    alone.wake('match');
    expect(await wait).toBeLessThan(5_000);
  });
});
