import { freePort, readKeys, serviceProcess, untilOk } from '@muster/embedded';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ask, jsonOf } from '../support/http.js';
import type { Stack } from '../support/stack.js';
import { sharedStack } from './shared-stack.js';

/** A replica of queue beside the shared stack, in its own realm, which nothing else uses. */
let stack: Stack;
let child: ChildProcess;
let url: string;
let token: string;
let exit: Promise<unknown[]>;

beforeAll(async () => {
  stack = await sharedStack();
  const [httpPort, grpcPort] = [await freePort(0), await freePort(0)];
  const replica = { name: 'queue', service: 'queue' as const, httpPort, grpcPort };
  const neighbours = stack.run.replicas.filter(({ service }) => service !== 'queue') as (typeof replica)[];
  const keys = await readKeys(stack.dataDir);
  const { command, args, env } = serviceProcess(replica, [...neighbours, replica], stack.run, keys, 'info');
  url = `http://127.0.0.1:${httpPort}`;
  child = spawn(command, args, {
    env: { ...process.env, ...env, REALM: 'drain', DRAIN_PAUSE_MS: '1500' },
    stdio: 'ignore',
  });
  exit = once(child, 'exit');
  await untilOk(`${url}/health/ready`, AbortSignal.timeout(60_000));
  token = await stack.token('drained');
});
afterAll(() => child?.kill('SIGKILL'));

describe('a process that receives SIGTERM', () => {
  it('first reports draining and still answers; then ends streams and polls with a retry hint; then exits with code 0', async () => {
    const body = { queue: '1v1', build: 'drain' };
    const { ticketId, seq } = await jsonOf<{ ticketId: string; seq: number }>(
      await ask(url, '/v1/tickets', { token, body }),
      201,
    );
    const events = ask(url, `/v1/tickets/${ticketId}/events`, { token });
    const poll = ask(url, `/v1/tickets/${ticketId}?after=${seq}&waitSeconds=20`, { token });
    const over: string[] = [];
    void events.then(() => over.push('events'));
    void poll.then(() => over.push('poll'));

    child.kill('SIGTERM');
    await vi.waitFor(
      async () => {
        const { status, text } = await ask(url, '/health/ready');
        expect([status, JSON.parse(text)]).toMatchObject([503, { status: 'draining' }]);
      },
      { timeout: 5_000, interval: 20 },
    );
    // Nothing has ended and calls are answered: a load balancer has not noticed yet.
    expect(over).toEqual([]);
    const read = await ask(url, `/v1/tickets/${ticketId}`, { token });
    expect([read.status, read.headers.connection]).toEqual([200, 'close']);

    expect(await jsonOf(await poll)).toMatchObject({ ticketId, seq, state: 'waiting' });
    expect((await events).text).toMatch(/retry: \d+\nevent: come-again\ndata: \{.*the process ends/);
    expect(await exit).toEqual([0, null]);
  });
});
