import { jobQueues, type JobQueue } from '@muster/contracts';
import type { Outbox } from '@muster/domain';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { once } from 'node:events';
import type { z } from 'zod';
import type { Log } from './logging.js';
import { repeat, type Running } from './loop.js';
import type { SharedClock } from './shared-clock.js';
import { isDemoted } from './store-away.js';

/** Kept only while it is to be done: what was done stands in Postgres, and a kept job would swallow a repeat. */
const jobOptions = {
  removeOnComplete: true,
  removeOnFail: { age: 3_600, count: 1_000 },
  attempts: 1_000,
  backoff: { type: 'muster' },
};

/** Pause before the nth try, in milliseconds: quick at first, never long. */
const backoff = (attempt: number): number => Math.min(5_000, 100 * 2 ** Math.min(10, attempt - 1));

const prefixOf = (realm: string): string => `muster-jobs:{${realm}}`;

/** A connection that fails at once while Redis is away, so that a producer gets an error and not a hang. */
function producerConnection(url: string): Redis {
  const redis = new Redis(url, {
    connectionName: 'muster-jobs-out',
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 5_000,
    reconnectOnError: isDemoted,
    retryStrategy: (attempt) => Math.min(50 * attempt, 1_000),
  });
  redis.on('error', () => undefined);
  return redis;
}

/** Sends durable jobs. */
export class JobSender {
  private readonly redis: Redis;
  private readonly queues = new Map<string, Queue>();

  constructor(url: string, realm: string) {
    this.redis = producerConnection(url);
    for (const name of Object.values(jobQueues)) {
      const queue = new Queue(name, {
        connection: this.redis,
        prefix: prefixOf(realm),
        defaultJobOptions: jobOptions,
      });
      queue.on('error', () => undefined);
      this.queues.set(name, queue);
    }
  }

  /** @param jobs one of the same id as a job that is still to be done is left out by BullMQ */
  async send(name: string, jobs: readonly { jobId: string; payload: unknown }[]): Promise<void> {
    const queue = this.queues.get(name);
    if (!queue) throw new Error(`there is no job queue "${name}"`);
    await queue.addBulk(jobs.map(({ jobId, payload }) => ({ name, data: payload, opts: { jobId } })));
  }

  /** Rejects while Redis is away. */
  async ready(): Promise<void> {
    // A connection that is still being made refuses commands; one that cannot be made says why in its next error.
    if (this.redis.status !== 'ready') await once(this.redis, 'ready');
    await this.redis.ping();
  }

  /** The server's own time, in milliseconds since the epoch. */
  async time(): Promise<number> {
    const [seconds, micros] = await this.redis.time();
    return Number(seconds) * 1000 + Number(micros) / 1000;
  }

  async close(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.close()));
    this.redis.disconnect();
  }
}

export interface WorkOptions {
  readonly url: string;
  readonly realm: string;
  readonly log: Log;
  /** While the machine's clock is wrong no job is taken: BullMQ dates a repeat by it. */
  readonly clock: Pick<SharedClock, 'sound' | 'onChange'>;
  readonly concurrency: number;
}

export interface JobWorker {
  readonly ready: () => Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * Does the jobs of a queue. They come at least once: `handle` must be safe to repeat. What it throws is logged and tried again.
 *
 * @param schema what the job must look like; one that does not is dropped with an error in the log, for no retry can mend it
 */
export function workOn<T>(
  name: JobQueue,
  schema: z.ZodType<T>,
  handle: (job: T) => Promise<void>,
  { url, realm, log, clock, concurrency }: WorkOptions,
): JobWorker {
  const redis = new Redis(url, {
    connectionName: `muster-${name}`,
    maxRetriesPerRequest: null,
    reconnectOnError: isDemoted,
    retryStrategy: (attempt) => Math.min(50 * attempt, 1_000),
  });
  redis.on('error', () => undefined);
  const worker = new Worker<unknown>(
    name,
    async (job) => {
      const read = schema.safeParse(job.data);
      if (!read.success) {
        log.error(
          { job: job.id, queue: name, issues: read.error.issues },
          'a job that nobody understands was dropped',
        );
        return;
      }
      await handle(read.data);
    },
    {
      connection: redis,
      prefix: prefixOf(realm),
      concurrency,
      // A worker that was killed, or is stopped, shows within these: its jobs go to another.
      lockDuration: 5_000,
      stalledInterval: 2_000,
      maxStalledCount: 1_000,
      settings: { backoffStrategy: backoff },
    },
  );
  worker.on('error', (error) => log.debug({ err: error, queue: name }, 'worker'));
  worker.on('failed', (job, error) =>
    log.warn({ err: error, job: job?.id, queue: name }, 'a job failed; it will be tried again'),
  );
  const follow = (): void => {
    if (clock.sound) worker.resume();
    else worker.pause(true).catch((error: unknown) => log.warn({ err: error, queue: name }, 'no pause'));
  };
  clock.onChange(follow);
  if (!clock.sound) follow();
  return {
    ready: () => redis.ping(),
    async stop() {
      await worker.close();
      redis.disconnect();
    },
  };
}

/** Sends what this service's commits promised: at once when kicked, and every now and then by itself. */
export function relayOutbox(owner: string, outbox: Outbox, sender: JobSender, log: Log): Running {
  const batch = 200;
  /** What is promised within these few milliseconds goes out together. */
  const gatherMs = 3;
  return repeat(
    `outbox of ${owner}`,
    500,
    async () => {
      await new Promise((resolve) => setTimeout(resolve, gatherMs));
      const sent = await outbox.relay(owner, batch, async (entries) => {
        const byQueue = new Map<string, { jobId: string; payload: unknown }[]>();
        for (const entry of entries) byQueue.set(entry.queue, [...(byQueue.get(entry.queue) ?? []), entry]);
        for (const [queue, jobs] of byQueue) await sender.send(queue, jobs);
      });
      return sent === batch;
    },
    log,
  );
}
