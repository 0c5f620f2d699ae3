import * as jobs from '../http/jobs.js';
import { endpointsOf } from './endpoint.js';

/** Jobs between services, for operators. The queue service answers for all of them. */
export const jobEndpoints = endpointsOf('queue', {
  listJobQueues: {
    call: 'GET /v1/jobs',
    summary: 'Count waiting jobs, retries and dead letters of every job queue.',
    callers: ['operator'],
    role: 'viewer',
    answer: jobs.JobQueueList,
  },
  listDeadJobs: {
    call: 'GET /v1/jobs/:jobQueue/dead',
    summary: 'List the dead letters of a job queue, latest first.',
    callers: ['operator'],
    role: 'viewer',
    params: jobs.JobQueueParams,
    query: jobs.PageOfDeadJobs,
    answer: jobs.DeadJobList,
  },
  readDeadJob: {
    call: 'GET /v1/jobs/:jobQueue/dead/:jobId',
    summary: 'Read one dead letter.',
    callers: ['operator'],
    role: 'viewer',
    params: jobs.DeadJobParams,
    answer: jobs.DeadJob,
    problems: ['job-not-found'],
  },
  retryDeadJob: {
    call: 'POST /v1/jobs/:jobQueue/dead/:jobId/retry',
    summary: 'Retry a dead letter with all its attempts. Returns it.',
    callers: ['operator'],
    role: 'operator',
    params: jobs.DeadJobParams,
    answer: jobs.DeadJob,
    problems: ['job-not-found'],
  },
  dropDeadJob: {
    call: 'DELETE /v1/jobs/:jobQueue/dead/:jobId',
    summary: 'Delete a dead letter. Returns it.',
    callers: ['operator'],
    role: 'operator',
    params: jobs.DeadJobParams,
    answer: jobs.DeadJob,
    problems: ['job-not-found'],
  },
});
