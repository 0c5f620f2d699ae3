import { jobQueues } from '@muster/contracts';
import { startTestRedis, type TestRedis } from '@muster/testing';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { severalOf, together, type JobItem } from './job-items.js';
import { keepOptions, queueOptions, type Keep } from './job-options.js';
import { JobSender } from './job-sender.js';
import { workOn, type JobWorker, type WorkOptions } from './job-worker.js';
import { RpcUnavailable } from '../rpc/rpc.js';

const log = pino({ level: 'silent' });
const name = jobQueues.conduct;
const clock = { sound: true, onChange: () => undefined };
const Told = z.object({ n: z.number() });
type Told = z.infer<typeof Told>;
const patient = { timeout: 50_000, interval: 20 };

let redis: TestRedis;
let realm: string;
let admin: Redis;
let queue: Queue;
let sender: JobSender;
beforeAll(async () => {
  redis = await startTestRedis();
  admin = new Redis(redis.url);
});
afterAll(async () => {
  admin.disconnect();
  await redis.stop();
});
beforeEach(async () => {
  realm = `several-${randomUUID()}`;
  queue = new Queue(name, { connection: { url: redis.url }, ...queueOptions(realm) });
  sender = new JobSender(redis.url, realm, log);
  await sender.ready();
  return async () => {
    await sender.close();
    await queue.close();
  };
});

const itemsOf = (...numbers: readonly number[]): JobItem[] =>
  numbers.map((n) => ({ jobId: `item-${n}`, payload: { n } }));
/** Enqueues one job of these items. */
const enqueue = async (items: readonly JobItem[], keep: Keep = 'always'): Promise<void> => {
  for (const { jobId, data } of together(items)) await queue.add(name, data, { jobId, ...keepOptions(keep) });
};
const work = (handle: (job: Told) => Promise<void>, more: Partial<WorkOptions<Told>> = {}): JobWorker =>
  workOn(name, Told, handle, { target: redis.url, realm, log, clock, concurrency: 1, ...more });
