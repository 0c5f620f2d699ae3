import { jobQueues, type JobQueue } from '@muster/contracts';
import type { Outbox } from '@muster/domain';
import { DelayedError, Queue, UnrecoverableError, Worker, type Job } from 'bullmq';
import { DeadLetters, deadLettersKept } from './dead-letters.js';
import { fateOf, pauseOf, UnknownJob, usualAttempts, type Attempts } from './job-attempts.js';
import { Redis } from 'ioredis';
import { once } from 'node:events';
import type { z } from 'zod';
import type { Log } from './logging.js';
import { repeat, type Running } from './loop.js';
import type { SharedClock } from './shared-clock.js';
import { isDemoted } from './store-away.js';
import { Troubles } from './troubles.js';

/**
 * Kept only while it is to be done: what was done stands in Postgres, and a kept job would swallow a repeat. A job that nobody can
 * do is kept as a dead letter. The worker decides after how many attempts; the number here is beyond all of its bounds.
 */
const jobOptions = {
  removeOnComplete: true,
  removeOnFail: deadLettersKept,
  attempts: 1_000_000,
  backoff: { type: 'muster' },
};

const prefixOf = (realm: string): string => `muster-jobs:{${realm}}`;

/** A connection that fails at once while Redis is away, so that a producer gets an error and not a hang. */
function producerConnection(url: string, troubles: Troubles): Redis {
  const redis = new Redis(url, {
    connectionName: 'muster-jobs-out',
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 5_000,
    reconnectOnError: isDemoted,
    retryStrategy: (attempt) => Math.min(50 * attempt, 1_000),
  });
  redis.on('error', troubles.of('Redis (jobs out)'));
  return redis;
}

/** Sends durable jobs. */
export class JobSender {
  private readonly redis: Redis;
  private readonly queues = new Map<string, Queue>();

  constructor(url: string, realm: string, log: Log) {
    const troubles = new Troubles(log);
    this.redis = producerConnection(url, troubles);
    for (const name of Object.values(jobQueues)) {
      const queue = new Queue(name, {
        connection: this.redis,
        prefix: prefixOf(realm),
        defaultJobOptions: jobOptions,
      });
      queue.on('error', troubles.of(`the job queue ${name}`));
      this.queues.set(name, queue);
    }
  }

  /**
   * @param jobs one of the same id as a job that is still to be done, or is a dead letter, is left out by BullMQ
   * @param keep `unless-dead` for reminders, which come again by themselves: no dead letter is made of one
   */
  async send(
    name: string,
    jobs: readonly { jobId: string; payload: unknown }[],
    keep: 'always' | 'unless-dead' = 'always',
  ): Promise<void> {
    const queue = this.queues.get(name);
    if (!queue) throw new Error(`there is no job queue "${name}"`);
    const more = keep === 'always' ? {} : { removeOnFail: true };
    await queue.addBulk(
      jobs.map(({ jobId, payload }) => ({ name, data: payload, opts: { jobId, ...more } })),
    );
  }

