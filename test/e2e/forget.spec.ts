import { PlayerClient } from '@muster/sdk';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ownReplica, type OwnReplica } from './own-replica.js';
import { sharedStack } from './shared-stack.js';

const realm = 'forget';
const soon = { timeout: 20_000, interval: 100 };

describe('a Redis that lost all tickets', () => {
  let replica: OwnReplica;
  let redis: Redis;
  beforeAll(async () => {
    redis = new Redis((await sharedStack()).run.redisUrl);
    replica = await ownReplica('queue', { REALM: realm });
  }, 120_000);
  afterAll(async () => {
    redis.disconnect();
    replica.child.kill('SIGTERM');
    await replica.exit;
  });

  async function loseAll(): Promise<void> {
    const keys = await redis.keys(`muster:{${realm}}:*`);
    if (keys.length > 0) await redis.del(...keys);
  }

  it('answers 410 to all who ask for one, ends what waits for it, and lets its players queue again', async () => {
    const token = await (await sharedStack()).token('forgotten-player');
    const player = new PlayerClient({ url: replica.url, token });
    const request = { queue: '1v1', build: 'forget' };
    const { ticketId } = await player.enqueue(request);
    const path = `${replica.url}/v1/tickets/${ticketId}`;
    const headers = { authorization: `Bearer ${token}` };
    const stream = await fetch(`${path}/events`, { headers });
    const poll = fetch(`${path}?after=1&waitSeconds=25`, { headers });
    await loseAll();

    // Until the tickets of running matches are known again, nobody is told that a ticket is lost.
    expect([410, 503]).toContain((await poll).status);
    expect(await stream.text()).toContain('event: come-again');
    await vi.waitFor(async () => expect((await fetch(path, { headers })).status).toBe(410), soon);
    const calls: [string, RequestInit][] = [
      [path, {}],
      [path, { method: 'DELETE' }],
      [`${path}?after=1&waitSeconds=5`, {}],
      [`${path}/events`, { headers: { ...headers, 'last-event-id': '1' } }],
      [`${path}/accept`, { method: 'POST' }],
      [`${path}/decline`, { method: 'POST' }],
    ];
    for (const [url, init] of calls) {
      const answer = await fetch(url, { headers, ...init });
      expect([url, answer.status, await answer.json()]).toEqual([
        url,
        410,
        expect.objectContaining({ type: 'urn:muster:problem:ticket-lost', ticketId }),
      ]);
    }
    const madeUp = await fetch(`${replica.url}/v1/tickets/tkt_AAAAAAAAAAAAAAAAAAAAAA`, { headers });
    expect(madeUp.status).toBe(404);

    const again = await player.enqueue(request);
    expect(again.state).toBe('waiting');
    expect(await player.cancel(again.ticketId)).toBe(true);
  }, 60_000);

  it('gives a ticket again to a client that repeats its request with the same key', async () => {
    const player = new PlayerClient({
      url: replica.url,
      token: await (await sharedStack()).token('persistent-player'),
    });
    const request = { queue: '1v1', build: 'forget' };
    const { ticketId } = await player.enqueue(request, 'the-same-key');
    await loseAll();
    await vi.waitFor(
      async () => expect((await player.enqueue(request, 'the-same-key')).ticketId).toBe(ticketId),
      soon,
    );
    expect(await player.read(ticketId)).toMatchObject({ state: 'waiting', closed: false });
    await player.cancel(ticketId);
  }, 60_000);
});