/** Runs workers during a test. */
async function working(workers: readonly JobWorker[], test: () => Promise<void>): Promise<void> {
  try {
    await test();
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}
const dead = async (): Promise<readonly string[]> =>
  (await sender.deadLetters().list(name, 10)).map(({ jobId }) => jobId);
const left = async (): Promise<number> => {
  const { wait = 0, active = 0, delayed = 0 } = await queue.getJobCounts('wait', 'active', 'delayed');
  return wait + active + delayed;
};
const allDone = (): Promise<void> => vi.waitFor(async () => expect(await left()).toBe(0), patient);

describe('items that are sent together', () => {
  /** The numbers of items of the jobs that wait, after three items were sent. */
  async function sentBeside(others: readonly Worker[]): Promise<number[]> {
    await Promise.all(others.map((other) => other.waitUntilReady()));
    // It takes no job, so that the jobs can be seen.
    const paused = work(async () => undefined, { clock: { ...clock, sound: false } });
    let numbers: number[] = [];
    await working([paused], async () => {
      const connected = new RegExp(` name=\\S*${realm}\\S*:w:items `);
      await vi.waitFor(async () => expect(await admin.client('LIST')).toMatch(connected), patient);
      await sender.send(name, itemsOf(1, 2, 3));
      const waiting = await queue.getJobs(['wait']);
      numbers = waiting.map(({ data }) => severalOf(data)?.length ?? 1);
    });
    await Promise.all(others.map((other) => other.close()));
    return numbers;
  }

  it('are one job when every worker of the queue reads it', async () => {
    expect(await sentBeside([])).toEqual([3]);
  });

  it('are jobs of their own while a worker of the release before is connected', async () => {
    const before = new Worker(name, null, {
      connection: { url: redis.url },
      prefix: queueOptions(realm).prefix,
    });
    expect(await sentBeside([before])).toEqual([1, 1, 1]);
  });

  it('are jobs of their own while no worker is connected', async () => {
    await sender.send(name, itemsOf(1, 2));
    expect((await queue.getJobs(['wait'])).map(({ data }) => data as unknown)).toEqual(
      expect.arrayContaining([{ n: 1 }, { n: 2 }]),
    );
  });
});

describe('a job of several items', () => {
  it('handles them concurrently, once each', async () => {
    const done: number[] = [];
    let [running, most] = [0, 0];
    const worker = work(async ({ n }) => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      done.push(n);
    });
    await enqueue(itemsOf(1, 2, 3, 4));
    await working([worker], allDone);
    expect(done.toSorted()).toEqual([1, 2, 3, 4]);
    expect(most).toBe(4);
  });

  it('loses nothing of the others to a poisoned one, which alone is retried and becomes a dead letter', async () => {
    const tries = new Map<number, number>();
    const givenUp: number[] = [];
    const worker = work(
      async ({ n }) => {
        tries.set(n, (tries.get(n) ?? 0) + 1);
        if (n === 3) throw new TypeError('poison');
      },
      { attempts: { failed: 2 }, giveUp: async ({ n }) => void givenUp.push(n) },
    );
    await enqueue(itemsOf(1, 2, 3, 4));
    await working([worker], async () => {
      await vi.waitFor(async () => expect(await dead()).toEqual(['item-3']), patient);
      await allDone();
    });
    expect([...tries]).toEqual([
      [1, 1],
      [2, 1],
      [3, 3],
      [4, 1],
    ]);
    expect(givenUp).toEqual([3]);
    expect(await sender.deadLetters().find(name, 'item-3')).toMatchObject({
      payload: { n: 3 },
      reason: 'TypeError: poison',
    });
    await sender.deadLetters().retry(name, 'item-3');
    await working([work(async () => undefined)], allDone);
    expect(await dead()).toEqual([]);
  });

  it('leaves an item that this version cannot parse to a newer replica, alone', async () => {
    const done: number[] = [];
    const worker = work(async ({ n }) => void done.push(n), { attempts: { unknown: 1 } });
    await enqueue([...itemsOf(1, 2), { jobId: 'newer', payload: { sung: 1 } }]);
    await working([worker], async () => {
      await vi.waitFor(async () => expect(await dead()).toEqual(['newer']), patient);
    });
    expect(done.toSorted()).toEqual([1, 2]);
    expect(await sender.deadLetters().find(name, 'newer')).toMatchObject({ payload: { sung: 1 } });
  });

  it('waits as a whole while a store is unavailable to all its items', async () => {
    const tries = new Map<number, number>();
    const worker = work(async ({ n }) => {
      tries.set(n, (tries.get(n) ?? 0) + 1);
      if (tries.get(n) === 1) throw new RpcUnavailable('nobody there');
      // Were the items apart, one job would handle one of them.
      await vi.waitFor(() => expect([...tries.values()]).toEqual([2, 2, 2]), patient);
    });
    await enqueue(itemsOf(1, 2, 3));
    await working([worker], allDone);
    expect(await dead()).toEqual([]);
    expect([...tries.values()]).toEqual([2, 2, 2]);
  });

  it('retries the items alone to which a store was unavailable, without using up attempts', async () => {
    const tries = new Map<number, number>();
    const worker = work(
      async ({ n }) => {
        const made = (tries.get(n) ?? 0) + 1;
        tries.set(n, made);
        if (n === 2 && made <= 3) throw new RpcUnavailable('nobody there');
      },
      { attempts: { failed: 1 } },
    );
    await enqueue(itemsOf(1, 2, 3));
    await working([worker], allDone);
    expect(await dead()).toEqual([]);
    expect([...tries.values()]).toEqual([1, 4, 1]);
  });

  it('of a reminder leaves no dead letter', async () => {
    let tries = 0;
    const worker = work(
      async ({ n }) => {
        if (n === 1 && ++tries) throw new TypeError('poison');
      },
      { attempts: { failed: 2 } },
    );
    await enqueue(itemsOf(1, 2), 'unless-dead');
    await working([worker], async () => {
      await vi.waitFor(() => expect(tries).toBe(3), patient);
      await allDone();
    });
    expect(await dead()).toEqual([]);
  });

  it('is divided after its process was killed; nothing is lost', async () => {
    await enqueue(itemsOf(1, 2, 3));
    // The process that is killed: it takes the job, handles an item and never ends the job.
    const done = new Set([1]);
    const killed = new Worker(name, null, {
      connection: { url: redis.url },
      prefix: queueOptions(realm).prefix,
      lockDuration: 100,
    });
    expect(await killed.getNextJob('killed')).toBeDefined();
    await killed.close(true);

    let [running, most] = [0, 0];
    const worker = work(
      async ({ n }) => {
        most = Math.max(most, ++running);
        await new Promise(setImmediate);
        running--;
        done.add(n);
      },
      { concurrency: 1 },
    );
    await working([worker], allDone);
    expect([...done].toSorted()).toEqual([1, 2, 3]);
    // One job at a time has one item at a time.
    expect(most).toBe(1);
  });

  it('is repeated if its failed items cannot be enqueued', async () => {
    const memory = (limit: string): Promise<unknown> => admin.config('SET', 'maxmemory', limit);
    const lines: string[] = [];
    const tries = new Map<number, number>();
    const worker = work(
      async ({ n }) => {
        tries.set(n, (tries.get(n) ?? 0) + 1);
        if (n !== 1 || tries.get(n) !== 1) return;
        // Redis refuses all writes from now on.
        await memory('1');
        throw new TypeError('once');
      },
      { log: pino({ level: 'warn' }, { write: (line) => void lines.push(line) }) },
    );
    await enqueue(itemsOf(1, 2));
    await working([worker], async () => {
      const refused = expect.stringContaining('jobs of conduct waiting for a store');
      await vi.waitFor(() => expect(lines).toContainEqual(refused), patient).finally(() => memory('0'));
      await allDone();
    });
    expect(await dead()).toEqual([]);
    expect([...tries.values()]).toEqual([2, 2]);
  });
});
