import type { ParamsOf } from '@muster/contracts';
import type { Ask } from '@muster/command-line/operator/connection';
import { MusterProblem, type OperatorClient } from '@muster/sdk';

type JobQueue = ParamsOf<'retryDeadJob'>['jobQueue'];
type Act = 'retryDeadJob' | 'dropDeadJob';

/** Retries or deletes a dead letter, or with `--all` every one of a queue. */
export function actOnDead(act: Act) {
  return async (
    ask: Ask,
    { jobQueue, jobId }: { readonly jobQueue: JobQueue; readonly jobId?: string },
    { all }: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly jobQueue: string; readonly jobIds: readonly string[] }> => {
    if ((jobId === undefined) === (all !== true))
      throw new Error(`Name one job, or give --all for every dead letter of ${jobQueue}.`);
    if (jobId === undefined)
      return { jobQueue, jobIds: await ask((operator) => actOnAll(operator, jobQueue, act)) };
    await ask((operator) => operator[act](jobQueue, jobId));
    return { jobQueue, jobIds: [jobId] };
  };
}

async function actOnAll(operator: OperatorClient, jobQueue: string, act: Act): Promise<string[]> {
  const done = new Set<string>();
  for (;;) {
    const { jobs } = await operator.deadJobs(jobQueue, { limit: 500 });
    // A retried job may fail again: each is retried once.
    const fresh = jobs.map(({ jobId }) => jobId).filter((jobId) => !done.has(jobId));
    if (fresh.length === 0) return [...done];
    const acted = fresh.map((jobId) =>
      operator[act](jobQueue, jobId).catch((error: unknown) => {
        // Another caller was faster.
        if (!(error instanceof MusterProblem && error.code === 'job-not-found')) throw error;
      }),
    );
    await Promise.all(acted);
    for (const jobId of fresh) done.add(jobId);
  }
}
