import { operatorCommands } from '@muster/command-line/operator/define';
import { queueName } from '@muster/command-line/operator/options';
import { wholeNumber } from '@muster/command-line/options/values';
import type { Command } from 'commander';

const help = `
Of one queue, each step of the time has a line. Times to match, gaps and leads are right to within 10 %.

Examples: npm run -s muster -- statistics
          npm run -s muster -- statistics 5v5 --hours 24`;

/** Defines the command `muster statistics`. @param defaultDataDir the data directory of a local system */
export function statisticsCommand(command: Command, defaultDataDir: string): void {
  operatorCommands(defaultDataDir)(
    command
      .description('Show how queues did in the last hours: tickets, waiting times, fairness, errors.')
      .argument('[queue]', 'the name of a queue', queueName)
      .option('--hours <n>', 'the hours to show', wholeNumber(1, 48), 1),
    async () => (await import('./statistics.js')).showStatistics,
    help,
  );
}
