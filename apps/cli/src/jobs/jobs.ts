import type { DeadJob, JobQueueView } from '@muster/contracts';
import { MusterProblem, type OperatorClient } from '@muster/sdk';
import { callMuster } from '@muster/command-line/operator/connection';
import type { OperatorOptions } from '@muster/command-line/operator/options';
import { print } from '@muster/command-line/operator/output';
import { inkFor, type Ink } from '@muster/command-line/terminal/ink';
import { moment } from '@muster/command-line/terminal/moment';
import { counted, tableLines } from '@muster/command-line/terminal/table';
import type { ActOptions } from './command.js';

/** The maximum number of dead letters per call. */
const page = 500;

/** Prints the job queues. @throws Error with a user-facing message */
export async function showQueues(options: OperatorOptions, env: NodeJS.ProcessEnv): Promise<void> {
  const { queues } = await callMuster(options, env, (operator) => operator.jobQueues());
  print(options.json, { queues }, () => queuesText(queues, inkFor(process.stdout, env)));
}

/** Prints the dead letters of a queue. @throws Error with a user-facing message */
export async function listDead(
  jobQueue: string,
  { limit, ...options }: OperatorOptions & { readonly limit: number },
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { jobs } = await callMuster(options, env, (operator) => operator.deadJobs(jobQueue, { limit }));
  print(options.json, { jobs }, () => deadText(jobQueue, jobs, inkFor(process.stdout, env)));
}

/** Prints one dead letter. @throws Error with a user-facing message */
export async function showDead(
  jobQueue: string,
  jobId: string,
  options: OperatorOptions,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const job = await callMuster(options, env, (operator) => operator.deadJob(jobQueue, jobId));
  print(options.json, job, () => jobText(job));
}

/** Retries or deletes dead letters. @throws Error with a user-facing message */
export async function actOnDead(
  act: 'retry' | 'drop',
  jobQueue: string,
  jobId: string | undefined,
  options: ActOptions,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  if ((jobId === undefined) !== options.all)
    throw new Error(`Name one job, or all of the queue with --all: muster jobs ${act} ${jobQueue} --all`);
  const jobIds = await callMuster(options, env, (operator) =>
    jobId === undefined ? actOnAll(operator, act, jobQueue) : actOn(operator, act, jobQueue, [jobId]),
  );
  const done = act === 'retry' ? 'retried' : 'forgotten';
  print(options.json, { jobQueue, jobIds }, () => [
    `${counted(jobIds.length, 'dead letter')} of ${jobQueue}: ${done}.`,
  ]);
}

async function actOnAll(
  operator: OperatorClient,
  act: 'retry' | 'drop',
  jobQueue: string,
): Promise<string[]> {
  const done = new Set<string>();
  for (;;) {
    const { jobs } = await operator.deadJobs(jobQueue, { limit: page });
    // A retried job may fail again: each is retried once.
    const fresh = jobs.map(({ jobId }) => jobId).filter((jobId) => !done.has(jobId));
    if (fresh.length === 0) return [...done];
    const acted = fresh.map((jobId) =>
      actOn(operator, act, jobQueue, [jobId]).catch((error: unknown) => {
        // Another caller was faster.
        if (!(error instanceof MusterProblem && error.code === 'job-not-found')) throw error;
      }),
    );
    await Promise.all(acted);
    for (const jobId of fresh) done.add(jobId);
  }
}

async function actOn(
  operator: OperatorClient,
  act: 'retry' | 'drop',
  jobQueue: string,
  jobIds: readonly string[],
): Promise<string[]> {
  const acted: string[] = [];
  for (const jobId of jobIds) {
    if (act === 'retry') await operator.retryDeadJob(jobQueue, jobId);
    else await operator.dropDeadJob(jobQueue, jobId);
    acted.push(jobId);
  }
  return acted;
}

/** The job queues as a table. */
export function queuesText(queues: readonly JobQueueView[], ink: Ink): string[] {
  const [heads = '', ...rows] = tableLines(
    [
      { head: 'queue' },
      { head: 'waiting', right: true },
      { head: 'active', right: true },
      { head: 'delayed', right: true },
      { head: 'dead', right: true },
    ],
    queues.map(({ jobQueue, ...counts }) => [
      jobQueue,
      ...[counts.waiting, counts.active, counts.delayed, counts.dead].map(String),
    ]),
  );
  return [ink.bold(heads), ...rows];
}

/** Dead letters as a table. */
export function deadText(jobQueue: string, jobs: readonly DeadJob[], ink: Ink): string[] {
  if (jobs.length === 0) return [`There are no dead letters of ${jobQueue}.`];
  const [heads = '', ...rows] = tableLines(
    [{ head: 'job' }, { head: 'dead since' }, { head: 'attempts', right: true }, { head: 'why' }],
    jobs.map(({ jobId, deadAt, attempts, reason }) => [
      jobId,
      moment(deadAt),
      String(attempts),
      reason.split('\n')[0] ?? '',
    ]),
  );
  return [ink.bold(heads), ...rows];
}

function jobText({ jobQueue, jobId, createdAt, deadAt, attempts, reason, payload }: DeadJob): string[] {
  return [
    `${jobQueue} ${jobId}`,
    `created ${moment(createdAt)}, dead since ${moment(deadAt)}, after ${counted(attempts, 'attempt')}`,
    reason,
    JSON.stringify(payload, null, 2),
  ];
}
