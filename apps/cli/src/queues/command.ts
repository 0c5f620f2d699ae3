import { operatorCommands } from '@muster/command-line/operator/define';
import { queueName, reason, time } from '@muster/command-line/operator/options';
import { duration } from '@muster/command-line/options/values';
import type { Command } from 'commander';

const help = `
A paused queue takes no tickets and forms no matches; players read the message. Tickets that wait keep their places, or end with
--return-waiting. Matches that are formed go on. A pause outlasts restarts.

Examples: npm run -s muster -- queue list
          npm run -s muster -- queue pause 5v5 --message "Back at noon." --for 2h
          npm run -s muster -- queue resume 5v5`;

const maintenanceHelp = `
Maintenance pauses all queues. Announced with --at, it is shown to players before it begins. It ends after --for, or with "end".

Examples: npm run -s muster -- maintenance
          npm run -s muster -- maintenance begin --message "New servers." --at 2027-03-01T06:00:00Z --for 1h
          npm run -s muster -- maintenance end`;

const waits = 'end the tickets that wait, with the message; without it they keep their places';

/** Defines the command `muster queue`. @param defaultDataDir the data directory of a local system */
export function queueCommand(command: Command, defaultDataDir: string): void {
  command.description('List, pause and resume queues.').addHelpText('after', help);
  const define = operatorCommands(defaultDataDir);
  define(
    command.command('list').description('List queues, and which are paused.'),
    async () => (await import('./queues.js')).listQueues,
  );
  define(
    command
      .command('pause')
      .description('Pause a queue: it takes no tickets and forms no matches.')
      .argument('<queue>', 'the name of the queue', queueName)
      .requiredOption('--message <text>', 'what players read', reason)
      .option('--for <time>', 'resume by itself after this time, such as 30m', duration)
      .option('--return-waiting', waits, false),
    async () => (await import('./queues.js')).pauseQueue,
    help,
  );
  define(
    command
      .command('resume')
      .description('Resume a queue. Repeating it changes nothing.')
      .argument('<queue>', 'the name of the queue', queueName),
    async () => (await import('./queues.js')).resumeQueue,
  );
}

/** Defines the command `muster maintenance`. @param defaultDataDir the data directory of a local system */
export function maintenanceCommand(command: Command, defaultDataDir: string): void {
  command
    .description('Announce, begin and end maintenance of all queues.')
    .addHelpText('after', maintenanceHelp);
  const define = operatorCommands(defaultDataDir);
  define(
    command
      .command('show', { isDefault: true })
      .description('Show the maintenance that is announced or in force.'),
    async () => (await import('./queues.js')).showMaintenance,
  );
  define(
    command
      .command('begin')
      .description('Pause all queues, now or from a time on.')
      .requiredOption('--message <text>', 'what players read', reason)
      .option('--at <time>', 'begin at this time, such as 2027-03-01T06:00:00Z (default: now)', time)
      .option('--for <time>', 'end by itself after this time, such as 1h', duration)
      .option('--return-waiting', waits, false),
    async () => (await import('./queues.js')).beginMaintenance,
    maintenanceHelp,
  );
  define(
    command.command('end').description('End maintenance, or withdraw the announcement.'),
    async () => (await import('./queues.js')).endMaintenance,
  );
}
