import { jobsRoot } from '@muster/redis';
import type { QueueOptions } from 'bullmq';
import { deadLettersKept } from './dead-letters.js';

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

/** Options of a queue. Nothing reads the stream of events that BullMQ writes for each queue: it is kept short. */
export const queueOptions = (realm: string): Omit<QueueOptions, 'connection'> => ({
  prefix: jobsRoot(realm),
  defaultJobOptions: jobOptions,
  streams: { events: { maxLen: 100 } },
});

/** `unless-dead`: for reminders, which recur: they never become dead letters. */
export type Keep = 'always' | 'unless-dead';

/** @returns options of a job in addition to those of its queue */
export const keepOptions = (keep: Keep): { removeOnFail?: true } =>
  keep === 'always' ? {} : { removeOnFail: true };
