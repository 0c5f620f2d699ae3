import { aTicket, startTestRedis, testTime, type TestRedis } from '@muster/testing';
import { connectRedis, realmRoot } from '@muster/redis';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SteppedTicketStore } from '../../test-support/ticket-store.js';

let server: TestRedis;
let redis: ReturnType<typeof connectRedis>;

beforeAll(async () => {
  server = await startTestRedis();
  redis = connectRedis(server.url, { name: 'test-counts', onError: () => undefined });
}, 30_000);

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

describe('the counts of tickets', () => {
  it('are of each queue and outcome, each ticket once however often a call is repeated', async () => {
    const store = new SteppedTicketStore(redis, realmRoot(`test-${randomUUID()}`));
    expect(await store.counts()).toEqual([]);
    const enqueue = (ticketId: string, queue: string) =>
      store.enqueue(
        aTicket({
          ticketId,
          queue,
          fingerprint: ticketId,
          enqueuedAt: testTime,
          expiresAt: testTime + 60_000,
          players: [{ playerId: `of-${ticketId}`, mu: 25, sigma: 8 }],
        }),
        testTime,
      );
    for (const ticketId of ['a', 'a', 'b', 'c']) await enqueue(ticketId, 'duel');
    await enqueue('d', 'a:b');
    for (let i = 0; i < 2; i++) await store.cancel('a', 'Enough.', testTime + 1);
    for (let i = 0; i < 2; i++) await store.expire('a:b', 'Too long.', testTime + 60_001, 10);
    const counts = (await store.counts()).map(({ what, queue, count }) => `${queue} ${what} ${count}`);
    expect(counts.toSorted()).toEqual([
      'a:b accepted 1',
      'a:b expired 1',
      'duel accepted 3',
      'duel cancelled 1',
    ]);
  });
});
