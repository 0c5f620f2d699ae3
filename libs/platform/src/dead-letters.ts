import { jobQueues, type DeadJob, type JobQueueView } from '@muster/contracts';
import { JobNotFound } from '@muster/domain';
import type { Job, Queue } from 'bullmq';

/** Dead letters are kept so long and so many a queue; older ones go first. */
export const deadLettersKept = { age: 30 * 86_400, count: 10_000 };

/**
 * The jobs that nobody could do. BullMQ keeps them apart in each queue, as failed ones, and a job of the same id that comes again
 * is left out while one is there.
 */
export class DeadLetters {
  constructor(private readonly queues: ReadonlyMap<string, Queue>) {}

  /** Every job queue, with how many of its jobs are where. */
  counts(): Promise<JobQueueView[]> {
    return Promise.all(
      Object.values(jobQueues).map(async (jobQueue) => {
        const counts = await this.queue(jobQueue).getJobCounts('wait', 'active', 'delayed', 'failed');
        const { wait = 0, active = 0, delayed = 0, failed = 0 } = counts;
        return { jobQueue, waiting: wait, active, delayed, dead: failed };
      }),
    );
  }

  /** The dead letters of a queue, the latest first. */
  async list(jobQueue: string, limit: number): Promise<DeadJob[]> {
    const jobs = await this.queue(jobQueue).getJobs(['failed'], 0, limit - 1, false);
    return jobs.map((job) => viewOf(jobQueue, job));
  }

  /** @throws JobNotFound */
  async find(jobQueue: string, jobId: string): Promise<DeadJob> {
    return viewOf(jobQueue, await this.dead(jobQueue, jobId));
  }

  /** Has it tried again, with all its attempts. @throws JobNotFound */
  async retry(jobQueue: string, jobId: string): Promise<DeadJob> {
    const job = await this.dead(jobQueue, jobId);
    const view = viewOf(jobQueue, job);
    await this.unless(job, () =>
      job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true }),
    );
    return view;
  }

  /** Forgets it. @throws JobNotFound */
  async drop(jobQueue: string, jobId: string): Promise<DeadJob> {
    const job = await this.dead(jobQueue, jobId);
    const view = viewOf(jobQueue, job);
    await this.unless(job, () => job.remove());
    return view;
  }

  private async dead(jobQueue: string, jobId: string): Promise<Job<unknown>> {
    const job: Job<unknown> | undefined = await this.queue(jobQueue).getJob(jobId);
    if (!job || !(await job.isFailed())) throw notDead(jobQueue, jobId);
    return job;
  }

  /** Of two who do this at once, one finds it gone. */
  private async unless({ id = '', queueName }: Job<unknown>, act: () => Promise<void>): Promise<void> {
    await act().catch(async (error: unknown) => {
      await this.dead(queueName, id);
      throw error;
    });
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
