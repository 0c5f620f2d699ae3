import { jobQueues } from '@muster/contracts';
import { Argument, InvalidArgumentError, type Command } from 'commander';
import { operatorOptions, type OperatorOptions } from '@muster/command-line/operator/options';
import { wholeNumber } from '@muster/command-line/options/values';

const help = `
Services send each other jobs. A failed job is retried with growing back-off. After its last attempt it becomes a dead letter,
and so does a job that no replica understood for an hour. Dead letters are kept for 30 days, 10,000 per queue. "retry" tries
one again with all its attempts; "drop" deletes it.

Examples: npm run -s muster -- jobs
          npm run -s muster -- jobs list form-teams
          npm run -s muster -- jobs show form-teams mat_x7Yc0p2n
          npm run -s muster -- jobs retry form-teams mat_x7Yc0p2n
          npm run -s muster -- jobs retry ticket-news --all
          npm run -s muster -- jobs drop form-teams --all`;

/** The dead letters that a command acts on. */
export interface ActOptions extends OperatorOptions {
  readonly all: boolean;
}

/** Defines the command `muster jobs`. @param defaultDataDir the data directory of a local system */
export function jobsCommand(jobs: Command, defaultDataDir: string): void {
  const queue = (): Argument => new Argument('<queue>', 'the job queue').choices(Object.values(jobQueues));
  jobs.description('Show jobs between services, and handle dead letters.').addHelpText('after', help);
  operatorOptions(
    jobs
      .command('queues', { isDefault: true })
      .description('Count waiting jobs, retries and dead letters of every job queue.'),
    defaultDataDir,
  ).action(async (options: OperatorOptions) => {
    const { showQueues } = await import('./jobs.js');
    await showQueues(options, process.env);
  });

  operatorOptions(
    jobs
      .command('list')
      .description('List the dead letters of a job queue, latest first.')
      .addArgument(queue())
      .option('--limit <n>', 'maximum number', wholeNumber(1, 500), 50),
    defaultDataDir,
  ).action(async (name: string, options: OperatorOptions & { readonly limit: number }) => {
    const { listDead } = await import('./jobs.js');
    await listDead(name, options, process.env);
  });

  operatorOptions(
    jobs
      .command('show')
      .description('Show one dead letter with its payload.')
      .addArgument(queue())
      .argument('<job>', 'the job’s id', jobId),
    defaultDataDir,
  ).action(async (name: string, id: string, options: OperatorOptions) => {
    const { showDead } = await import('./jobs.js');
    await showDead(name, id, options, process.env);
  });

  for (const [act, description] of [
    ['retry', 'Retry a dead letter.'],
    ['drop', 'Delete a dead letter.'],
  ] as const)
    operatorOptions(
      jobs
        .command(act)
        .description(description)
        .addArgument(queue())
        .argument('[job]', 'the job’s id', jobId)
        .option('--all', 'every dead letter of the queue', false),
      defaultDataDir,
    ).action(async (name: string, id: string | undefined, options: ActOptions) => {
      const { actOnDead } = await import('./jobs.js');
      await actOnDead(act, name, id, options, process.env);
    });
}

function jobId(text: string): string {
  if (!/^[\w.@~-]{1,200}$/.test(text))
    throw new InvalidArgumentError('Give the id of a job, as "muster jobs list" shows it.');
  return text;
}
