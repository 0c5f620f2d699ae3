import { jobQueues } from '@muster/contracts';
import { startTestRedis, type TestRedis } from '@muster/testing';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { JobSender } from './job-sender.js';
import { workOn, type JobWorker, type WorkOptions } from './job-worker.js';
import { RpcUnavailable } from '../rpc/rpc.js';

const log = pino({ level: 'silent' });
const queue = jobQueues.conduct;
const clock = { sound: true, onChange: () => undefined };
const Told = z.object({ kind: z.literal('told'), n: z.number() });
type Told = z.infer<typeof Told>;
/** The payload of a newer release. */
const ToldOrSung = z.discriminatedUnion('kind', [Told, z.object({ kind: z.literal('sung'), n: z.number() })]);

let redis: TestRedis;
let realm: string;
let sender: JobSender;
beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(() => redis.stop());
beforeEach(() => {
  realm = `jobs-${randomUUID()}`;
  sender = new JobSender(redis.url, realm, log);
  return () => sender.close();
});

/** Runs workers during a test. */
async function working(workers: readonly JobWorker[], test: () => Promise<void>): Promise<void> {
  try {
    await test();
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}
const work = <T>(
  schema: z.ZodType<T>,
  handle: (job: T) => Promise<void>,
  more: Partial<WorkOptions<T>> = {},
): JobWorker =>
  workOn(queue, schema, handle, { target: redis.url, realm, log, clock, concurrency: 1, ...more });
const send = async (jobId: string, payload: object): Promise<void> => {
  await vi.waitFor(() => sender.send(queue, [{ jobId, payload }]), 5_000);
};
const patient = { timeout: 50_000, interval: 20 };
const dead = async (): Promise<readonly string[]> =>
  (await sender.deadLetters().list(queue, 10)).map(({ jobId }) => jobId);

describe('a job', () => {
  it('that an older replica cannot parse waits for a newer one, and is not dropped', async () => {
    const done: object[] = [];
    let refused = 0;
    const older = work(
      Told.refine(() => true).or(
        z.custom<Told>(() => {
          refused++;
          return false;
        }),
      ),
      async (job) => void done.push(job),
    );
    await working([older], async () => {
      await send('song', { kind: 'sung', n: 1 });
      await vi.waitFor(() => expect(refused).toBeGreaterThan(0), patient);
    });
    // As in a rolling update: the older one ends. Beside it the newer one would get the job by chance, after any number of tries.
    const newer = work(ToldOrSung, async (job) => void done.push(job));
    await working([newer], () => vi.waitFor(() => expect(done).toEqual([{ kind: 'sung', n: 1 }]), patient));
    expect(await dead()).toEqual([]);
  });

  it('that no replica can parse becomes a dead letter with its payload', async () => {
    const older = work(Told, async () => undefined, { attempts: { unknown: 1 } });
    await working([older], async () => {
      await send('song', { kind: 'sung', n: 1 });
      await vi.waitFor(async () => expect(await dead()).toEqual(['song']), patient);
    });
    expect(await sender.deadLetters().find(queue, 'song')).toMatchObject({
      jobQueue: queue,
      attempts: 1,
      payload: { kind: 'sung', n: 1 },
      reason: expect.stringContaining('cannot parse'),
    });
    const counts = await sender.deadLetters().counts();
    expect(counts.find(({ jobQueue }) => jobQueue === queue)).toMatchObject({ dead: 1, waiting: 0 });

    await sender.deadLetters().retry(queue, 'song');
    const done: object[] = [];
    const newer = work(ToldOrSung, async (job) => void done.push(job));
    await working([newer], () => vi.waitFor(() => expect(done).toEqual([{ kind: 'sung', n: 1 }]), patient));
    await expect(sender.deadLetters().retry(queue, 'song')).rejects.toThrow('There is no dead letter song');
    await expect(sender.deadLetters().drop(queue, 'song')).rejects.toThrow('There is no dead letter song');
  });

  it('that keeps failing is given up after its attempts, and other jobs run', async () => {
    let tries = 0;
    const done: number[] = [];
    const givenUp: number[] = [];
    const worker = work(
      Told,
      async ({ n }) => {
        if (n === 1 && ++tries) throw new TypeError('poison');
        done.push(n);
      },
      { attempts: { failed: 3 }, giveUp: async ({ n }) => void givenUp.push(n) },
    );
    await working([worker], async () => {
      await send('poison', { kind: 'told', n: 1 });
      await send('good', { kind: 'told', n: 2 });
      await vi.waitFor(async () => expect(await dead()).toEqual(['poison']), patient);
      await vi.waitFor(() => expect(done).toEqual([2]), patient);
    });
    expect(tries).toBe(3);
    expect(givenUp).toEqual([1]);
    expect(await sender.deadLetters().find(queue, 'poison')).toMatchObject({ reason: 'TypeError: poison' });
    await sender.deadLetters().drop(queue, 'poison');
    expect(await dead()).toEqual([]);
  });

  it('that meets an unavailable store uses up no attempt, and is given up only once that is settled', async () => {
    const away = new RpcUnavailable('nobody there');
    let tries = 0;
    let settled = 0;
    const worker = work(
      Told,
      async () => {
        if (++tries <= 2) throw away;
        throw new TypeError('poison');
      },
      {
        attempts: { failed: 1 },
        giveUp: async () => {
          if (++settled < 2) throw away;
        },
      },
    );
    await working([worker], async () => {
      await send('unlucky', { kind: 'told', n: 1 });
      await vi.waitFor(async () => expect(await dead()).toEqual(['unlucky']), patient);
    });
    expect(tries).toBe(4);
    expect(settled).toBe(2);
  });
});
