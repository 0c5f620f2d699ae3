import type { JobQueue } from '@muster/contracts';
import { DelayedError, UnrecoverableError, type Job } from 'bullmq';
import { deadLettersKept } from './dead-letters.js';
import type { ErrorLog } from '../core/error-log.js';
import {
  backOffMs,
  defaultAttempts,
  retryDecision,
  UnknownJob,
  type Attempts,
  type RetryDecision,
} from './job-attempts.js';
import type { WorkOptions } from './job-worker.js';

/** Decides what happens to a failed job: it is retried, waits for a store, or becomes a dead letter. */
export class RetryPolicy<T> {
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
    const decision = this.decide(job, error);
    if (decision === 'retry') throw error;
    if (decision === 'wait') return this.wait(job, error, token);
    if (!(error instanceof UnknownJob)) await this.settle(job, error, token);
    // Older versions kept fewer.
    if (job.opts.removeOnFail !== true) job.opts.removeOnFail = deadLettersKept;
    throw new UnrecoverableError(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  }

  /** What to do with a job that failed now. */
  decide({ attemptsMade, attemptsStarted }: Job<unknown>, error: unknown): RetryDecision {
    return retryDecision(error, attemptsMade + 1, attemptsStarted, this.bounds);
  }

  /** Lets a job wait for a store or service. @throws DelayedError */
  async wait(job: Job<unknown>, why: unknown, token: string | undefined): Promise<never> {
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
        { err: why, jobId: job.id, jobQueue: this.name },
        'the consequences of a dead letter could not be handled',
      );
    });
  }
}
