import type { Command } from 'commander';
import { directory, duration, wholeNumber } from '@muster/command-line/options/values';
import { usualPolicy } from '../up/options.js';
import type { PlayOptions } from './play.js';

/** `muster demo`: plays a demo on a Muster that runs. */
export function demoCommand(command: Command, defaultDataDir: string): void {
  command
    .description('Play the queue demo on a Muster that runs and whose keys `muster keys` made.')
    .option('--url <address>', 'address of Muster', process.env['MUSTER_URL'] || 'http://127.0.0.1:8080')
    .option('--data-dir <dir>', 'data directory with its keys', directory, defaultDataDir)
    .option('--players <n>', 'players of the demo', wholeNumber(10, 5_000), 60)
    .option('--servers <n>', 'dedicated servers of the demo', wholeNumber(1, 50), 4)
    .option('--for <duration>', 'stop after this time, such as 60s or 5m', duration)
    .option('--json', 'print one JSON object per line instead of sentences', false)
    .addHelpText(
      'after',
      '\nIt signs players with the login key of the data directory, so PLAYER_JWKS must hold its public half.\n\n' +
        'Example: muster demo --url http://127.0.0.1:8080 --for 60s',
    )
    .action(async (options: Omit<PlayOptions, 'policy'>) => {
      const { play } = await import('./play.js');
      process.exitCode = await play({ ...options, policy: usualPolicy });
      // Streams of children may still be open; all work has ended.
      process.exit();
    });
}
