import { QueueNotFound, TicketsRecovering, type QueueRules } from '@muster/domain';
import { defaultQueues } from '@muster/matchmaking';
import { connectRedis, realmRoot } from '@muster/redis';
import { aTicket, startTestRedis, testTime, type TestRedis } from '@muster/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SteppedTicketStore } from '../../apps/queue/test-support/ticket-store.js';
import { RedisTicketList } from '../../apps/queue/src/core/ticket-list.store.js';
import { ListTickets, type TicketSearch } from '../../apps/queue/src/desk/list-tickets.js';

const [fives] = defaultQueues as [QueueRules];
let server: TestRedis;
let redis: ReturnType<typeof connectRedis>;

beforeAll(async () => {
  server = await startTestRedis();
  redis = connectRedis(server.url, { name: 'test-list', onError: () => undefined });
}, 30_000);

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

/** A realm of its own, with tickets `a0`, `a1`, … of queue `duel` and `b0` … of `squad`, one each second. */
async function realm(duels: number, squads: number) {
  const root = realmRoot(`test-${randomUUID()}`);
  const store = new SteppedTicketStore(redis, root);
  for (const [queue, prefix, count] of [
    ['duel', 'a', duels],
    ['squad', 'b', squads],
  ] as const)
    for (let i = 0; i < count; i++) {
      const enqueuedAt = testTime + i * 1_000;
      const players = [{ playerId: `of-${prefix}${i}`, mu: 25, sigma: 8 }];
      const ticket = aTicket({
        ticketId: `${prefix}${i}`,
        queue,
        enqueuedAt,
        expiresAt: enqueuedAt + 60_000,
        players,
      });
      await store.enqueue(ticket, enqueuedAt);
    }
  let isOpen = true;
  const list = new ListTickets(
    new RedisTicketList(redis, root),
    store,
    { look: () => Promise.resolve({ isOpen }) },
    {
      named: (name) => {
        if (name !== 'duel' && name !== 'squad') throw new QueueNotFound(name);
        return fives;
      },
    },
    { withNewest: async (_queue, step) => step() },
    { now: () => testTime + 100_000 },
  );
  return { store, list, close: () => void (isOpen = false) };
}

/** All pages of a search. */
async function all(list: ListTickets, search: Omit<TicketSearch, 'cursor'>): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const { tickets, next } = await list.run({ ...search, cursor });
    pages.push(tickets.map(({ ticketId }) => ticketId));
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

describe('ListTickets', () => {
  it('lists the waiting tickets of a queue, the longest waiting first, in pages', async () => {
    const { list } = await realm(5, 2);
    expect(await all(list, { queue: 'duel', state: 'waiting', limit: 2 })).toEqual([
      ['a0', 'a1'],
      ['a2', 'a3'],
      ['a4'],
    ]);
    const old = { queue: 'duel', state: 'waiting', olderThanSeconds: 98, limit: 2 } as const;
    expect((await all(list, old)).flat()).toEqual(['a0', 'a1', 'a2']);
  });

  it('fills a page by several reads, and no further than its limit', async () => {
    const { store, list } = await realm(3, 0);
    const players = [{ playerId: 'of-new', mu: 25, sigma: 8 }];
    const enqueuedAt = testTime + 99_000;
    const expiresFirst = aTicket({
      ticketId: 'new',
      queue: 'duel',
      enqueuedAt,
      expiresAt: testTime + 1_000,
      players,
    });
    await store.enqueue(expiresFirst, testTime);
    const old = { queue: 'duel', state: 'waiting', olderThanSeconds: 50, limit: 2 } as const;
    expect(await all(list, old)).toEqual([['a0', 'a1'], ['a2']]);
  });

  it('goes on from any cursor, also from one of another search', async () => {
    const { list } = await realm(2, 0);
    for (const cursor of ['0~a0', '9999999999999999999~a0', '9'.repeat(19)])
      for (const queue of ['duel', undefined])
        await expect(list.run({ queue, state: 'waiting', limit: 2, cursor })).resolves.toHaveProperty('next');
  });

  it('has tickets that expire in the same millisecond in one page', async () => {
    const { store, list } = await realm(1, 0);
    for (const id of ['x', 'y', 'z'])
      await store.enqueue(
        aTicket({
          ticketId: id,
          queue: 'duel',
          enqueuedAt: testTime,
          expiresAt: testTime + 60_000,
          players: [{ playerId: `of-${id}`, mu: 25, sigma: 8 }],
        }),
        testTime,
      );
    const pages = await all(list, { queue: 'duel', state: 'waiting', limit: 2 });
    expect(pages.flat().toSorted()).toEqual(['a0', 'x', 'y', 'z']);
  });

  it('lists every open ticket, or those of a queue, a state or a player', async () => {
    const { store, list } = await realm(30, 3);
    await store.cancel('b1', 'Enough.', testTime);
    const found = async (search: Partial<TicketSearch>) =>
      [...new Set((await all(list, { limit: 10, ...search })).flat())].toSorted();
    expect(await found({})).toHaveLength(32);
    const pages = await all(list, { limit: 3 });
    expect(pages.every((page) => page.length <= 3)).toBe(true);
    expect(new Set(pages.flat()).size).toBe(32);
    expect(await found({ queue: 'squad' })).toEqual(['b0', 'b2']);
    expect(await found({ queue: 'squad', state: 'cancelled' })).toEqual(['b1']);
    expect(await found({ playerId: 'of-b2' })).toEqual(['b2']);
    expect(await found({ playerId: 'of-b2', queue: 'duel' })).toEqual([]);
    expect(await found({ playerId: 'of-b1' })).toEqual([]);
  });

  it('refuses an unknown queue, and a list that may lack tickets', async () => {
    const { list, close } = await realm(1, 0);
    await expect(list.run({ queue: 'nowhere', limit: 1 })).rejects.toBeInstanceOf(QueueNotFound);
    close();
    await expect(list.run({ limit: 1 })).rejects.toBeInstanceOf(TicketsRecovering);
  });
});