  /** The jobs that nobody could do, of every queue. */
  deadLetters(): DeadLetters {
    return new DeadLetters(this.queues);
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

export interface JobWorker {
  readonly ready: () => Promise<unknown>;
  stop(): Promise<void>;
}

/** What a worker does beside the jobs themselves. */
export interface WorkOptions<T> {
  readonly url: string;
  readonly realm: string;
  readonly log: Log;
  /** While the machine's clock is wrong no job is taken: BullMQ dates a repeat by it. */
  readonly clock: Pick<SharedClock, 'sound' | 'onChange'>;
  readonly concurrency: number;
  /** How often a job is tried; the usual bounds where nothing is said. */
  readonly attempts?: Partial<Attempts>;
  /** Called before a job that was understood goes to the dead letters, to settle what hangs on it. Must be safe to repeat. */
  readonly giveUp?: (job: T, error: unknown) => Promise<void>;
}

/**
 * Does the jobs of a queue. They come at least once: `handle` must be safe to repeat. What it throws is logged and tried again,
 * after longer and longer pauses; once its attempts are used up a job goes to the dead letters, where operators see it. A store
 * that is away is waited for, and uses up no attempts.
 *
 * @param schema what the job must look like; one that does not may be of a newer version: it is left to a replica that
 *   understands it
 */
export function workOn<T>(
  name: JobQueue,
  schema: z.ZodType<T>,
  handle: (job: T) => Promise<void>,
  options: WorkOptions<T>,
): JobWorker {
  const { url, realm, log, clock, concurrency } = options;
  const troubles = new Troubles(log);
  const redis = workerConnection(url, name, troubles);
  const read = (data: unknown): T => readJob(schema, data);
  const judge = new FailureJudge(name, read, options, troubles);
  const worker = new Worker<unknown>(
    name,
    async (job, token) => {
      try {
        await handle(read(job.data));
      } catch (error) {
        await judge.failed(job, error, token);
      }
    },
    {
      connection: redis,
      prefix: prefixOf(realm),
      concurrency,
      // A worker that was killed, or is stopped, shows within these: its jobs go to another.
      lockDuration: 5_000,
      stalledInterval: 2_000,
      // A job under which one process after the other dies goes to the dead letters, too.
      maxStalledCount: 25,
      settings: { backoffStrategy: (attempt, _type, error) => pauseOf(error, attempt) },
    },
  );
  worker.on('error', troubles.of(`the worker of ${name}`));
  worker.on('failed', (job, error) => {
    const facts = { err: error, job: job?.id, queue: name, attempts: job?.attemptsMade };
    if (job?.finishedOn === undefined) log.warn(facts, 'a job failed; it will be retried');
    else log.error(facts, 'a job became a dead letter: "muster jobs" shows and retries it');
  });
  pauseWhileUnsound(worker, clock, (error) => log.warn({ err: error, queue: name }, 'no pause'));
  return {
    ready: () => redis.ping(),
    async stop() {
      await worker.close();
      redis.disconnect();
    },
  };
}

/** A connection that waits for Redis while it is away. */
function workerConnection(url: string, name: JobQueue, troubles: Troubles): Redis {
  const redis = new Redis(url, {
    connectionName: `muster-${name}`,
    maxRetriesPerRequest: null,
    reconnectOnError: isDemoted,
    retryStrategy: (attempt) => Math.min(50 * attempt, 1_000),
  });
  redis.on('error', troubles.of(`Redis (${name})`));
  return redis;
}

/** @throws UnknownJob with what this version does not understand */
function readJob<T>(schema: z.ZodType<T>, data: unknown): T {
  const job = schema.safeParse(data);
  if (job.success) return job.data;
  const flaws = job.error.issues.map(({ path, message }) => `${path.join('.') || 'job'}: ${message}`);
  throw new UnknownJob(`this version does not understand the job (${flaws.slice(0, 5).join('; ')})`);
}

/** Takes no jobs while the machine's clock is wrong. */
function pauseWhileUnsound(
  worker: Worker<unknown>,
  clock: WorkOptions<unknown>['clock'],
  onError: (error: unknown) => void,
): void {
  const follow = (): void => {
    if (clock.sound) worker.resume();
    else worker.pause(true).catch(onError);
  };
  clock.onChange(follow);
  if (!clock.sound) follow();
}

/** Decides what becomes of a job that failed: it is tried again, waits for a store, or goes to the dead letters. */
class FailureJudge<T> {
  private readonly bounds: Attempts;

  constructor(
    private readonly name: JobQueue,
    private readonly read: (data: unknown) => T,
    private readonly options: Pick<WorkOptions<T>, 'attempts' | 'giveUp' | 'log'>,
    private readonly troubles: Troubles,
  ) {
    this.bounds = { ...usualAttempts, ...options.attempts };
  }

  /** @throws DelayedError when the job is to wait, UnrecoverableError when it is dead, else what it failed with */
  async failed(job: Job<unknown>, error: unknown, token: string | undefined): Promise<never> {
    const fate = fateOf(error, job.attemptsMade + 1, job.attemptsStarted, this.bounds);
    if (fate === 'again') throw error;
    if (fate === 'waits') return this.wait(job, error, token);
    if (!(error instanceof UnknownJob)) await this.settle(job, error, token);
    // A version before this one kept fewer.
    if (job.opts.removeOnFail !== true) job.opts.removeOnFail = deadLettersKept;
    throw new UnrecoverableError(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  }

  private async wait(job: Job<unknown>, why: unknown, token: string | undefined): Promise<never> {
    this.troubles.tell(`jobs of ${this.name} that have to wait`, why);
    await job.moveToDelayed(Date.now() + pauseOf(why, job.attemptsStarted), token);
    throw new DelayedError();
  }

  /** Settles what hangs on a job that is given up. @throws DelayedError when a store is away */
  private async settle(job: Job<unknown>, error: unknown, token: string | undefined): Promise<void> {
    const { giveUp, log } = this.options;
    if (!giveUp) return;
    await giveUp(this.read(job.data), error).catch(async (why: unknown) => {
      // What cannot be settled at all is left to the reconciler: the job itself is of no more use.
      if (fateOf(why, Infinity, job.attemptsStarted, this.bounds) === 'waits')
        await this.wait(job, why, token);
      log.error(
        { err: why, job: job.id, queue: this.name },
        'the consequences of a dead letter could not be handled',
      );
    });
  }
}

const outboxBatch = 200;
/** What is enqueued within these few milliseconds goes out together. */
const gatherMs = 3;

/** Sends the jobs that commits wrote to the outbox: at once when kicked, and every now and then by itself. */
export class OutboxRelay {
  private running: Running | null = null;

  /** @param owner whose jobs; a service that writes none has no relay */
  constructor(
    private readonly owner: string | null,
    private readonly outbox: Outbox,
    private readonly sender: JobSender,
    private readonly log: Log,
  ) {}

  start(): void {
    const { owner } = this;
    if (owner !== null) this.running = repeat(`outbox of ${owner}`, 500, () => this.relay(owner), this.log);
  }

  readonly kick = (): void => this.running?.kick();

  async stop(): Promise<void> {
    await this.running?.stop();
  }

  /** @returns whether there may be more */
  private async relay(owner: string): Promise<boolean> {
    await new Promise((resolve) => setTimeout(resolve, gatherMs));
    const sent = await this.outbox.relay(owner, outboxBatch, async (entries) => {
      const byQueue = new Map<string, { jobId: string; payload: unknown }[]>();
      for (const entry of entries) byQueue.set(entry.queue, [...(byQueue.get(entry.queue) ?? []), entry]);
      for (const [queue, jobs] of byQueue) await this.sender.send(queue, jobs);
    });
    return sent === outboxBatch;
  }
}
