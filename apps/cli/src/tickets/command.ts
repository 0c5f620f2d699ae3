import { ticketStates } from '@muster/domain';
import { operatorCommands } from '@muster/command-line/operator/define';
import { givenId, playerId, queueName, reason } from '@muster/command-line/operator/options';
import { duration, wholeNumber } from '@muster/command-line/options/values';
import { Option, type Command } from 'commander';

const help = `
TICKET is an id such as tkt_x7Yc0p2n. Tickets that are over are known for an hour.

Examples: npm run -s muster -- ticket list --queue 5v5 --state waiting --older-than 3m
          npm run -s muster -- ticket list --player alice
          npm run -s muster -- ticket show tkt_x7Yc0p2n
          npm run -s muster -- ticket cancel tkt_x7Yc0p2n --reason "the tournament begins"`;

const ticketId = givenId('a ticket, such as tkt_x7Yc0p2n', '"muster ticket list" lists tickets');

/** Defines the command `muster ticket`. @param defaultDataDir the data directory of a local system */
export function ticketCommand(command: Command, defaultDataDir: string): void {
  command.description('List, show and cancel tickets.').addHelpText('after', help);
  const define = operatorCommands(defaultDataDir);
  define(
    command
      .command('list')
      .description('List tickets; without --state, those that are not over.')
      .option('--queue <queue>', 'only tickets of this queue', queueName)
      .addOption(new Option('--state <state>', 'only tickets in this state').choices(ticketStates))
      .option('--player <player>', 'only the ticket that holds this player', playerId)
      .option('--older-than <time>', 'only tickets enqueued at least so long ago, such as 90s', duration)
      .option('--limit <n>', 'tickets to show', wholeNumber(1, 10_000), 50),
    async () => (await import('./tickets.js')).listTickets,
    help,
  );
  define(
    command
      .command('show')
      .description('Show one ticket, and why it waits.')
      .argument('<ticket>', 'the id of the ticket', ticketId),
    async () => (await import('./tickets.js')).showTicket,
  );
  define(
    command
      .command('cancel')
      .description('End a ticket that waits or is asked to accept a match. Nobody is penalised.')
      .argument('<ticket>', 'the id of the ticket', ticketId)
      .requiredOption('--reason <text>', 'the reason, which its players read', reason),
    async () => (await import('./tickets.js')).cancelTicket,
  );
}
