import type { Command } from 'commander';
import { operatorOptions, type OperatorOptions } from '@muster/command-line/operator/options';
import { wholeNumber } from '@muster/command-line/options/values';
import type { ListOptions } from './servers.js';

const help = `
A server that drains takes no new sessions; running ones continue. Draining and ending it may be repeated.

Examples: npm run -s muster -- server list
          npm run -s muster -- server drain arena-1
          npm run -s muster -- server undrain arena-1`;

/** Defines the command `muster server`. @param defaultDataDir the data directory of a local system */
export function serverCommand(command: Command, defaultDataDir: string): void {
  command.description('List, drain and undrain dedicated servers.').addHelpText('after', help);
  operatorOptions(
    command
      .command('list')
      .description('List servers in the order of their ids.')
      .option('--after <server>', 'servers after this one')
      .option('--limit <n>', 'servers to show', wholeNumber(1, 500), 100),
    defaultDataDir,
  ).action(async (options: ListOptions) => {
    const { listServers } = await import('./servers.js');
    await listServers(options, process.env);
  });
  for (const [act, what] of [
    ['drain', 'Give a server no new sessions.'],
    ['undrain', 'Give a draining server new sessions again.'],
  ] as const)
    operatorOptions(
      command.command(act).description(what).argument('<server>', 'the id of the server'),
      defaultDataDir,
    ).action(async (serverId: string, options: OperatorOptions) => {
      const { drainServer } = await import('./servers.js');
      await drainServer(act, serverId, options, process.env);
    });
}
