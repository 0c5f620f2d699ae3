import { jobQueues } from '@muster/contracts';
import { JobSender, workOn } from '@muster/platform';
import {
  checkAnswers,
  clientList,
  connectRedis,
  realmRoot,
  serverTime,
  untilConnected,
  WakeUps,
  type RedisConnection,
} from '@muster/redis';
import {
  aTicket,
  describeSameBehaviour,
  describeTicketRaces,
  describeTicketStore,
  MemoryTicketStore,
  testTime,
  type StoreUnderTest,
} from '@muster/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { RedisTicketFeed } from '../../apps/queue/src/core/ticket-feed.store.js';
import { RedisMinutes } from '../../apps/queue/src/statistics/minutes.store.js';
import { SteppedTicketStore } from '../../apps/queue/test-support/ticket-store.js';
import { queuesThatReadSeveral } from '../../libs/platform/src/jobs/job-readers.js';
import { Happenings } from '../support/happenings.js';
import { hasRedis, skips, topologies, type Given } from './topologies.js';

const log = pino({ level: 'silent' });
const patient = { timeout: 50_000, interval: 20 };

describe.skipIf(!hasRedis).each(Object.entries(topologies))(`on %s ${skips}`, (name, start) => {
  const connections: RedisConnection[] = [];
  let given: Given;
  let realms = 0;

  function connect(as: string, more: { blocking?: boolean } = {}): RedisConnection {
    const redis = connectRedis(given.target, { name: as, onError: () => undefined, ...more });
    connections.push(redis);
    return redis;
  }
  beforeAll(async () => {
    given = await start();
    for (const n of [1, 2, 3]) connect(`test-${n}`);
    await Promise.all(connections.map(untilConnected));
  });
  afterAll(async () => {
    for (const redis of connections) redis.disconnect();
    await given?.stop();
  });
  const nextRoot = (): string => realmRoot(`default-${++realms}`);

  async function create(): Promise<StoreUnderTest> {
    const root = nextRoot();
    const [store, ...others] = connections
      .slice(0, 3)
      .map((connection) => new SteppedTicketStore(connection, root));
    if (!store) throw new Error('not connected');
    return { store, others };
  }

  describeTicketStore(`RedisTicketStore on ${name}`, create);
  describeTicketRaces(`RedisTicketStore on ${name}`, create);
  describeSameBehaviour(`RedisTicketStore on ${name}`, create, async () => ({
    store: new MemoryTicketStore(),
  }));

  it('tells the time of the server that holds the keys, and whether it answers', async () => {
    const redis = connect('time');
    await checkAnswers(redis, realmRoot('default'));
    expect(Math.abs((await serverTime(redis, realmRoot('default'))) - Date.now())).toBeLessThan(60_000);
  });

  it('keeps what was counted by minute', async () => {
    const root = nextRoot();
    const minutes = new RedisMinutes(connect('minutes'), root);
    const { queue } = aTicket({});
    await minutes.note(queue, {}, testTime);
    await new SteppedTicketStore(connect('counter'), root).enqueue(aTicket({ ticketId: 't1' }), testTime);
    await minutes.note(queue, {}, testTime + 60_000);
    const [before, after] = await minutes.at(queue, [testTime, testTime + 60_000]);
    expect([before?.counts.get('accepted'), after?.counts.get('accepted')]).toEqual([undefined, 1]);
  });

  it('follows the feed of tickets', async () => {
    const root = nextRoot();
    const errors: unknown[] = [];
    const feed = new RedisTicketFeed(connect('feed', { blocking: true }), root, (error) =>
      errors.push(error),
    );
    const events: string[] = [];
    const store = new SteppedTicketStore(connect('writer'), root);
    const following = feed.follow();
    let tickets = 0;
    // It begins at the end of the stream, and this does not wait for its beginning.
    await vi.waitFor(async () => {
      const ticketId = `t${++tickets}`;
      feed.subscribe(ticketId, ({ state }) => events.push(state));
      await store.enqueue(aTicket({ ticketId }), testTime);
      await store.cancel(ticketId, 'Enough.', testTime);
      expect(events).toContain('cancelled');
    }, patient);
    feed.stop();
    await following;
    expect(errors).toEqual([]);
  });

  it('wakes waiters of other processes', async () => {
    const channel = `${nextRoot()}:wake`;
    const subscriber = connect('woken', { blocking: true });
    const woken = new WakeUps(connect('idle'), subscriber, channel, () => undefined);
    await woken.start();
    const waker = new WakeUps(connect('waker'), connect('unused', { blocking: true }), channel, (error) => {
      throw error;
    });
    let isWoken = false;
    const waiting = woken.wait('match', 30_000).then(() => (isWoken = true));
    await vi.waitFor(() => {
      waker.wake('match');
      expect(isWoken).toBe(true);
    }, patient);
    await waiting;
  });

  it('takes jobs around, and knows which workers read jobs of several items', async () => {
    const realm = `default-${++realms}`;
    const sender = new JobSender(given.target, realm, log);
    await sender.ready();
    const queue = jobQueues.conduct;
    const done = new Happenings<number>();
    const worker = workOn(queue, z.object({ n: z.number() }), async ({ n }) => done.push(n), {
      target: given.target,
      realm,
      log,
      clock: { sound: true, onChange: () => undefined },
      concurrency: 1,
    });
    try {
      await worker.ready();
      const asking = connect('asking');
      await vi.waitFor(async () => {
        const known = queuesThatReadSeveral(await clientList(asking), realm, [queue]);
        expect([...known]).toEqual([queue]);
      }, patient);
      await sender.send(queue, [
        { jobId: 'one', payload: { n: 1 } },
        { jobId: 'two', payload: { n: 2 } },
      ]);
      await done.many(2);
      expect(done.all.toSorted()).toEqual([1, 2]);
      const counts = async (): Promise<number> => {
        const all = await sender.deadLetters().counts();
        return all.reduce((sum, { waiting, active, delayed }) => sum + waiting + active + delayed, 0);
      };
      await vi.waitFor(async () => expect(await counts()).toBe(0), patient);
    } finally {
      await worker.stop();
      await sender.close();
    }
  });

  it('is denied nothing that it needs, and all else', async () => {
    const denied = await Promise.all(
      given.topology.servers.map((server) => server.ask('ACL', 'LOG').catch(() => [])),
    );
    expect(denied.flat()).toEqual([]);
    if (given.target.username === undefined) return;
    const redis = connect('curious');
    const refused = /^NOPERM|has no permissions/;
    for (const command of ['FLUSHALL', 'KEYS *', 'CONFIG GET *', 'ACL LIST', 'SHUTDOWN', 'CLIENT KILL x']) {
      const [word = '', ...args] = command.split(' ');
      await expect(redis.call(word, ...args)).rejects.toThrow(refused);
    }
    await expect(redis.get('{default}another')).rejects.toThrow(refused);
    await expect(redis.publish('another', 'x')).rejects.toThrow(refused);
  });
});
