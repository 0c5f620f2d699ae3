import { PoolName } from '@muster/contracts';
import { InvalidArgumentError, type Command } from 'commander';
import { directory, wholeNumber } from '../up/options.js';
import type { ReplayOptions } from './replay.js';

const help = `
FILE is CSV, a match a line: match_id,time,teams,ranks,context[,shares]. Teams are separated by ; and their players by |,
rank 1 is best and equal ranks are a draw. Times without a zone are UTC. A name that is not found here is looked for in
the folder MUSTER_DATA. What was counted stays counted: running it again adds nothing, and goes on where it was stopped.

Exit code: 0 all counted, 1 it could not run, 2 rows were refused (each is named), 130 stopped by Ctrl-C.

Example: npm run -s muster -- replay season-2024.csv --pool season-2024`;

/** Makes a command `muster replay`. @param defaultDataDir where a system on this machine keeps its data */
export function replayCommand(command: Command, defaultDataDir: string): void {
  command
    .description(
      'Rate recorded matches in a running Muster, oldest first, and say how well it predicted them.',
    )
    .argument('<file>', 'the recorded matches')
    .requiredOption('--pool <name>', 'the rating pool; made if it is not there', poolName)
    .option(
      '--url <origin>',
      'of Muster (default: MUSTER_URL, else what runs here, else http://127.0.0.1:8080)',
    )
    .option(
      '--operator-key <key>',
      'the operator key (default: MUSTER_OPERATOR_KEY, else the one in the data directory)',
    )
    .option('--data-dir <dir>', 'of the Muster that runs here', directory, defaultDataDir)
    .option('--limit <n>', 'read the first n rows only', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option('--json', 'one JSON object on standard output instead of a table', false)
    .addHelpText('after', help)
    .action(async (file: string, options: ReplayOptions) => {
      const { replay } = await import('./replay.js');
      process.exitCode = await replay(file, options, process.env);
    });
}

function poolName(text: string): string {
  const [issue] = PoolName.safeParse(text).error?.issues ?? [];
  if (issue) throw new InvalidArgumentError(`The name of a pool ${issue.message}.`);
  return text;
}
