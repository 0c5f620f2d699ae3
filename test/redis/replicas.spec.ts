import { jobQueues } from '@muster/contracts';
import { NotReplicated } from '@muster/domain';
import { isStoreUnavailable, JobSender, toProblem } from '@muster/platform';
import { connectRedis, realmRoot, Replicas, untilConnected, type RedisConnection } from '@muster/redis';
import { aTicket, testTime } from '@muster/testing';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { UnwatchedTicketStore } from '../../apps/queue/test-support/ticket-store.js';
import { until } from '../support/gate.js';
import {
  connectedReplicas,
  redisProgram,
  startSentinel,
  type RedisServer,
  type RedisTopology,
} from '../support/redis-topologies.js';

const hasRedis = (await redisProgram()) !== null;
const skips = '(skipped: needs valkey-server or redis-server, 7.0 or newer, on the PATH)';
const patient = { timeout: 50_000, interval: 20 };
const replication = { replicas: 1, withinMs: 300 };
const log = pino({ level: 'silent' });

const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no error',
    (error: unknown) => error,
  );

describe.skipIf(!hasRedis)(`changes that a replica must hold ${skips}`, () => {
  let topology: RedisTopology;
  let master: RedisServer;
  let replica: RedisServer;
  let open: RedisConnection[] = [];
  let realms = 0;
  let root: string;

  function connect(): RedisConnection {
    const redis = connectRedis(topology.env.REDIS_URL, { name: 'test', onError: () => undefined });
    open.push(redis);
    return redis;
  }
  function storeOf(redis = connect()): UnwatchedTicketStore {
    return new UnwatchedTicketStore(connect(), root, {
      redis,
      replicas: new Replicas(redis, root, replication),
    });
  }
  beforeAll(async () => {
    topology = await startSentinel({ replicas: 1 });
    const [first, second] = topology.servers;
    if (!first || !second) throw new Error('two servers are started');
    [master, replica] = [first, second];
    // What is stopped here must not be taken for dead.
    for (const sentinel of topology.sentinels)
      await sentinel.ask('SENTINEL', 'SET', 'muster', 'down-after-milliseconds', '600000');
  });
  beforeEach(() => {
    root = realmRoot(`held-${++realms}`);
  });
  afterEach(async () => {
    process.kill(replica.pid, 'SIGCONT');
    await master.ask('CONFIG', 'SET', 'min-replicas-to-write', '0');
    await until(async () => (await connectedReplicas(master)) === 1);
    for (const redis of open) redis.disconnect();
    open = [];
  });
  afterAll(() => topology?.stop());

  it('are on it when they are acknowledged', async () => {
    const redis = connect();
    await untilConnected(redis);
    expect(await storeOf(redis).enqueue(aTicket(), testTime)).toEqual({ outcome: 'created' });
    expect(await replica.ask('EXISTS', `${root}:ticket:t1`)).toBe(1);
  });

  it('are answered 503 while no replica confirms them, and exist: the repeat finds them', async () => {
    const store = storeOf();
    await store.find('t1');
    process.kill(replica.pid, 'SIGSTOP');
    const error = await failure(store.enqueue(aTicket(), testTime));
    expect(error).toBeInstanceOf(NotReplicated);
    expect(toProblem(error)).toMatchObject({
      status: 503,
      type: expect.stringMatching(/not-replicated$/) as string,
    });
    expect(isStoreUnavailable(error)).toBe(true);
    expect(await store.find('t1')).toMatchObject({ state: 'waiting' });
    process.kill(replica.pid, 'SIGCONT');
    await vi.waitFor(async () => {
      expect(await store.enqueue(aTicket(), testTime)).toEqual({ outcome: 'existing' });
    }, patient);
    expect(await replica.ask('EXISTS', `${root}:ticket:t1`)).toBe(1);
  });

  it('are not confirmed by a repeat over another connection, which writes nothing itself', async () => {
    const store = storeOf();
    await store.find('t1');
    process.kill(replica.pid, 'SIGSTOP');
    expect(await failure(store.enqueue(aTicket(), testTime))).toBeInstanceOf(NotReplicated);
    expect(await failure(storeOf().enqueue(aTicket(), testTime))).toBeInstanceOf(NotReplicated);
    expect(await failure(storeOf().cancel('t1', 'Enough.', testTime))).toBeInstanceOf(NotReplicated);
    expect(await failure(storeOf().cancel('t1', 'Enough.', testTime))).toBeInstanceOf(NotReplicated);
  });

  it('do not hold up others', async () => {
    const store = storeOf();
    await store.find('t1');
    process.kill(replica.pid, 'SIGSTOP');
    const order: string[] = [];
    const enqueued = failure(store.enqueue(aTicket(), testTime)).then(() => order.push('enqueued'));
    await store.find('t2').then(() => order.push('found'));
    await enqueued;
    expect(order).toEqual(['found', 'enqueued']);
  });

  it('may be jobs, which are sent again', async () => {
    const sender = new JobSender(topology.env.REDIS_URL, `held-${realms}`, log, replication);
    const items = [{ jobId: 'one', payload: { n: 1 } }];
    const waiting = async (): Promise<number> => {
      const counts = await sender.deadLetters().counts();
      return counts.reduce((sum, each) => sum + each.waiting, 0);
    };
    try {
      await sender.ready();
      process.kill(replica.pid, 'SIGSTOP');
      expect(await failure(sender.send(jobQueues.conduct, items))).toBeInstanceOf(NotReplicated);
      process.kill(replica.pid, 'SIGCONT');
      await vi.waitFor(() => sender.send(jobQueues.conduct, items), patient);
      expect(await waiting()).toBe(1);
    } finally {
      await sender.close();
    }
  });

  it('are refused before they are made, by min-replicas-to-write', async () => {
    const store = storeOf();
    await store.find('t1');
    await master.ask('CONFIG', 'SET', 'min-replicas-to-write', '2');
    const error = await failure(store.enqueue(aTicket(), testTime));
    expect(String(error)).toContain('NOREPLICAS');
    expect(toProblem(error)).toMatchObject({
      status: 503,
      type: expect.stringMatching(/store-unavailable$/) as string,
    });
    expect(await store.find('t1')).toBeNull();
  });
});
