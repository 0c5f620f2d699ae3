import { InvalidArgumentError, Option, type Command } from 'commander';
import { numberLike, wholeNumber } from '@muster/command-line/options/values';
import type { SimulateOptions } from './simulate.js';

const help = `
RULES is a rules document (YAML or JSON; FILE:NAME selects one queue of several), or the name of a built-in queue: 5v5, 1v1.

A population is a preset, such as 5v5-300 (a mode, 5v5 or 1v1, and the number of concurrent players: 30, 100, 300, 1k, 3k, 10k,
30k, 100k, 500k), or a file that changes one; docs/simulator.md shows one. Players arrive by the hour, queue, cancel, are
matched, split, rated and queue again in virtual time, with the production code. The same seed gives the same figures, and the
same players to every matcher.

--compare and --baselines trace curves: each matcher runs with the opening times of its skill and team-gap windows multiplied
by each factor. A day of 10,000 players takes about a minute per point of a curve; --days 0.1 is a tenth of a day, and
--start-hour the hour (UTC) at which it begins.

Example: npm run -s muster -- simulate 5v5 --population 5v5-300 --out report.html
         npm run -s muster -- simulate rules.yaml --compare new-rules.yaml --population 5v5-1k --svg curves.svg
         npm run -s muster -- simulate 5v5 --population 5v5-10k --days 0.2 --start-hour 18 --baselines --json`;

/** Defines the command `muster simulate`. */
export function simulateCommand(command: Command): void {
  command
    .argument('<rules>', 'a rules document, or a built-in queue')
    .requiredOption('--population <preset|file>', 'the population')
    .option('--days <n>', 'measured days', positive, 1)
    .option('--seed <n>', 'seed of all random numbers', wholeNumber(0, 2 ** 32 - 1), 1)
    .option('--warm-up <hours>', 'hours played before the measurement', notNegative, 1)
    .option('--start-hour <n>', 'hour of the day, UTC, at which the measurement begins', hour, 0)
    .option('--tick-ms <n>', 'time between two ticks of the matcher', wholeNumber(10, 60_000), 1000)
    .option('--model <name>', 'the rating model', 'openskill-plackett-luce')
    .option('--compare <rules>', 'other rules to plot')
    .option('--baselines', 'plot three simple matchers: first fit, sliding window, first come', false)
    .addOption(
      new Option('--factors <list>', 'factors for the opening times of windows, separated by commas')
        .argParser(factors)
        .default(undefined, '0.25,0.5,1,2,4 with --compare or --baselines, otherwise 1'),
    )
    .option('--out <file>', 'write a report page (HTML)')
    .option('--svg <file>', 'write the main plot as SVG')
    .option('--json', 'one JSON object on standard output instead of tables', false)
    .addHelpText('after', help)
    .action(async (rules: string, options: SimulateOptions) => {
      const { simulate } = await import('./simulate.js');
      await simulate(rules, options, process.stdout, process.stderr);
    });
}

const amount = numberLike('2 or 0.5');

function positive(text: string): number {
  const value = amount(text);
  if (!(value > 0 && value <= 1_000)) throw new InvalidArgumentError('Give a number above 0, 1000 at most.');
  return value;
}

function notNegative(text: string): number {
  const value = amount(text);
  if (!(value >= 0 && value <= 1_000)) throw new InvalidArgumentError('Give a number from 0 to 1000.');
  return value;
}

function hour(text: string): number {
  const value = amount(text);
  if (!(value >= 0 && value < 24)) throw new InvalidArgumentError('Give an hour from 0 to below 24.');
  return value;
}

function factors(text: string): number[] {
  const all = text.split(',').map(positive);
  if (new Set(all).size !== all.length) throw new InvalidArgumentError('Give each factor once.');
  return all.toSorted((a, b) => a - b);
}
