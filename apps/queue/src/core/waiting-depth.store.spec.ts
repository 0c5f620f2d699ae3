import { aTicket, startTestRedis, testTime, type TestRedis } from '@muster/testing';
import { connectRedis, realmRoot } from '@muster/redis';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SteppedTicketStore } from '../../test-support/ticket-store.js';

let server: TestRedis;
let redis: ReturnType<typeof connectRedis>;

beforeAll(async () => {
  server = await startTestRedis();
  redis = connectRedis(server.url, { name: 'test-depth', onError: () => undefined });
}, 30_000);

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

/** A ticket of one player that expires a minute after it was enqueued. */
const ticketAt = (ticketId: string, enqueuedAt: number) =>
  aTicket({
    ticketId,
    queue: 'duel',
    enqueuedAt,
    expiresAt: enqueuedAt + 60_000,
    players: [{ playerId: `of-${ticketId}`, mu: 25, sigma: 8 }],
  });

describe('the depth of a queue', () => {
  it('counts waiting tickets of each queue and reads the time of the oldest', async () => {
    const store = new SteppedTicketStore(redis, realmRoot(`test-${randomUUID()}`));
    expect(await store.waitingDepth('duel')).toEqual({ waiting: 0, oldestAt: null });
    for (const [id, at] of [
      ['b', testTime + 1_000],
      ['a', testTime],
      ['c', testTime + 2_000],
    ] as const)
      await store.enqueue(ticketAt(id, at), at);
    const [duel, squad] = await Promise.all([store.waitingDepth('duel'), store.waitingDepth('squad')]);
    expect(duel).toEqual({ waiting: 3, oldestAt: testTime });
    expect(squad).toEqual({ waiting: 0, oldestAt: null });
    await store.cancel('a', 'Enough.', testTime + 3_000);
    expect(await store.waitingDepth('duel')).toEqual({ waiting: 2, oldestAt: testTime + 1_000 });
  });

  it('fails while Redis is away', async () => {
    const away = connectRedis('redis://127.0.0.1:1', { name: 'away', onError: () => undefined });
    await expect(new SteppedTicketStore(away, realmRoot('away')).waitingDepth('duel')).rejects.toThrow(/./);
    away.disconnect();
  });
});
