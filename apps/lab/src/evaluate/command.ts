import { Option, type Command } from 'commander';
import { sides } from '../match-file/sides-option.js';
import { aspectsOption } from '@muster/command-line/options/aspects';
import { setting } from '@muster/command-line/options/settings';
import { wholeNumber } from '@muster/command-line/options/values';
import type { EvaluateOptions } from './evaluate.js';

const help = `
FILE is CSV, one match per line: match_id,time,teams,ranks,context[,shares]. Teams are separated by ; and their players by |,
rank 1 is best and equal ranks are a draw. A time is 2004-07-13T17:02:13 (UTC), 2004-07-13, 20040713 or 2004; any text is an
id. A file that is not found is looked up in the folder MUSTER_DATA. This command needs no running Muster and stores nothing.

Every model replays the file in order: it predicts a match, then rates it. The last 80 % of the decided matches are scored:
accuracy (share of winners that were favourites), log-loss (0.693 is a coin flip, less is better) and the Brier score (0.25
is a coin flip). Raw figures use the model's chances. Calibrated figures use the chances that Muster shows: scaled, and with
the effect of the situation, both learned from earlier matches.

The file defines situations: of two teams, the first and the second play different sides, and the first field of the context
(up to a colon) is the venue if it occurs more than once. A context of two teams that ends in a score, such as Oval:94-66,
gives it to models with a margin (--set margin=40), if it agrees with the ranks in nine of ten matches. Scoreboard places exist only where three or more players meet, each
for themselves. Models have their default parameters; kMax, the size of the largest team, is set from the file. --set
name=value sets a parameter of every model that has it; "muster pools models" shows which there are.

A pool does more than this evaluation: it learns the effect of maps and parties, it replaces a calibration only by one that
predicts its last matches better, time without a match may change its ratings, and newcomers may be placed by a search. "muster
pool tune" chooses a pool's rules; "muster pools health" shows how well a pool predicts.

--aspects also rates players by side or venue, each with the standard deviation of what it adds to a team's log-odds; "muster
pool tune" tries several strengths and prints the gain of each.

--predictions writes one line for each scored match and model: model,match_id,line,ranks,raw,calibrated, where ranks and
chances are by team, separated by ;. With a name that ends in .json or .jsonl it writes lines of JSON.

Exit code: 0 all rows counted, 1 error, 2 rows were refused (each kind of error is listed, with its first line).

Example: npm run -s muster -- evaluate season-2024.csv --models all --plot season-2024.svg
         npm run -s muster -- evaluate football.csv --models elo,glicko2 --sides home,away --json
         npm run -s muster -- evaluate football.csv --models elo --set k=24 --predictions football-elo.csv`;

/** Defines the command `muster evaluate`. */
export function evaluateCommand(command: Command): void {
  command
    .argument('<file>', 'the recorded matches')
    .option('--models <names>', 'the models, separated by commas', 'all')
    .option('--set <name=value>', 'a parameter of the models; repeatable', setting)
    .addOption(
      new Option('--aggregation <how>', 'comparison of teams of different size')
        .choices(['mean', 'sum', 'learned'])
        .default('learned'),
    )
    .option('--sides <first,second>', 'names of the sides of two teams, such as home,away', sides)
    .option(
      '--aspects <list>',
      'also rate players by side or venue, with its strength, such as side=0.3',
      aspectsOption,
    )
    .option('--no-situations', 'ignore sides and venues')
    .option('--plot <file>', 'draw the calibration of each model as SVG')
    .option('--predictions <file>', 'write each scored prediction, as CSV or as lines of JSON')
    .option('--limit <n>', 'read the first n rows only', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option('--threads <n>', 'threads that evaluate models (default: one for each core)', wholeNumber(1, 256))
    .option('--json', 'one JSON object on standard output instead of a table', false)
    .addHelpText('after', help)
    .action(async (file: string, options: EvaluateOptions) => {
      const { evaluate } = await import('./evaluate.js');
      process.exitCode = await evaluate(file, options, process.env);
    });
}
