import { jobQueues } from '@muster/contracts';
import { startTestRedis, type TestRedis } from '@muster/testing';
import { Queue, Worker } from 'bullmq';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { queueOptions } from '../jobs/job-options.js';
import { JobSender } from '../jobs/job-sender.js';
import type { Samples } from './figures.js';
import { jobsSource } from './platform-sources.js';

const name = jobQueues.rateMatch;
const realm = `figures-${randomUUID()}`;
const sent = Date.now();

let redis: TestRedis;
let sender: JobSender;
beforeAll(async () => {
  redis = await startTestRedis();
  sender = new JobSender(redis.url, realm, pino({ level: 'silent' }));
  await sender.ready();
});
afterAll(async () => {
  await sender.close();
  await redis.stop();
});

/** The figures of one job queue. @param at the time of the scrape */
async function read(at: number, of: string = name): Promise<Record<string, number | undefined>> {
  const samples: Samples = await jobsSource(sender.deadLetters(), () => at).read();
  const value = (figure: keyof Samples): number | undefined =>
    samples[figure]?.find(({ labels }) => labels['job_queue'] === of)?.value;
  return {
    waiting: value('jobsWaiting'),
    retrying: value('jobsRetrying'),
    dead: value('deadLetters'),
    oldest: value('oldestJob'),
  };
}

describe('the figures of jobs', () => {
  it('are those of each job queue, from waiting over a retry to a dead letter', async () => {
    const queue = new Queue(name, { connection: { url: redis.url }, ...queueOptions(realm) });
    expect(await read(sent)).toEqual({ waiting: 0, retrying: 0, dead: 0, oldest: 0 });
    await queue.add(name, {}, { jobId: 'old', timestamp: sent - 60_000 });
    await queue.add(name, {}, { jobId: 'new', timestamp: sent });
    expect(await read(sent)).toEqual({ waiting: 2, retrying: 0, dead: 0, oldest: 60 });
    expect(await read(sent, jobQueues.conduct)).toEqual({ waiting: 0, retrying: 0, dead: 0, oldest: 0 });
    // A clock behind that of the sender.
    expect(await read(sent - 3_600_000)).toMatchObject({ oldest: 0 });

    const worker = new Worker(name, null, {
      connection: { url: redis.url },
      prefix: queueOptions(realm).prefix,
    });
    const retried = await worker.getNextJob('one');
    await retried?.moveToDelayed(Date.now() + 3_600_000, 'one');
    expect(await read(sent)).toEqual({ waiting: 1, retrying: 1, dead: 0, oldest: 0 });
    // Due again: the time of its last attempt counts, not that of its sending.
    await retried?.promote();
    const last = await worker.getNextJob('two');
    expect(last?.id).toBe('new');
    await last?.moveToFailed(Object.assign(new Error('never'), { name: 'UnrecoverableError' }), 'two');
    await vi.waitFor(async () => expect(await read(sent)).toMatchObject({ waiting: 1 }));
    const { oldest } = await read(sent + 3_600_000);
    expect(oldest).toBeLessThanOrEqual(3_600);
    await worker.close();
    await queue.close();
  });
});
