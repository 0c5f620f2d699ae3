import type { JobQueue, Meter } from '@muster/contracts';
import { DelayedError, UnrecoverableError } from 'bullmq';

/**
 * Works on a job, counts its outcome and times it.
 *
 * @param work returns the number of items of the job that failed and became jobs of their own
 */
export async function measuredWork(
  queue: JobQueue,
  meter: Meter,
  work: () => Promise<number>,
): Promise<void> {
  const since = performance.now();
  let outcome = 'done';
  try {
    const failed = await work();
    if (failed > 0) meter.count('jobsHandled', { job_queue: queue, outcome: 'retried' }, failed);
  } catch (error) {
    outcome = outcomeOf(error);
    throw error;
  } finally {
    meter.count('jobsHandled', { job_queue: queue, outcome });
    meter.observe('jobDuration', { job_queue: queue }, (performance.now() - since) / 1_000);
  }
}

/** As BullMQ understands what a processor throws. */
function outcomeOf(error: unknown): string {
  if (error instanceof DelayedError) return 'delayed';
  return error instanceof UnrecoverableError ? 'dead' : 'retried';
}
