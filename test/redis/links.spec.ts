import { connectRedis, type RedisConnection } from '@muster/redis';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  connectedReplicas,
  startCluster,
  startSentinel,
  type RedisTopology,
} from '../support/redis-topologies.js';
import { hasRedis, skips } from './topologies.js';

const patient = { timeout: 60_000, interval: 50 };
const key = 'muster:{default}';
const failOvers = 3;
/** Of each kind: as many as two replicas of each service have. */
const clientsOfAKind = 20;
/** A busy event loop, which makes the resolution of a master slow: busy for this part of the time. */
const busy = { forMs: 30, everyMs: 40 };

const starters: Readonly<Record<string, () => Promise<RedisTopology>>> = {
  Sentinel: () => startSentinel(),
  'a Cluster': () => startCluster(),
};

describe.skipIf(!hasRedis).each(Object.entries(starters))(`clients of %s ${skips}`, (_name, start) => {
  let topology: RedisTopology;
  let open: RedisConnection[] = [];
  beforeAll(async () => {
    topology = await start();
  });
  afterEach(() => {
    for (const redis of open) redis.disconnect();
    open = [];
  });
  afterAll(() => topology?.stop());

  function connect(name: string, more: { blocking?: boolean } = {}): RedisConnection {
    const redis = connectRedis(topology.env.REDIS_URL, { name, onError: () => undefined, ...more });
    open.push(redis);
    return redis;
  }

  it(`all answer after each of ${failOvers} fail-overs, on a busy machine`, async () => {
    for (let i = 0; i < clientsOfAKind; i++) {
      connect(`plain-${i}`);
      const blocking = connect(`blocking-${i}`, { blocking: true });
      // As BullMQ makes the blocking connection of a worker.
      const copy = blocking instanceof Redis ? blocking.duplicate() : blocking.duplicate();
      copy.on('error', () => undefined);
      open.push(copy);
    }
    const answers = async (redis: RedisConnection): Promise<void> => {
      // Only the present master takes it.
      await redis.set(`${key}:answers`, 1);
    };
    const allAnswer = (): Promise<unknown> => vi.waitFor(() => Promise.all(open.map(answers)), patient);
    await allAnswer();
    const timer = setInterval(() => {
      const until = performance.now() + busy.forMs;
      while (performance.now() < until);
    }, busy.everyMs);
    try {
      for (let round = 0; round < failOvers; round++) {
        const master = await topology.masterOf(key);
        await master.kill();
        await vi.waitFor(
          async () => expect((await topology.masterOf(key)).name).not.toBe(master.name),
          patient,
        );
        await master.start();
        await vi.waitFor(
          async () => expect(await connectedReplicas(await topology.masterOf(key))).toBeGreaterThan(0),
          patient,
        );
        await allAnswer();
        expect(open.filter(({ status }) => status === 'end')).toEqual([]);
      }
    } finally {
      clearInterval(timer);
    }
  });
});
