import { operatorCommands } from '@muster/command-line/operator/define';
import { personId, reason, time } from '@muster/command-line/operator/options';
import { duration, wholeNumber } from '@muster/command-line/options/values';
import type { Command } from 'commander';

const help = `
A banned player joins no queue until the ban ends; they read the reason. A ticket that waits ends with it, a match that is formed goes
on. A second "set" replaces the ban.

Examples: npm run -s muster -- ban set alice --for 72h --reason "insults in chat"
          npm run -s muster -- ban list
          npm run -s muster -- ban lift alice`;

/** Defines the command `muster ban`. @param defaultDataDir the data directory of a local system */
export function banCommand(command: Command, defaultDataDir: string): void {
  command.description('Keep players from queues for a time.').addHelpText('after', help);
  const define = operatorCommands(defaultDataDir);
  define(
    command
      .command('list')
      .description('List bans in force, in the order of players.')
      .option('--after <player>', 'players after this one', personId)
      .option('--limit <n>', 'bans to show', wholeNumber(1, 500), 100),
    async () => (await import('./bans.js')).listBans,
  );
  define(
    command
      .command('set')
      .description('Ban a player, or change their ban.')
      .argument('<player>', 'the player’s id', personId)
      .option('--for <time>', 'from now on for this time, such as 72h', duration)
      .option('--until <time>', 'until this time, such as 2027-03-01T06:00:00Z', time)
      .requiredOption('--reason <text>', 'the reason, which the player reads', reason),
    async () => (await import('./bans.js')).setBan,
    help,
  );
  define(
    command
      .command('lift')
      .description('Lift the ban of a player. Repeating it changes nothing.')
      .argument('<player>', 'the player’s id', personId),
    async () => (await import('./bans.js')).liftBan,
  );
}
