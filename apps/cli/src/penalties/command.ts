import { operatorCommands } from '@muster/command-line/operator/define';
import { playerId, queueName, reason, time } from '@muster/command-line/operator/options';
import type { Command } from 'commander';

const help = `
Forgiven penalties no longer count; players read the reason. A range may be forgiven again: what was forgiven before is left alone.

Examples: npm run -s muster -- penalty list alice
          npm run -s muster -- penalty forgive --from 2027-03-01T06:00:00Z --to 2027-03-01T07:00:00Z --region eu --reason "an outage"`;

/** Defines the command `muster penalty`. @param defaultDataDir the data directory of a local system */
export function penaltyCommand(command: Command, defaultDataDir: string): void {
  command.description('List penalties, and forgive many at once.').addHelpText('after', help);
  const define = operatorCommands(defaultDataDir);
  define(
    command
      .command('list')
      .description('List a player’s penalties, newest first, and when they may queue again.')
      .argument('<player>', 'the player’s id', playerId),
    async () => (await import('./penalties.js')).listPenalties,
  );
  define(
    command
      .command('forgive')
      .description('Forgive the penalties of a range of time.')
      .requiredOption('--from <time>', 'penalties of this time or later, such as 2027-03-01T06:00:00Z', time)
      .requiredOption('--to <time>', 'penalties before this time', time)
      .option('--queue <queue>', 'only of this queue', queueName)
      .option('--region <region>', 'only of matches in this region')
      .requiredOption('--reason <text>', 'the reason, which players read', reason),
    async () => (await import('./penalties.js')).forgivePenalties,
    help,
  );
}
