import { jobQueues } from '@muster/contracts';
import { JobSender, workOn } from '@muster/platform';
import { connectRedis, realmRoot, untilConnected, type RedisConnection } from '@muster/redis';
import { Cluster } from 'ioredis';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { keepConnected } from '../../libs/redis/src/lasting.js';
import { startCluster, type RedisServer, type RedisTopology } from '../support/redis-topologies.js';
import { hasRedis, skips } from './topologies.js';

const patient = { timeout: 30_000, interval: 50 };
const log = pino({ level: 'silent' });
const root = realmRoot('default');

/** Clients of a Cluster whose slots nobody serves for a while. */
describe.skipIf(!hasRedis)(`a Cluster that is down and returns ${skips}`, () => {
  let topology: RedisTopology;
  let stopped: RedisServer[] = [];
  let open: RedisConnection[] = [];
  beforeAll(async () => {
    topology = await startCluster();
  });
  afterEach(async () => {
    for (const redis of open) redis.disconnect();
    open = [];
    await goOn();
  });
  afterAll(() => topology?.stop());

  /** A copy, as BullMQ makes one for the commands of a worker that block. */
  async function blockingCopy(): Promise<Cluster> {
    const redis = connectRedis(topology.env.REDIS_URL, {
      name: 'test',
      blocking: true,
      onError: () => undefined,
    });
    if (!(redis instanceof Cluster)) throw new Error('the target is a Cluster');
    const copy = redis.duplicate();
    copy.on('error', () => undefined);
    open.push(redis, copy);
    await untilConnected(copy);
    return copy;
  }

  /** Stops the master of the keys and its replica, so that nobody takes its place. */
  async function standStill(): Promise<void> {
    const master = await topology.masterOf(root);
    const info = String(await master.ask('INFO', 'replication'));
    const ports = [...info.matchAll(/^slave\d+:.*port=(\d+)/gm)].map(([, port]) => Number(port));
    stopped = topology.servers.filter((server) => server === master || ports.includes(server.port));
    for (const { pid } of stopped) process.kill(pid, 'SIGSTOP');
  }

  async function goOn(): Promise<void> {
    for (const { pid } of stopped) process.kill(pid, 'SIGCONT');
    stopped = [];
    await vi.waitFor(() => topology.masterOf(root), patient);
  }

  async function untilDown(): Promise<void> {
    const others = topology.servers.filter((server) => !stopped.includes(server));
    await vi.waitFor(async () => {
      for (const other of others)
        expect(String(await other.ask('CLUSTER', 'INFO'))).toContain('cluster_state:fail');
    }, patient);
  }

  it('an attempt to connect that the nodes refuse does not wait for ever', async () => {
    const copy = await blockingCopy();
    await standStill();
    await untilDown();
    const ended = once(copy, 'end');
    copy.disconnect();
    await ended;
    const attempt = copy.connect().then(
      () => 'connected',
      () => 'refused',
    );
    await once(copy, 'reconnecting');
    await goOn();
    await vi.waitFor(() => expect(copy.status).toBe('ready'), patient);
    expect(await Promise.race([attempt, sleep(1_000, 'waits')])).not.toBe('waits');
  });

  it('the worker that was waiting for a job takes the next one', async () => {
    const done: string[] = [];
    const target = topology.env.REDIS_URL;
    const worker = workOn(
      jobQueues.conduct,
      z.object({ id: z.string() }),
      async ({ id }) => void done.push(id),
      {
        target,
        realm: 'default',
        log,
        clock: { sound: true, onChange: () => undefined },
        concurrency: 1,
      },
    );
    const sender = new JobSender(target, 'default', log);
    const works = async (id: string): Promise<void> => {
      await sender.send(jobQueues.conduct, [{ jobId: id, payload: { id } }]);
      await vi.waitFor(() => expect(done).toContain(id), patient);
    };
    try {
      await works('before');
      // It has just begun to wait: BullMQ gives the command up after six seconds, when the Cluster is down.
      const master = await topology.masterOf(root);
      await vi.waitFor(async () => {
        expect(String(await master.ask('CLIENT', 'LIST'))).toMatch(/ idle=0 .*cmd=bzpopmin/);
      }, patient);
      await standStill();
      await untilDown();
      await sleep(9_000);
      await goOn();
      await works('after');
    } finally {
      await sender.close();
      await worker.stop();
    }
  });

  it('a node that says good-bye late does not end the next attempt', async () => {
    const [{ port } = { port: 0 }] = topology.servers;
    const cluster = new Cluster([{ host: 'redis.test', port }], {
      // Names are resolved while connections of the time before still close.
      dnsLookup: (_host, told) => setTimeout(() => told(null, '127.0.0.1'), 300),
      redisOptions: { maxRetriesPerRequest: null },
    });
    cluster.on('error', () => undefined);
    keepConnected(cluster, 'by name', () => 50);
    open.push(cluster);
    await untilConnected(cluster);
    await cluster.set(`${root}:late`, 1);
    const ended = once(cluster, 'end');
    cluster.disconnect();
    await ended;
    await cluster.connect().catch(() => undefined);
    await vi.waitFor(() => expect(cluster.status).toBe('ready'), { timeout: 5_000, interval: 50 });
  });

  it('a client without a connection tells that it is closed', async () => {
    const nobody = connectRedis('redis+cluster://127.0.0.1:1', { name: 'nobody', onError: () => undefined });
    await vi.waitFor(() => expect(nobody.status).toBe('reconnecting'), { timeout: 5_000, interval: 1 });
    const ended = once(nobody, 'end');
    nobody.disconnect();
    expect(await Promise.race([ended.then(() => 'ended'), sleep(3_000, 'waits')])).toBe('ended');
    expect(nobody.status).toBe('end');
  });
});
