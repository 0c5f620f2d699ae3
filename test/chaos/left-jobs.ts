import { jobQueues } from '@muster/contracts';
import { connectRedis, type RedisConnection } from '@muster/redis';
import { Cluster } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';

const prefix = 'muster-jobs:{default}:';
/** Keys of BullMQ for jobs that are not done. */
const states = ['wait', 'paused', 'prioritized', 'active', 'delayed', 'failed'] as const;
/** A retried job is delayed for a moment: only what stays empty for so long is empty. */
const quietMs = 5_000;
const lookMs = 250;
const patienceMs = 90_000;

/** A job that is not done. */
export interface LeftJob {
  readonly queue: string;
  readonly state: string;
  readonly jobId: string;
  readonly reason: string;
}

/** Jobs that are not done, of all queues that Redis has, also of those that no release knows. */
export async function leftJobs(redisUrl: string): Promise<LeftJob[]> {
  const redis = connectRedis(redisUrl, { name: 'left-jobs', onError: () => undefined });
  try {
    const known = new Set<string>(Object.values(jobQueues));
    for (const key of await keysOf(redis)) known.add(key.slice(prefix.length).split(':')[0] ?? '');
    const left: LeftJob[] = [];
    for (const queue of known)
      for (const state of states)
        for (const jobId of await idsOf(redis, `${prefix}${queue}:${state}`))
          left.push({ queue, state, jobId, reason: await reasonOf(redis, `${prefix}${queue}:${jobId}`) });
    return left;
  } finally {
    redis.disconnect();
  }
}

/** Waits until no job is left for five seconds. @returns what is left otherwise; dead letters stay, so they end it */
export async function untilDone(redisUrl: string): Promise<LeftJob[]> {
  const until = performance.now() + patienceMs;
  let quietSince = performance.now();
  for (;;) {
    const left = await leftJobs(redisUrl);
    const now = performance.now();
    if (left.some(({ state }) => state !== 'failed')) quietSince = now;
    if (now - quietSince >= quietMs || now >= until) return left;
    await sleep(lookMs);
  }
}

/** The keys of all queues. In a Cluster only the known queues are looked at. */
async function keysOf(redis: RedisConnection): Promise<string[]> {
  if (redis instanceof Cluster) return [];
  const found: string[] = [];
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', `${prefix}*`, 'COUNT', 1_000);
    cursor = next;
    found.push(...keys);
  } while (cursor !== '0');
  return found;
}

async function idsOf(redis: RedisConnection, key: string): Promise<string[]> {
  const type = await redis.type(key);
  const ids =
    type === 'list'
      ? await redis.lrange(key, 0, -1)
      : type === 'zset'
        ? await redis.zrange(key, '0', '-1')
        : [];
  // BullMQ's marker of delayed jobs.
  return ids.filter((id) => !id.startsWith('0:'));
}

async function reasonOf(redis: RedisConnection, key: string): Promise<string> {
  return (await redis.hget(key, 'failedReason').catch(() => null)) ?? '';
}
