import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ask, jsonOf } from '../support/http.js';
import { ownReplica, type OwnReplica } from './own-replica.js';
import { sharedStack } from './shared-stack.js';

/** A replica of queue beside the shared stack, in its own realm, which nothing else uses. */
let queue: OwnReplica;
let url: string;
let token: string;

beforeAll(async () => {
  queue = await ownReplica('queue', { REALM: 'drain', DRAIN_PAUSE_MS: '1500' });
  ({ url } = queue);
  token = await (await sharedStack()).token('drained');
});
afterAll(() => void queue?.child.kill('SIGKILL'));

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

    queue.child.kill('SIGTERM');
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
    expect(await queue.exit).toEqual([0, null]);
  });
});
