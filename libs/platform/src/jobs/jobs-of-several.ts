import type { JobQueue } from '@muster/contracts';
import type { RedisConnection } from '@muster/redis';
import { Queue, type Job } from 'bullmq';
import type { ErrorLog } from '../core/error-log.js';
import { backOffMs } from './job-attempts.js';
import { single, traceFieldsIn, type JobItem } from './job-items.js';
import { keepOptions, queueOptions } from './job-options.js';
import type { RetryPolicy } from './job-retries.js';
import type { Log } from '../core/logging.js';

interface Failure {
  readonly item: JobItem;
  readonly error: unknown;
}

/**
 * Processes jobs of several items. An item that fails becomes a job of its own, which waits, is retried and becomes a
 * dead letter alone. The others are done.
 */
export class JobsOfSeveral<T> {
  private queue: Queue | null = null;

  /** @param handle handles one payload; idempotent */
  constructor(
    private readonly name: JobQueue,
    private readonly handle: (payload: unknown) => Promise<void>,
    private readonly retryPolicy: RetryPolicy<T>,
    private readonly by: {
      readonly redis: RedisConnection;
      readonly realm: string;
      readonly log: Log;
      readonly errorLog: ErrorLog;
    },
  ) {}

  /**
   * 1. A job that was started before and did not come to its end is divided at once: one of its items may have ended the
   *    process, and the others must not be tried with it again.
   * 2. All items are handled concurrently.
   * 3. If a store or service was unavailable for all of them, the job waits for it as a whole.
   * 4. Otherwise those that failed become jobs of their own.
   *
   * If they cannot be enqueued, the whole job is retried.
   *
   * @returns the number of items that failed
   * @throws DelayedError if the job must wait
   */
  async run(job: Job<unknown>, items: readonly JobItem[], token: string | undefined): Promise<number> {
    if (job.stalledCounter > 0 || job.attemptsMade > 0) {
      await this.resend(
        job,
        token,
        items.map((item) => [item, 0]),
      );
      return 0;
    }
    const failures = await this.handleAll(items);
    const [first] = failures;
    if (first === undefined) return 0;
    const isAway = ({ error }: Failure): boolean => this.retryPolicy.decide(job, error) === 'wait';
    if (failures.length === items.length && failures.every(isAway))
      return this.retryPolicy.wait(job, first.error, token);
    for (const { item, error } of failures)
      this.by.log.warn(
        { err: error, jobId: item.jobId, jobQueue: this.name, ...traceFieldsIn(item.payload) },
        'an item of a job failed; it is retried alone',
      );
    await this.resend(
      job,
      token,
      failures.map(({ item, error }) => [item, backOffMs(error, 1)]),
    );
    return failures.length;
  }

  async close(): Promise<void> {
    await this.queue?.close();
  }

  private async handleAll(items: readonly JobItem[]): Promise<Failure[]> {
    const results = await Promise.allSettled(items.map(({ payload }) => this.handle(payload)));
    return items.flatMap((item, i) => {
      const result = results[i];
      return result?.status === 'rejected' ? [{ item, error: result.reason as unknown }] : [];
    });
  }

  /** Sends items as jobs of their own, each after a delay in milliseconds. */
  private async resend(
    job: Job<unknown>,
    token: string | undefined,
    items: readonly (readonly [JobItem, number])[],
  ): Promise<void> {
    const more = keepOptions(job.opts.removeOnFail === true ? 'unless-dead' : 'always');
    const jobs = items.map(([item, delay]) => {
      const { jobId, data } = single(item);
      return { name: this.name, data, opts: { jobId, delay, ...more } };
    });
    try {
      await this.own().addBulk(jobs);
    } catch (error) {
      // It is never given up: that would give up items that did not fail.
      if (this.retryPolicy.decide(job, error) === 'wait') return this.retryPolicy.wait(job, error, token);
      throw error;
    }
  }

  /** Opened when the first item fails. */
  private own(): Queue {
    const { redis, realm, errorLog } = this.by;
    if (!this.queue) {
      this.queue = new Queue(this.name, { connection: redis, ...queueOptions(realm) });
      this.queue.on('error', errorLog.of(`the job queue ${this.name}`));
    }
    return this.queue;
  }
}
