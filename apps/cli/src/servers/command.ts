import { operatorCommands } from '@muster/command-line/operator/define';
import { wholeNumber } from '@muster/command-line/options/values';
import type { Command } from 'commander';

const help = `
A server that drains takes no new sessions; running ones continue. Draining and ending it may be repeated. Without a server, those of
a region or a build are meant that are registered now.

Examples: npm run -s muster -- server list
          npm run -s muster -- server drain arena-1
          npm run -s muster -- server drain --region eu --build 1.4
          npm run -s muster -- server undrain arena-1`;

/** Defines the command `muster server`. @param defaultDataDir the data directory of a local system */
export function serverCommand(command: Command, defaultDataDir: string): void {
  command.description('List, drain and undrain dedicated servers.').addHelpText('after', help);
  const define = operatorCommands(defaultDataDir);
  define(
    command
      .command('list')
      .description('List servers in the order of their ids.')
      .option('--after <server>', 'servers after this one')
      .option('--limit <n>', 'servers to show', wholeNumber(1, 500), 100),
    async () => (await import('./servers.js')).listServers,
  );
  define(
    command
      .command('drain')
      .description('Give a server, or those of a region or a build, no new sessions.')
      .argument('[server]', 'the id of the server')
      .option('--region <region>', 'the servers of this region')
      .option('--build <build>', 'the servers of this build'),
    async () => (await import('./servers.js')).drainServer,
  );
  define(
    command
      .command('undrain')
      .description('Give draining servers new sessions again.')
      .argument('[server]', 'the id of the server')
      .option('--region <region>', 'the servers of this region')
      .option('--build <build>', 'the servers of this build'),
    async () => (await import('./servers.js')).undrainServer,
  );
}
