import { Option, type Command } from 'commander';
import { sides } from '../match-file/sides-option.js';
import { wholeNumber } from '../up/options.js';
import type { EvaluateOptions } from './evaluate.js';

const help = `
FILE is CSV, a match a line: match_id,time,teams,ranks,context[,shares]. Teams are separated by ; and their players by |,
rank 1 is best and equal ranks are a draw. A name that is not found here is looked for in the folder MUSTER_DATA. Nothing
needs to run, and nothing is kept.

Every model goes through the file as it happened: it predicts a match, then rates it. What is scored is the last 80 % of
the decided matches: accuracy (share of winners that were favourites), log-loss (0.693 is a coin flip, less is better)
and the Brier score (0.25 is a coin flip). Raw figures take the model by its word. Calibrated ones are what Muster shows
and uses: scaled, and with the worth of the situation, both learned from the matches before.

Situations are told by the file: of two teams, the one named first plays another side than the one named second, and the
first field of the context (up to a colon) is the venue if it comes again. Places on a scoreboard are told only where three
or more players meet, each for themselves. Models have their default parameters; one that must know the size of the largest
team (kMax) is told it.

Exit code: 0 all counted, 1 it could not run, 2 rows were refused (each is named).

Example: npm run -s muster -- evaluate season-2024.csv --models all --plot season-2024.svg
         npm run -s muster -- evaluate football.csv --models elo,glicko2 --sides home,away --json`;

/** Makes a command `muster evaluate`. */
export function evaluateCommand(command: Command): void {
  command
    .description(
      'Say which rating model predicts recorded matches best: accuracy, log-loss, Brier score, calibration.',
    )
    .argument('<file>', 'the recorded matches')
    .option('--models <names>', 'which models, with commas between', 'all')
    .addOption(
      new Option('--aggregation <how>', 'how teams of different size meet')
        .choices(['mean', 'sum', 'learned'])
        .default('learned'),
    )
    .option('--sides <first,second>', 'names of the sides of two teams, such as home,away', sides)
    .option('--no-situations', 'take every match for its players alone: no sides, no venues')
    .option('--plot <file>', 'draw the calibration of each model as SVG')
    .option('--limit <n>', 'read the first n rows only', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option('--json', 'one JSON object on standard output instead of a table', false)
    .addHelpText('after', help)
    .action(async (file: string, options: EvaluateOptions) => {
      const { evaluate } = await import('./evaluate.js');
      process.exitCode = await evaluate(file, options, process.env);
    });
}
