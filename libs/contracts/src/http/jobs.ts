import { z } from 'zod';
import { jobQueues } from '../job-queues.js';
import { wholeInUrl } from '../query-numbers.js';
import { EpochMs } from '../times.js';

const count = z.number().int().min(0);

export const JobQueueName = z.enum(jobQueues).meta({ description: 'A queue of jobs between services.' });

export const JobQueueView = z
  .object({
    jobQueue: z.string(),
    waiting: count,
    active: count.meta({ description: 'Jobs in progress.' }),
    delayed: count.meta({ description: 'Failed jobs that will be retried.' }),
    dead: count.meta({ description: 'Dead letters.' }),
  })
  .meta({ id: 'JobQueue' });
export type JobQueueView = z.infer<typeof JobQueueView>;
export const JobQueueList = z.object({ queues: z.array(JobQueueView) }).meta({ id: 'JobQueues' });

export const DeadJob = z
  .object({
    jobQueue: z.string(),
    jobId: z.string(),
    createdAt: EpochMs,
    deadAt: EpochMs.meta({ description: 'Time of the last attempt.' }),
    attempts: count,
    reason: z.string().meta({ description: 'Error of the last attempt.' }),
    payload: z.unknown().meta({ description: 'Payload of the job.' }),
  })
  .meta({ id: 'DeadJob' });
export type DeadJob = z.infer<typeof DeadJob>;
export const DeadJobList = z
  .object({ jobs: z.array(DeadJob).meta({ description: 'Latest first.' }) })
  .meta({ id: 'DeadJobs' });

export const JobQueueParams = z.strictObject({ jobQueue: JobQueueName });
export const DeadJobParams = z.strictObject({
  jobQueue: JobQueueName,
  jobId: z.string().regex(/^[\w.@~-]{1,200}$/, 'is not the id of a job'),
});
export const PageOfDeadJobs = z.strictObject({ limit: wholeInUrl(1, 500).default(50) });
