import { operatorOptions } from '@muster/command-line/operator/options';
import { wholeNumber } from '@muster/command-line/options/values';
import type { Command } from 'commander';
import { sides } from '../match-file/sides-option.js';
import type { Rebuild, TuneOptions } from './tune-pool.js';

export type { Rebuild };

const help = `
The history is that of a pool, from its ledger (DATABASE_URL, or the Muster on this machine), or of a file as "muster evaluate"
reads it; a name with a dot or a slash is a file. Every model is tried, then parameters of the best ones, then how much scores
weigh, if results have scores (scoredFor of the players' facts), then skill by side, map, venue or role. The first fifth of the decided matches is not counted, the
next three choose the best rules, and the last fifth tells their gain in log-loss over the present ones, with its 95 %
interval. Rules are only called better if the whole interval is above 0. Stacked models are measured for comparison: a pool
has one model. Inactivity, seasons and the placement of newcomers are not part of the comparison.

--apply changes the rules of the pool and rebuilds it if there are better ones, and does nothing otherwise.

Examples: npm run -s muster -- pools tune season-2024.csv
          npm run -s muster -- pools tune ctf
          npm run -s muster -- pools tune ctf --apply`;

/**
 * Defines the command `muster pools tune`.
 *
 * @param defaultDataDir the data directory of a local system
 * @param rebuildPool `muster pools rebuild`
 */
export function tuneCommand(command: Command, defaultDataDir: string, rebuildPool: Rebuild): void {
  command
    .argument('<pool or file>', 'a pool, or a file of recorded matches')
    .option('--matches <n>', 'length of the history, in matches', wholeNumber(250, 1_000_000), 20_000)
    .option('--sides <first,second>', 'of a file: names of the sides of two teams, such as home,away', sides)
    .option('--no-situations', 'of a file: ignore sides and venues')
    .option('--apply', 'change the pool’s rules and rebuild it, if there are better ones', false);
  operatorOptions(command, defaultDataDir)
    .addHelpText('after', help)
    .action(async (what: string, options: TuneOptions) => {
      const { tunePool } = await import('./tune-pool.js');
      process.exitCode = await tunePool(what, options, process.env, rebuildPool);
    });
}
