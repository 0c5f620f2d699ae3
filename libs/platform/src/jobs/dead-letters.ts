import { jobQueues, type DeadJob, type JobQueueView } from '@muster/contracts';
import { JobNotFound } from '@muster/domain';
import type { Job, Queue } from 'bullmq';

/** Retention of dead letters, by age and number per queue; the oldest are deleted first. */
export const deadLettersKept = { age: 30 * 86_400, count: 10_000 };

/** Dead letters. BullMQ stores them per queue as failed jobs. While one exists, a job of the same id is ignored. */
export class DeadLetters {
  constructor(private readonly queues: ReadonlyMap<string, Queue>) {}

  /** Every job queue, with the number of its jobs by state. */
  counts(): Promise<JobQueueView[]> {
    return Promise.all(
      Object.values(jobQueues).map(async (jobQueue) => {
        const counts = await this.queue(jobQueue).getJobCounts('wait', 'active', 'delayed', 'failed');
        const { wait = 0, active = 0, delayed = 0, failed = 0 } = counts;
        return { jobQueue, waiting: wait, active, delayed, dead: failed };
      }),
    );
  }

  /**
   * When the job that workers take next was sent or last tried, in milliseconds since the epoch; job queues without one
   * are left out.
   */
  async oldestWaitingSince(): Promise<ReadonlyMap<string, number>> {
    const found = await Promise.all(
      [...this.queues].map(async ([name, queue]) => {
        const [job] = await queue.getJobs(['waiting'], 0, 0, true);
        return job ? ([name, Math.max(job.timestamp, job.processedOn ?? 0)] as const) : null;
      }),
    );
    return new Map(found.filter((each) => each !== null));
  }

  /** The dead letters of a queue, newest first. */
  async list(jobQueue: string, limit: number): Promise<DeadJob[]> {
    const jobs = await this.queue(jobQueue).getJobs(['failed'], 0, limit - 1, false);
    return jobs.map((job) => viewOf(jobQueue, job));
  }

  /** @throws JobNotFound */
  async find(jobQueue: string, jobId: string): Promise<DeadJob> {
    return viewOf(jobQueue, await this.dead(jobQueue, jobId));
  }

  /** Retries a dead letter, with all its attempts. @throws JobNotFound */
  retry(jobQueue: string, jobId: string): Promise<DeadJob> {
    return this.act(jobQueue, jobId, (job) =>
      job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true }),
    );
  }

  /** Deletes a dead letter. @throws JobNotFound */
  drop(jobQueue: string, jobId: string): Promise<DeadJob> {
    return this.act(jobQueue, jobId, (job) => job.remove());
  }

  /** Of two concurrent calls, one finds the dead letter gone. @returns the dead letter as it was */
  private async act(
    jobQueue: string,
    jobId: string,
    act: (job: Job<unknown>) => Promise<void>,
  ): Promise<DeadJob> {
    const job = await this.dead(jobQueue, jobId);
    const view = viewOf(jobQueue, job);
    await act(job).catch(async (error: unknown) => {
      await this.dead(jobQueue, jobId);
      throw error;
    });
    return view;
  }

  private async dead(jobQueue: string, jobId: string): Promise<Job<unknown>> {
    const job: Job<unknown> | undefined = await this.queue(jobQueue).getJob(jobId);
    if (!job || !(await job.isFailed())) throw notDead(jobQueue, jobId);
    return job;
  }

  private queue(jobQueue: string): Queue {
    const queue = this.queues.get(jobQueue);
    if (!queue)
      throw new JobNotFound(
        `There is no job queue "${jobQueue}"; there is ${[...this.queues.keys()].join(', ')}.`,
        { jobQueue },
      );
    return queue;
  }
}

function notDead(jobQueue: string, jobId: string): JobNotFound {
  return new JobNotFound(`There is no dead letter ${jobId} in "${jobQueue}".`, { jobQueue, jobId });
}

function viewOf(jobQueue: string, job: Job<unknown>): DeadJob {
  return {
    jobQueue,
    jobId: job.id ?? '',
    createdAt: job.timestamp,
    deadAt: job.finishedOn ?? job.timestamp,
    attempts: job.attemptsMade,
    reason: job.failedReason ?? '',
    payload: job.data,
  };
}
