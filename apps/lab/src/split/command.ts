import { InvalidArgumentError, type Command } from 'commander';
import { text } from 'node:stream/consumers';
import { readText } from '@muster/command-line/terminal/unreadable';
import { numberLike, wholeNumber } from '@muster/command-line/options/values';
import { readPlayers } from './player-lines.js';
import { splitPlayers, type SplitCommandOptions } from './split-players.js';
import { asJson, asText } from './summary.js';

/** Normal lists take milliseconds; for a very large list the best split found in this time is used. */
const deadlineMs = 10_000;

const help = `
FILE is a list of players, one weight and name per line; blank lines and lines that begin with # are skipped:

  92 Riddick
  93 Luke Skywalker
  5  Boring John

The number of places is the target, within the map's recommended players, and every team has as many as the largest. Bots of
the mean weight fill empty places. No team has more than 9/16 of the players, or its share of 32, unless there is no other
split. One of the best splits is drawn with a probability proportional to ratio^power, where the ratio is the smallest sum
over the largest. The same seed draws the same split.

Example: npm run -s muster -- split docs/examples/seventeen-players.txt --bot 25 --seed 7`;

/** Defines the command `muster split`. */
export function splitCommand(command: Command): void {
  const players = wholeNumber(1, 1_000);
  command
    .argument('[file]', 'the list of players (default: standard input)')
    .option('--min <n>', 'the minimum number of players recommended for the map', players, 6)
    .option('--max <n>', 'the maximum number of players recommended for the map', players, 12)
    .option('--target <n>', 'target number of players, bots included', players, 8)
    .option('--bot <weight>', 'the mean weight of a bot', number, 20)
    .option('--teams <n>', 'number of teams', wholeNumber(2, 16), 2)
    .option('--best <n>', 'number of best splits to draw from', wholeNumber(1, 100), 20)
    .option('--seed <n>', 'seed of the draw', wholeNumber(0, Number.MAX_SAFE_INTEGER), 0)
    .option('--power <n>', 'preference for a better ratio; 0: none', notNegative, 1)
    .option('--json', 'one JSON document instead of text', false)
    .addHelpText('after', help)
    .action(async (file: string | undefined, options: SplitCommandOptions & { json: boolean }) => {
      const list = readPlayers(
        await readList(file),
        file === undefined || file === '-' ? 'standard input' : file,
      );
      const drawn = splitPlayers(list, options, { now: Date.now, at: Date.now() + deadlineMs });
      process.stdout.write(options.json ? asJson(drawn, options) : asText(drawn, options));
    });
}

async function readList(file: string | undefined): Promise<string> {
  if (file === undefined || file === '-') {
    if (process.stdin.isTTY) process.stderr.write('Type a weight and a name a line; end with Ctrl-D.\n');
    return text(process.stdin);
  }
  return readText(file, 'is not there; give the path of a list of players.');
}

const number = numberLike('20 or 17.5');

function notNegative(given: string): number {
  const value = number(given);
  if (value < 0) throw new InvalidArgumentError('Give a number of at least 0.');
  return value;
}
