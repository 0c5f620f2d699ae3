import type { Command } from 'commander';
import { sides } from '../match-file/sides-option.js';
import { operatorOptions, poolName } from '../operator/options.js';
import { setting } from '../pool/settings.js';
import { wholeNumber } from '../up/options.js';
import type { ReplayOptions } from './replay.js';

const help = `
FILE is CSV, a match a line: match_id,time,teams,ranks,context[,shares]. Teams are separated by ; and their players by |,
rank 1 is best and equal ranks are a draw. Times without a zone are UTC. A name that is not found here is looked for in
the folder MUSTER_DATA. What was counted stays counted: running it again adds nothing, and goes on where it was stopped.

Shares say how much of the match each player took part in, from 0 to 1; 0 stands for not known. Situations are told by the
file: of two teams, the one named first plays another side than the one named second, and the first field of the context
(up to a colon) is the venue if it comes again. What a side or a venue is worth is then learned by the pool.

A pool that is not there is made, with --model and --set; one that is there keeps its own, and another one is refused.

Exit code: 0 all counted, 1 it could not run, 2 rows were refused (each is named), 130 stopped by Ctrl-C.

Examples: npm run -s muster -- replay season-2024.csv --pool season-2024
          npm run -s muster -- replay season-2024.csv --pool season-glicko --model glicko2 --set tau=0.5`;

/** Makes a command `muster replay`. @param defaultDataDir where a system on this machine keeps its data */
export function replayCommand(command: Command, defaultDataDir: string): void {
  command
    .description(
      'Rate recorded matches in a running Muster, oldest first, and say how well it predicted them.',
    )
    .argument('<file>', 'the recorded matches')
    .requiredOption('--pool <name>', 'the rating pool; made if it is not there', poolName)
    .option('--model <name>', 'of a pool that is made; "muster pool models" shows which there are')
    .option('--set <name=value>', 'a parameter of that model; may be given again', setting)
    .option('--sides <first,second>', 'names of the sides of two teams, such as home,away', sides)
    .option('--no-situations', 'take every match for its players alone: no sides, no venues')
    .option('--limit <n>', 'read the first n rows only', wholeNumber(1, Number.MAX_SAFE_INTEGER));
  operatorOptions(command, defaultDataDir, 'one JSON object on standard output instead of a table')
    .addHelpText('after', help)
    .action(async (file: string, options: ReplayOptions) => {
      const { replay } = await import('./replay.js');
      process.exitCode = await replay(file, options, process.env);
    });
}
