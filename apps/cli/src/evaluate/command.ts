import { Option, type Command } from 'commander';
import { sides } from '../match-file/sides-option.js';
import { wholeNumber } from '../up/options.js';
import type { EvaluateOptions } from './evaluate.js';

const help = `
FILE is CSV, one match per line: match_id,time,teams,ranks,context[,shares]. Teams are separated by ; and their players by |,
rank 1 is best and equal ranks are a draw. A file that is not found is looked up in the folder MUSTER_DATA. This command needs
no running Muster and stores nothing.

Every model replays the file in order: it predicts a match, then rates it. The last 80 % of the decided matches are scored:
accuracy (share of winners that were favourites), log-loss (0.693 is a coin flip, less is better) and the Brier score (0.25
is a coin flip). Raw figures use the model's chances. Calibrated figures use the chances that Muster shows: scaled, and with
the effect of the situation, both learned from earlier matches.

The file defines situations: of two teams, the first and the second play different sides, and the first field of the context
(up to a colon) is the venue if it occurs more than once. Scoreboard places exist only where three or more players meet, each
for themselves. Models have their default parameters; kMax, the size of the largest team, is set from the file.

Exit code: 0 all rows counted, 1 error, 2 rows were refused (each is listed).

Example: npm run -s muster -- evaluate season-2024.csv --models all --plot season-2024.svg
         npm run -s muster -- evaluate football.csv --models elo,glicko2 --sides home,away --json`;

/** Defines the command `muster evaluate`. */
export function evaluateCommand(command: Command): void {
  command
    .description('Compare rating models on recorded matches: accuracy, log-loss, Brier score, calibration.')
    .argument('<file>', 'the recorded matches')
    .option('--models <names>', 'the models, separated by commas', 'all')
    .addOption(
      new Option('--aggregation <how>', 'comparison of teams of different size')
        .choices(['mean', 'sum', 'learned'])
        .default('learned'),
    )
    .option('--sides <first,second>', 'names of the sides of two teams, such as home,away', sides)
    .option('--no-situations', 'ignore sides and venues')
    .option('--plot <file>', 'draw the calibration of each model as SVG')
    .option('--limit <n>', 'read the first n rows only', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option('--json', 'one JSON object on standard output instead of a table', false)
    .addHelpText('after', help)
    .action(async (file: string, options: EvaluateOptions) => {
      const { evaluate } = await import('./evaluate.js');
      process.exitCode = await evaluate(file, options, process.env);
    });
}
