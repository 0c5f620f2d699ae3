import { jobQueues, type JobQueue } from '@muster/contracts';
import type { Outbox } from '@muster/domain';
import { DelayedError, Queue, UnrecoverableError, Worker, type Job } from 'bullmq';
import { DeadLetters, deadLettersKept } from './dead-letters.js';
import { retryDecision, backOffMs, UnknownJob, defaultAttempts, type Attempts } from './job-attempts.js';
import { Redis } from 'ioredis';
import { once } from 'node:events';
import type { z } from 'zod';
import type { Log } from './logging.js';
import { repeat, type Running } from './loop.js';
import type { SharedClock } from './shared-clock.js';
import { isDemoted } from './store-unavailable.js';
import { ErrorLog } from './error-log.js';

/**
 * Finished jobs are removed: their outcome is in Postgres, and a kept job would swallow a repeat. A job that cannot be
 * done is kept as a dead letter. The worker limits the attempts; the number here exceeds all its limits.
 */
const jobOptions = {
  removeOnComplete: true,
  removeOnFail: deadLettersKept,
  attempts: 1_000_000,
  backoff: { type: 'muster' },
};

const prefixOf = (realm: string): string => `muster-jobs:{${realm}}`;

/**
 * A connection whose commands fail immediately while Redis is unavailable, so that a producer gets an error instead of
 * hanging.
 */
function producerConnection(url: string, errorLog: ErrorLog): Redis {
  const redis = new Redis(url, {
    connectionName: 'muster-jobs-out',
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 5_000,
    reconnectOnError: isDemoted,
    retryStrategy: (attempt) => Math.min(50 * attempt, 1_000),
  });
  redis.on('error', errorLog.of('Redis (jobs out)'));
  return redis;
}

/** Enqueues durable jobs. */
export class JobSender {
  private readonly redis: Redis;
  private readonly queues = new Map<string, Queue>();

  constructor(url: string, realm: string, log: Log) {
    const errorLog = new ErrorLog(log);
    this.redis = producerConnection(url, errorLog);
    for (const name of Object.values(jobQueues)) {
      const queue = new Queue(name, {
        connection: this.redis,
        prefix: prefixOf(realm),
        defaultJobOptions: jobOptions,
      });
      queue.on('error', errorLog.of(`the job queue ${name}`));
      this.queues.set(name, queue);
    }
  }

  /**
   * @param jobs BullMQ ignores a job whose id is pending or a dead letter
   * @param keep `unless-dead` for reminders, which recur: they never become dead letters
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

  /** The dead letters of every queue. */
  deadLetters(): DeadLetters {
    return new DeadLetters(this.queues);
  }

  /** Rejects while Redis is unavailable. */
  async ready(): Promise<void> {
    // A connection that is being established rejects commands; if it fails, its next error has the reason.
    if (this.redis.status !== 'ready') await once(this.redis, 'ready');
    await this.redis.ping();
  }

