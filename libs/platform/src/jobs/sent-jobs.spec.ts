import { jobQueues } from '@muster/contracts';
import type { OutboxEntry } from '@muster/domain';
import { startTestRedis, type TestRedis } from '@muster/testing';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { JobSender } from './job-sender.js';
import { createLog } from '../core/logging.js';
import { SentJobs } from './sent-jobs.js';

const log = createLog('test', 'silent');
let server: TestRedis;
let redis: Redis;
let sender: JobSender;
beforeAll(async () => {
  server = await startTestRedis({ own: true });
  redis = new Redis(server.url);
  sender = new JobSender(server.url, 'forget', log);
  await sender.ready();
});
afterAll(async () => {
  await sender.close();
  redis.disconnect();
  await server.stop();
});

it('jobs that Redis lost are sent again, once a loss, and those that it still has are not doubled', async () => {
  const entries = Array.from({ length: 250 }, (_, i): OutboxEntry => ({
    id: String(i + 1),
    queue: i % 2 === 0 ? jobQueues.placeMatch : jobQueues.rateMatch,
    jobId: `job-${i + 1}`,
    payload: { matchId: `m${i}` },
  }));
  const sent = {
    sentAfter: async (_owner: string, after: string, limit: number) =>
      entries.filter(({ id }) => Number(id) > Number(after)).slice(0, limit),
    forget: async () => 0,
  };
  let calls = 0;
  const counting = {
    send: (queue: string, items: readonly OutboxEntry[]) => {
      calls += items.length;
      return sender.send(queue, items);
    },
    lossOf: (owner: string) => sender.lossOf(owner),
    mended: (owner: string, loss: string) => sender.mended(owner, loss),
  };
  const jobs = new SentJobs('rating', sent, counting, log);
  const waiting = () => redis.llen(`muster-jobs:{forget}:${jobQueues.rateMatch}:wait`);

  await jobs.look('rating');
  await jobs.look('rating');
  expect([calls, await waiting()]).toEqual([250, 125]);

  await redis.flushall();
  await jobs.look('rating');
  await jobs.look('rating');
  expect([calls, await waiting()]).toEqual([500, 125]);

  // A loss between the two steps is found by the next look.
  await redis.flushall();
  const loss = await sender.lossOf('rating');
  await redis.flushall();
  await sender.mended('rating', loss ?? '');
  expect(await sender.lossOf('rating')).not.toBeNull();
});

it('replicas that find a loss while another one sends jobs repair the same loss', async () => {
  await redis.flushall();
  const [first, second] = [await sender.lossOf('queue'), await sender.lossOf('queue')];
  expect(first).not.toBeNull();
  expect(second).toBe(first);
  await sender.mended('queue', first ?? '');
  expect(await sender.lossOf('queue')).toBeNull();
  // The second one ends later, and changes nothing.
  await sender.mended('queue', second ?? '');
  expect(await sender.lossOf('queue')).toBeNull();
});
