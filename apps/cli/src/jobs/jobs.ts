import type { DeadJob, JobQueueView } from '@muster/contracts';
import { MusterProblem, type OperatorClient } from '@muster/sdk';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import type { Ink } from '@muster/command-line/terminal/ink';
import { moment } from '@muster/command-line/terminal/moment';
import { boldTable, counted, right } from '@muster/command-line/terminal/table';

/** The maximum number of dead letters per call. */
const page = 500;

/** Tells of the job queues. */
export async function showQueues(ask: Ask): Promise<Answer> {
  const { queues } = await ask((operator) => operator.jobQueues());
  return { json: { queues }, text: (ink) => queuesText(queues, ink) };
}

/** Tells of the dead letters of a queue. */
export async function listDead(
  ask: Ask,
  jobQueue: string,
  { limit }: { readonly limit: number },
): Promise<Answer> {
  const { jobs } = await ask((operator) => operator.deadJobs(jobQueue, { limit }));
  return { json: { jobs }, text: (ink) => deadText(jobQueue, jobs, ink) };
}

/** Tells of one dead letter. */
export async function showDead(ask: Ask, jobQueue: string, jobId: string): Promise<Answer> {
  const job = await ask((operator) => operator.deadJob(jobQueue, jobId));
  return { json: job, text: () => jobText(job) };
}

/** Retries dead letters. */
export const retryDead = acting('retry', 'retried', (operator, jobQueue, jobId) =>
  operator.retryDeadJob(jobQueue, jobId),
);

/** Deletes dead letters. */
export const dropDead = acting('drop', 'forgotten', (operator, jobQueue, jobId) =>
  operator.dropDeadJob(jobQueue, jobId),
);

function acting(
  name: string,
  done: string,
  act: (operator: OperatorClient, jobQueue: string, jobId: string) => Promise<unknown>,
) {
  return async (
    ask: Ask,
    jobQueue: string,
    jobId: string | undefined,
    { all }: { readonly all: boolean },
  ): Promise<Answer> => {
    if ((jobId === undefined) !== all)
      throw new Error(`Name one job, or all of the queue with --all: muster jobs ${name} ${jobQueue} --all`);
    const jobIds = await ask(async (operator) => {
      if (jobId === undefined) return actOnAll(operator, jobQueue, act);
      await act(operator, jobQueue, jobId);
      return [jobId];
    });
    const text = `${counted(jobIds.length, 'dead letter')} of ${jobQueue}: ${done}.`;
    return { json: { jobQueue, jobIds }, text: () => [text] };
  };
}

async function actOnAll(
  operator: OperatorClient,
  jobQueue: string,
  act: (operator: OperatorClient, jobQueue: string, jobId: string) => Promise<unknown>,
): Promise<string[]> {
  const done = new Set<string>();
  for (;;) {
    const { jobs } = await operator.deadJobs(jobQueue, { limit: page });
    // A retried job may fail again: each is retried once.
    const fresh = jobs.map(({ jobId }) => jobId).filter((jobId) => !done.has(jobId));
    if (fresh.length === 0) return [...done];
    const acted = fresh.map((jobId) =>
      act(operator, jobQueue, jobId).catch((error: unknown) => {
        // Another caller was faster.
        if (!(error instanceof MusterProblem && error.code === 'job-not-found')) throw error;
      }),
    );
    await Promise.all(acted);
    for (const jobId of fresh) done.add(jobId);
  }
}

/** The job queues as a table. */
export function queuesText(queues: readonly JobQueueView[], ink: Ink): string[] {
  return boldTable(
    ink,
    ['queue', ...right('waiting', 'active', 'delayed', 'dead')],
    queues.map(({ jobQueue, waiting, active, delayed, dead }) => [
      jobQueue,
      ...[waiting, active, delayed, dead].map(String),
    ]),
  );
}

/** Dead letters as a table. */
export function deadText(jobQueue: string, jobs: readonly DeadJob[], ink: Ink): string[] {
  if (jobs.length === 0) return [`There are no dead letters of ${jobQueue}.`];
  return boldTable(
    ink,
    ['job', 'dead since', ...right('attempts'), 'why'],
    jobs.map(({ jobId, deadAt, attempts, reason }) => [
      jobId,
      moment(deadAt),
      String(attempts),
      reason.split('\n')[0] ?? '',
    ]),
  );
}

function jobText({ jobQueue, jobId, createdAt, deadAt, attempts, reason, payload }: DeadJob): string[] {
  return [
    `${jobQueue} ${jobId}`,
    `created ${moment(createdAt)}, dead since ${moment(deadAt)}, after ${counted(attempts, 'attempt')}`,
    reason,
    JSON.stringify(payload, null, 2),
  ];
}
