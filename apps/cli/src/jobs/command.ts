import { jobQueues } from '@muster/contracts';
import { Argument, InvalidArgumentError, type Command } from 'commander';
import { operatorOptions, type OperatorOptions } from '../operator/options.js';
import { wholeNumber } from '../up/options.js';

const help = `
Services send one another jobs. A job that fails is tried again, after longer and longer pauses; once its attempts are used up it
becomes a dead letter, and so does one that no replica understood for an hour. Dead letters are kept for 30 days, 10,000 a queue.
"retry" has one tried again with all its attempts; "drop" forgets it.

Examples: npm run -s muster -- jobs
          npm run -s muster -- jobs list form-teams
          npm run -s muster -- jobs show form-teams mat_x7Yc0p2n
          npm run -s muster -- jobs retry form-teams mat_x7Yc0p2n
          npm run -s muster -- jobs retry ticket-news --all
          npm run -s muster -- jobs drop form-teams --all`;

/** Which dead letters a command is about. */
export interface ActOptions extends OperatorOptions {
  readonly all: boolean;
}

/** Makes a command `muster jobs`. @param defaultDataDir where a system on this machine keeps its data */
export function jobsCommand(jobs: Command, defaultDataDir: string): void {
  const queue = (): Argument => new Argument('<queue>', 'the job queue').choices(Object.values(jobQueues));
  jobs.description('Jobs between services: how many wait, and the dead letters.').addHelpText('after', help);
  operatorOptions(
    jobs
      .command('queues', { isDefault: true })
      .description('The job queues: how many jobs wait, are tried again, or are dead.'),
    defaultDataDir,
  ).action(async (options: OperatorOptions) => {
    const { showQueues } = await import('./jobs.js');
    await showQueues(options, process.env);
  });

  operatorOptions(
    jobs
      .command('list')
      .description('The dead letters of a job queue, the latest first.')
      .addArgument(queue())
      .option('--limit <n>', 'so many', wholeNumber(1, 500), 50),
    defaultDataDir,
  ).action(async (name: string, options: OperatorOptions & { readonly limit: number }) => {
    const { listDead } = await import('./jobs.js');
    await listDead(name, options, process.env);
  });

  operatorOptions(
    jobs
      .command('show')
      .description('One dead letter, with what it says.')
      .addArgument(queue())
      .argument('<job>', 'the job’s id', jobId),
    defaultDataDir,
  ).action(async (name: string, id: string, options: OperatorOptions) => {
    const { showDead } = await import('./jobs.js');
    await showDead(name, id, options, process.env);
  });

  for (const [act, description] of [
    ['retry', 'Have a dead letter tried again.'],
    ['drop', 'Forget a dead letter.'],
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
