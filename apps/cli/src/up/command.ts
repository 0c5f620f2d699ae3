import { type Command, Option } from 'commander';
import { directory, duration, wholeNumber } from '@muster/command-line/options/values';
import { usualPolicy, type UpOptions } from './options.js';

export function upCommand(command: Command, dataDir: string): void {
  command
    .description('Start everything on this machine: stores, services, the edge, and a demo.')
    .addOption(
      new Option(
        '--demo <which>',
        'queue: players queue for a 5v5; arena: a community server with live balance and without',
      )
        .choices(['queue', 'arena'])
        .default('queue'),
    )
    .option('--no-demo', 'start the services only')
    .option('--policy <name>', 'live balance policy of the arena', usualPolicy)
    .option('--players <n>', 'players of the demo', wholeNumber(10, 5_000), 60)
    .option('--servers <n>', 'dedicated servers of the queue demo', wholeNumber(1, 50), 4)
    .option('--replicas <n>', 'processes of each service', wholeNumber(1, 8), 1)
    .option('--single', 'run all services in one process, for small communities', false)
    .option('--for <duration>', 'stop after this time, such as 60s or 5m', duration)
    .option('--port <n>', 'port of the API; if it is taken, another is used', wholeNumber(0, 65_535), 8080)
    .option(
      '--tcp-port <n>',
      'port of the line protocol for old game servers; 0 takes any free port',
      wholeNumber(0, 65_535),
    )
    .option('--data-dir <dir>', 'directory for keys, logs and embedded stores', directory, dataDir)
    .option('--log-level <level>', 'log level of the services: fatal, error, warn, info, debug', 'info')
    .option('--json', 'print one JSON object per line instead of sentences', false)
    .addHelpText(
      'after',
      '\nREDIS_URL and DATABASE_URL use your own stores instead of embedded ones.\nExample: npm start -- --players 100 --servers 6 --for 60s',
    )
    .action(async (options: UpOptions) => {
      const { up } = await import('./up.js');
      process.exitCode = await up(options);
      // Streams of children may still be open; all work has ended.
      process.exit();
    });
}
