import { jobQueues } from '@muster/contracts';
import { isStoreUnavailable, JobSender, workOn } from '@muster/platform';
import { connectRedis, realmRoot, Replicas, WakeUps, type RedisConnection } from '@muster/redis';
import { aTicket, testTime } from '@muster/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { feedBlockMs, RedisTicketFeed } from '../../apps/queue/src/core/ticket-feed.store.js';
import { UnwatchedTicketStore } from '../../apps/queue/test-support/ticket-store.js';
import { until } from '../support/gate.js';
import {
  connectedReplicas,
  redisProgram,
  startCluster,
  startSentinel,
  type RedisServer,
  type RedisTopology,
} from '../support/redis-topologies.js';

const hasRedis = (await redisProgram()) !== null;
const skips = '(skipped: needs valkey-server or redis-server, 7.0 or newer, on the PATH)';
const patient = { timeout: 90_000, interval: 50 };
const log = pino({ level: 'silent' });
const root = realmRoot('default');

/** Everything that a service does with Redis. */
class Service {
  readonly errors: unknown[] = [];
  readonly done: string[] = [];
  readonly told: string[] = [];
  gaps = 0;
  private readonly open: RedisConnection[] = [];
  private readonly store: UnwatchedTicketStore;
  private readonly feed: RedisTicketFeed;
  private readonly sender: JobSender;
  private readonly worker: ReturnType<typeof workOn>;
  private readonly wakeUps: WakeUps;
  private readonly elsewhere: WakeUps;

  constructor(url: string) {
    const connect = (name: string, more: { blocking?: boolean; silentMs?: number } = {}): RedisConnection => {
      const redis = connectRedis(url, { name, onError: () => undefined, ...more });
      this.open.push(redis);
      return redis;
    };
    const safe = connect('safe');
    const replicas = new Replicas(safe, root, { replicas: 1, withinMs: 500 });
    this.store = new UnwatchedTicketStore(connect('tickets'), root, {
      redis: safe,
      replicas,
    });
    const feedConnection = connect('feed', { blocking: true, silentMs: 3 * feedBlockMs });
    this.feed = new RedisTicketFeed(feedConnection, root, () => undefined);
    this.feed.onGap(() => this.gaps++);
    this.sender = new JobSender(url, 'default', log);
    this.worker = workOn(
      jobQueues.conduct,
      z.object({ id: z.string() }),
      async ({ id }) => void this.done.push(id),
      {
        target: url,
        realm: 'default',
        log,
        clock: { sound: true, onChange: () => undefined },
        concurrency: 1,
      },
    );
    const ignore = (): void => undefined;
    const channel = `${root}:wake`;
    this.wakeUps = new WakeUps(connect('idle'), connect('woken', { blocking: true }), channel, ignore);
    this.elsewhere = new WakeUps(connect('waker'), connect('unused', { blocking: true }), channel, ignore);
  }

  async start(): Promise<void> {
    await this.wakeUps.start();
    void this.feed.follow();
  }

  /** Does everything once. @throws Error while Redis is unavailable */
  async everything(id: string): Promise<void> {
    this.feed.subscribe(id, ({ state }) => this.told.push(`${id} ${state}`));
    await this.noted(this.store.enqueue(aTicket({ ticketId: id, players: [`player of ${id}`] }), testTime));
    await this.noted(this.store.cancel(id, 'Enough.', testTime));
    await this.noted(this.sender.send(jobQueues.conduct, [{ jobId: id, payload: { id } }]));
    await until(async () => this.done.includes(id));
  }

  /** Whether a call that waits is woken by another process, before its time is over. */
  async isWoken(topic: string): Promise<boolean> {
    const limit = new AbortController();
    let isOver = false;
    const waiting = this.wakeUps.wait(topic, 60_000, limit.signal);
    this.elsewhere.wake(topic);
    setTimeout(() => {
      isOver = true;
      limit.abort();
    }, 1_000).unref();
    await waiting;
    return !isOver;
  }

  isThere(id: string): Promise<boolean> {
    return this.store.find(id).then((found) => found !== null);
  }

  async stop(): Promise<void> {
    this.feed.stop();
    await this.worker.stop();
    await this.sender.close();
    for (const redis of this.open) redis.disconnect();
  }

  private async noted<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (error) {
      this.errors.push(error);
      throw error;
    }
  }
}

const topologies: Readonly<Record<string, () => Promise<RedisTopology>>> = {
  Sentinel: () => startSentinel(),
  'a Cluster': () => startCluster(),
};

/** Ways in which a master is lost, and what brings it back. */
const losses: Readonly<Record<string, (master: RedisServer) => Promise<() => Promise<void>>>> = {
  'is killed': async (master) => {
    await master.kill();
    return () => master.start();
  },
  'stands still': async (master) => {
    const { pid } = master;
    process.kill(pid, 'SIGSTOP');
    return async () => void process.kill(pid, 'SIGCONT');
  },
};

describe.skipIf(!hasRedis).each(Object.entries(topologies))(`a fail-over of %s ${skips}`, (_name, start) => {
  let topology: RedisTopology;
  let service: Service;
  let tickets = 0;

  beforeAll(async () => {
    topology = await start();
    service = new Service(topology.env.REDIS_URL);
    await service.start();
  });
  afterAll(async () => {
    await service?.stop();
    await topology?.stop();
  });
  const works = async (): Promise<string> => {
    const id = `t${++tickets}`;
    await service.everything(id);
    return id;
  };

  it.each(Object.entries(losses))(
    'goes by without a restart of services when the master %s',
    async (_how, lose) => {
      const before = await vi.waitFor(works, patient);
      const master = await topology.masterOf(root);
      const [gaps, errors] = [service.gaps, service.errors.length];
      const restore = await lose(master);
      try {
        await vi.waitFor(
          async () => expect((await topology.masterOf(root)).name).not.toBe(master.name),
          patient,
        );
      } finally {
        await restore();
      }
      await vi.waitFor(async () => {
        expect(await connectedReplicas(await topology.masterOf(root))).toBeGreaterThan(0);
      }, patient);

      const after = await vi.waitFor(works, patient);
      expect(await service.isThere(before)).toBe(true);
      expect(await service.isThere(after)).toBe(true);
      // The feed tells of a gap, because events may be lost, and goes on.
      await vi.waitFor(async () => {
        const id = await works();
        expect(service.told).toContain(`${id} cancelled`);
        expect(service.gaps).toBeGreaterThan(gaps);
      }, patient);
      await vi.waitFor(async () => expect(await service.isWoken('match')).toBe(true), patient);
      // What fails meanwhile is answered 503.
      expect(service.errors.slice(errors).filter((error) => !isStoreUnavailable(error))).toEqual([]);
    },
  );
});
