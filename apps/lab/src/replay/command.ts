import type { Command } from 'commander';
import { sides } from '../match-file/sides-option.js';
import { operatorOptions, poolName } from '@muster/command-line/operator/options';
import { setting } from '@muster/command-line/options/settings';
import { wholeNumber } from '@muster/command-line/options/values';
import type { ReplayOptions } from './replay.js';

const help = `
FILE is CSV, one match per line: match_id,time,teams,ranks,context[,shares]. Teams are separated by ; and their players by |,
rank 1 is best and equal ranks are a draw. Times without a zone are UTC. A file that is not found is looked up in the folder
MUSTER_DATA. Each match counts once: a second run adds nothing, and resumes where the first stopped.

Shares are each player's share of the match, from 0 to 1; 0 means unknown. The file defines situations: of two teams, the
first and the second play different sides, and the first field of the context (up to a colon) is the venue if it occurs more
than once. The pool learns the effect of sides and venues.

A missing pool is created, with --model and --set. An existing pool keeps its model, and a different one is refused.

Exit code: 0 all rows counted, 1 error, 2 rows were refused (each is listed), 130 stopped by Ctrl-C.

Examples: npm run -s muster -- replay season-2024.csv --pool season-2024
          npm run -s muster -- replay season-2024.csv --pool season-glicko --model glicko2 --set tau=0.5`;

/** Defines the command `muster replay`. @param defaultDataDir the data directory of a local system */
export function replayCommand(command: Command, defaultDataDir: string): void {
  command
    .argument('<file>', 'the recorded matches')
    .requiredOption('--pool <name>', 'the rating pool; created if missing', poolName)
    .option('--model <name>', 'the model of a new pool; "muster pools models" lists them')
    .option('--set <name=value>', 'a parameter of that model; repeatable', setting)
    .option('--sides <first,second>', 'names of the sides of two teams, such as home,away', sides)
    .option('--no-situations', 'ignore sides and venues')
    .option('--limit <n>', 'read the first n rows only', wholeNumber(1, Number.MAX_SAFE_INTEGER));
  operatorOptions(command, defaultDataDir, 'one JSON object on standard output instead of a table')
    .addHelpText('after', help)
    .action(async (file: string, options: ReplayOptions) => {
      const { replay } = await import('./replay.js');
      process.exitCode = await replay(file, options, process.env);
    });
}
