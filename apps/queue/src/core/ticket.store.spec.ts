import { message } from '@muster/domain';
import { randomUUID } from 'node:crypto';
import {
  aTicket,
  describeSameBehaviour,
  describeTicketRaces,
  describeTicketStore,
  MemoryTicketStore,
  startTestRedis,
  testTime,
  type StoreUnderTest,
  type TestRedis,
} from '@muster/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectRedis, realmRoot } from '@muster/redis';
import { SteppedTicketStore } from '../../test-support/ticket-store.js';
import { RedisTicketStore } from './ticket.store.js';

// Its realms belong to this run, so that a server may be shared.
const run = `test-${randomUUID()}`;
let server: TestRedis;
let connections: ReturnType<typeof connectRedis>[] = [];
let realms = 0;

beforeAll(async () => {
  server = await startTestRedis();
  connections = [1, 2, 3].map((n) =>
    connectRedis(server.url, { name: `test-${n}`, onError: () => undefined }),
  );
}, 30_000);

afterAll(async () => {
  const [redis] = connections;
  let cursor = '0';
  do {
    const [next, keys] = (await redis?.scan(cursor, 'MATCH', `muster:{${run}*`, 'COUNT', 1_000)) ?? ['0', []];
    if (keys.length > 0) await redis?.del(...keys);
    cursor = next;
  } while (cursor !== '0');
  for (const connection of connections) connection.disconnect();
  await server.stop();
});

async function create(): Promise<StoreUnderTest> {
  const root = realmRoot(`${run}-${++realms}`);
  const [store, ...others] = connections.map((connection) => new SteppedTicketStore(connection, root));
  if (!store) throw new Error('not connected');
  return { store, others };
}

describeTicketStore('RedisTicketStore', create);
describeTicketRaces('RedisTicketStore', create);
describeSameBehaviour('RedisTicketStore', create, async () => ({ store: new MemoryTicketStore() }));

describe('RedisTicketStore', () => {
  it('sends its scripts again to a server that lost them', async () => {
    const { store } = await create();
    await store.enqueue(aTicket(), testTime);
    await connections[0]?.script('FLUSH');
    expect(await store.cancel('t1', 'Enough.', testTime)).toEqual({ outcome: 'cancelled' });
  });

  it('returns no messages for a reason that the previous release wrote', async () => {
    const root = realmRoot(`${run}-${++realms}`);
    const [redis] = connections;
    if (!redis) throw new Error('not connected');
    const store = new SteppedTicketStore(redis, root);
    await store.enqueue(aTicket(), testTime);
    expect((await store.find('t1'))?.messages).toHaveLength(1);
    // As its script does: it does not know messages, and leaves them unchanged.
    await redis.hset(`${root}:ticket:t1`, { n: 2, s: 'proposed', r: 'A match was found.', a: testTime });
    expect(await store.find('t1')).toMatchObject({ reason: 'A match was found.' });
    expect((await store.find('t1'))?.messages).toBeUndefined();
  });

  it('keeps a waiting newcomer as compact as any ticket', async () => {
    const root = realmRoot(`${run}-${++realms}`);
    const [redis] = connections;
    if (!redis) throw new Error('not connected');
    const match = message('calibration.match', { match: 10, of: 10, party: true, playerId: 'p'.repeat(40) });
    const store = new SteppedTicketStore(redis, root);
    await store.enqueue(aTicket(), testTime, [message('ticket.queued-calibrating', { matches: [match] })]);
    const values = await redis.hvals(`${root}:ticket:t1`);
    // The text is as long as it was before messages existed.
    const words = (await store.find('t1'))?.reason;
    expect(values.filter((value) => value.length > 64 && value !== words)).toEqual([]);
  });

  it('keeps realms apart', async () => {
    const [one, other] = [await create(), await create()];
    await one.store.enqueue(aTicket(), testTime);
    expect(await other.store.find('t1')).toBeNull();
    expect(await other.store.waiting('duel', 10)).toEqual([]);
    expect(await other.store.enqueue(aTicket(), testTime)).toEqual({ outcome: 'created' });
  });

  it('deletes ended tickets after a while, and no others', async () => {
    const { store } = await create();
    const root = realmRoot(`${run}-${realms}`);
    const lifetimes = () =>
      Promise.all([`${root}:ticket:t1`, `${root}:log:t1`].map((key) => connections[0]?.ttl(key)));
    await store.enqueue(aTicket(), testTime);
    // The log begins with the second event.
    expect(await lifetimes()).toEqual([-1, -2]);
    const lease = await store.acquireLease('duel', 'matcher', 60_000, testTime);
    const proposal = { matchId: 'm1', queue: 'duel', ticketIds: ['t1'], job: '{}', reason: 'Found.' };
    await store.propose(proposal, lease?.epoch ?? 0, 60_000, testTime);
    await store.release('m1', ['t1'], [], 'Fell apart.', testTime);
    expect(await lifetimes()).toEqual([-1, -1]);
    await store.cancel('t1', 'Enough.', testTime);
    for (const seconds of await lifetimes()) expect(seconds).toBeGreaterThan(0);
  });
});

describe('the lease of a matcher', () => {
  it('follows the server’s clock, whatever those of its holders say', async () => {
    const redis = connectRedis(server.url, { name: 'lease', onError: () => undefined });
    const store = new RedisTicketStore(redis, `lease-{${randomUUID()}}`);
    const first = (await store.acquireLease('duel', 'one', 200))?.epoch ?? 0;
    expect(Math.abs(first - Date.now())).toBeLessThan(30_000);
    expect(await store.acquireLease('duel', 'other', 200)).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect((await store.acquireLease('duel', 'other', 200))?.epoch).toBeGreaterThan(first);
    redis.disconnect();
  });

  it('is free when a holder of an earlier version wrote an end that is far ahead', async () => {
    const redis = connectRedis(server.url, { name: 'lease', onError: () => undefined });
    const root = `lease-{${randomUUID()}}`;
    const earlier = new SteppedTicketStore(redis, root);
    await earlier.acquireLease('duel', 'wrong', 200, Date.now() + 300_000);
    expect(await new RedisTicketStore(redis, root).acquireLease('duel', 'right', 200)).not.toBeNull();
    redis.disconnect();
  });
});
