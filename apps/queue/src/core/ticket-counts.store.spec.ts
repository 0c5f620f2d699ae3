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
    expect((await store.counts('duel')).map(({ count }) => count)).toEqual([0, 0, 0, 0, 0]);
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
    const of = async (queue: string) =>
      (await store.counts(queue)).flatMap(({ what, count }) => (count === 0 ? [] : [`${what} ${count}`]));
    expect(await of('a:b')).toEqual(['accepted 1', 'expired 1']);
    expect(await of('duel')).toEqual(['accepted 3', 'cancelled 1']);
  });
});
