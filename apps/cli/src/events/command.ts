import { asking } from '@muster/command-line/operator/connection';
import { operatorOptions, type OperatorOptions } from '@muster/command-line/operator/options';
import { stopOnSignal } from '@muster/command-line/terminal/stop-on-signal';
import type { Command } from 'commander';
import { shown } from '../calls/answers.js';
import { take } from '../calls/take.js';

const help = `
Prints events as they happen, one a line. The first column is the position: --after continues there, and --after 0 begins with
the oldest event that is kept. Without --follow it ends when there are no more.

Examples: muster events --follow
          muster events --follow --types match.*,rating.changed --json
          muster events --after 0 --types server.lost`;

interface EventOptions extends OperatorOptions {
  readonly follow: boolean;
  /** With commas. */
  readonly types?: string;
  readonly after?: number;
}

/** Defines the command `muster events`. @param defaultDataDir the data directory of a local system */
export function eventsCommand(command: Command, defaultDataDir: string): void {
  command.description('Print events: matches, results, ratings, penalties, servers and more.');
  take(command, 'streamEvents', {});
  operatorOptions(command, defaultDataDir, 'one JSON object per line and event')
    .option('--follow', 'go on until Ctrl-C', false)
    .addHelpText('after', help)
    .action((options: EventOptions) => printEvents(options, process.env));
}

/** Without `--follow`: a stream that is quiet for this time has no more. */
const quietMs = 2_000;

/** Prints events until a signal, or until there are no more. */
async function printEvents(options: EventOptions, env: NodeJS.ProcessEnv): Promise<void> {
  const { follow, types, after, json } = options;
  const stopping = new AbortController();
  const stop = stopOnSignal(() => stopping.abort());
  const quiet = follow ? null : setTimeout(() => stopping.abort(), quietMs);
  const signal = AbortSignal.any([stop, stopping.signal]);
  const trouble = (): void => void process.stderr.write('muster: the stream broke, and is resumed\n');
  const ask = asking(options, env);
  await ask(async (operator) => {
    for await (const event of operator.followEvents({ types: types?.split(','), after, signal, trouble })) {
      quiet?.refresh();
      const { position, timestamp, type, data } = event;
      const line = json ? JSON.stringify(event) : [position, timestamp, type, shown('data', data)].join(' ');
      process.stdout.write(`${line}\n`);
    }
  }).finally(() => clearTimeout(quiet ?? undefined));
}
