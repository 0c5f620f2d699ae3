import { jobQueues } from '@muster/contracts';
import { Argument, InvalidArgumentError, type Command } from 'commander';
import { operatorCommands } from '@muster/command-line/operator/define';
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

/** Defines the command `muster jobs`. @param defaultDataDir the data directory of a local system */
export function jobsCommand(jobs: Command, defaultDataDir: string): void {
  const queue = (): Argument => new Argument('<queue>', 'the job queue').choices(Object.values(jobQueues));
  const acting = (name: string, description: string): Command =>
    jobs
      .command(name)
      .description(description)
      .addArgument(queue())
      .argument('[job]', 'the job’s id', jobId)
      .option('--all', 'every dead letter of the queue', false);
  const define = operatorCommands(defaultDataDir);
  jobs.description('Show jobs between services, and handle dead letters.').addHelpText('after', help);
  define(
    jobs
      .command('queues', { isDefault: true })
      .description('Count waiting jobs, retries and dead letters of every job queue.'),
    async () => (await import('./jobs.js')).showQueues,
  );
  define(
    jobs
      .command('list')
      .description('List the dead letters of a job queue, latest first.')
      .addArgument(queue())
      .option('--limit <n>', 'maximum number', wholeNumber(1, 500), 50),
    async () => (await import('./jobs.js')).listDead,
  );
  define(
    jobs
      .command('show')
      .description('Show one dead letter with its payload.')
      .addArgument(queue())
      .argument('<job>', 'the job’s id', jobId),
    async () => (await import('./jobs.js')).showDead,
  );
  define(acting('retry', 'Retry a dead letter.'), async () => (await import('./jobs.js')).retryDead);
  define(acting('drop', 'Delete a dead letter.'), async () => (await import('./jobs.js')).dropDead);
}

function jobId(text: string): string {
  if (!/^[\w.@~-]{1,200}$/.test(text))
    throw new InvalidArgumentError('Give the id of a job, as "muster jobs list" shows it.');
  return text;
}
