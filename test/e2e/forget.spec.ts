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