  /** The Redis server's time, in milliseconds since the epoch. */
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

/** Options of a worker. */
export interface WorkOptions<T> {
  readonly url: string;
  readonly realm: string;
  readonly log: Log;
  /** No job is taken while the machine's clock is wrong, because BullMQ dates delays by it. */
  readonly clock: Pick<SharedClock, 'sound' | 'onChange'>;
  readonly concurrency: number;
  /** The limits of attempts; the defaults where not given. */
  readonly attempts?: Partial<Attempts>;
  /** Called before a parsed job becomes a dead letter, to settle its consequences. Must be idempotent. */
  readonly giveUp?: (job: T, error: unknown) => Promise<void>;
}

/**
 * Processes the jobs of a queue. Delivery is at-least-once: `handle` must be idempotent. Its errors are logged and the
 * job is retried with back-off. A job that has used up its attempts becomes a dead letter, which operators see. An
 * unavailable store uses up no attempts.
 *
 * @param schema validates the payload; a job that does not match may be of a newer version and is left to a replica
 * that can parse it
 */
export function workOn<T>(
  name: JobQueue,
  schema: z.ZodType<T>,
  handle: (job: T) => Promise<void>,
  options: WorkOptions<T>,
): JobWorker {
  const { url, realm, log, clock, concurrency } = options;
  const errorLog = new ErrorLog(log);
  const redis = workerConnection(url, name, errorLog);
  const read = (data: unknown): T => readJob(schema, data);
  const retryPolicy = new RetryPolicy(name, read, options, errorLog);
  const worker = new Worker<unknown>(
    name,
    async (job, token) => {
      try {
        await handle(read(job.data));
      } catch (error) {
        await retryPolicy.failed(job, error, token);
      }
    },
    {
      connection: redis,
      prefix: prefixOf(realm),
      concurrency,
      // The jobs of a worker that was killed or stalls go to another worker within this time.
      lockDuration: 5_000,
      stalledInterval: 2_000,
      // A job that crashes one process after the other becomes a dead letter as well.
      maxStalledCount: 25,
      settings: { backoffStrategy: (attempt, _type, error) => backOffMs(error, attempt) },
    },
  );
  worker.on('error', errorLog.of(`the worker of ${name}`));
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

/** A connection that waits for Redis while it is unavailable. */
function workerConnection(url: string, name: JobQueue, errorLog: ErrorLog): Redis {
  const redis = new Redis(url, {
    connectionName: `muster-${name}`,
    maxRetriesPerRequest: null,
    reconnectOnError: isDemoted,
    retryStrategy: (attempt) => Math.min(50 * attempt, 1_000),
  });
  redis.on('error', errorLog.of(`Redis (${name})`));
  return redis;
}

/** @throws UnknownJob with the validation errors */
function readJob<T>(schema: z.ZodType<T>, data: unknown): T {
  const job = schema.safeParse(data);
  if (job.success) return job.data;
  const flaws = job.error.issues.map(({ path, message }) => `${path.join('.') || 'job'}: ${message}`);
  throw new UnknownJob(`this version cannot parse the job (${flaws.slice(0, 5).join('; ')})`);
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

/** Decides what happens to a failed job: it is retried, waits for a store, or becomes a dead letter. */
class RetryPolicy<T> {
  private readonly bounds: Attempts;

  constructor(
    private readonly name: JobQueue,
    private readonly read: (data: unknown) => T,
    private readonly options: Pick<WorkOptions<T>, 'attempts' | 'giveUp' | 'log'>,
    private readonly errorLog: ErrorLog,
  ) {
    this.bounds = { ...defaultAttempts, ...options.attempts };
  }

  /** @throws DelayedError if the job must wait, UnrecoverableError if it is dead, else the original error */
  async failed(job: Job<unknown>, error: unknown, token: string | undefined): Promise<never> {
    const decision = retryDecision(error, job.attemptsMade + 1, job.attemptsStarted, this.bounds);
    if (decision === 'retry') throw error;
    if (decision === 'wait') return this.wait(job, error, token);
    if (!(error instanceof UnknownJob)) await this.settle(job, error, token);
    // Older versions kept fewer.
    if (job.opts.removeOnFail !== true) job.opts.removeOnFail = deadLettersKept;
    throw new UnrecoverableError(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  }

  private async wait(job: Job<unknown>, why: unknown, token: string | undefined): Promise<never> {
    this.errorLog.report(`jobs of ${this.name} waiting for a store or service`, why);
    await job.moveToDelayed(Date.now() + backOffMs(why, job.attemptsStarted), token);
    throw new DelayedError();
  }

  /** Settles the consequences of a job that is given up. @throws DelayedError if a store is unavailable */
  private async settle(job: Job<unknown>, error: unknown, token: string | undefined): Promise<void> {
    const { giveUp, log } = this.options;
    if (!giveUp) return;
    await giveUp(this.read(job.data), error).catch(async (why: unknown) => {
      // If it cannot be settled at all, the reconciler does it: the job is of no further use.
      if (retryDecision(why, Infinity, job.attemptsStarted, this.bounds) === 'wait')
        await this.wait(job, why, token);
      log.error(
        { err: why, job: job.id, queue: this.name },
        'the consequences of a dead letter could not be handled',
      );
    });
  }
}

const outboxBatch = 200;
/** Entries enqueued within this time are relayed together. */
const batchDelayMs = 3;

/** Relays the jobs that commits wrote to the outbox: immediately on a kick, and at intervals. */
export class OutboxRelay {
  private running: Running | null = null;

  /** @param owner the owner of the jobs; a service that writes none has no relay */
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

  /** @returns whether more entries may be due */
  private async relay(owner: string): Promise<boolean> {
    await new Promise((resolve) => setTimeout(resolve, batchDelayMs));
    const sent = await this.outbox.relay(owner, outboxBatch, async (entries) => {
      const byQueue = new Map<string, { jobId: string; payload: unknown }[]>();
      for (const entry of entries) byQueue.set(entry.queue, [...(byQueue.get(entry.queue) ?? []), entry]);
      for (const [queue, jobs] of byQueue) await this.sender.send(queue, jobs);
    });
    return sent === outboxBatch;
  }
}
