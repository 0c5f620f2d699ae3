import { Command, CommanderError, Option } from 'commander';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { archiveCommand } from './archive/command.js';
import { backupCommand, restoreCommand } from './backup/command.js';
import { caseCommand } from './cases/command.js';
import { demoCommand } from './demo/command.js';
import { evaluateCommand } from './evaluate/command.js';
import { placementCommand } from './placement/command.js';
import { boosterCommand } from './booster/command.js';
import { jobsCommand } from './jobs/command.js';
import { keysCommand } from './keys/command.js';
import { migrateCommand } from './migrate/command.js';
import { matchCommand, playerCommand } from './player/command.js';
import { leaderboardCommand } from './leaderboard/command.js';
import { personId } from './operator/options.js';
import { poolCommand } from './pool/command.js';
import { replayCommand } from './replay/command.js';
import { rulesCommand } from './rules/command.js';
import { seasonCommand } from './season/command.js';
import { serverCommand } from './servers/command.js';
import { simulateCommand } from './simulate/command.js';
import { splitCommand } from './split/command.js';
import { directory, duration, usualPolicy, wholeNumber, type UpOptions } from './up/options.js';

// Resolved by name, because the bundle of this file is elsewhere.
const manifest = createRequire(import.meta.url).resolve('@muster/cli/package.json');
const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
// Each command loads its own modules: `muster split` must not wait for a web server's modules.

const dataDir = ['--data-dir <dir>', 'directory for keys, logs and embedded stores'] as const;

function newProgram(): Command {
  const defaultDataDir = resolve(process.env['MUSTER_DATA_DIR'] || '.muster');

  const program = new Command('muster')
    .exitOverride()
    .description(
      'Muster, a matchmaking game coordinator: tickets in, fair teams on a healthy server out, results back into the ratings.',
    )
    .version(version)
    .showHelpAfterError('(--help lists the commands)');

  program
    .command('up')
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
    .option(...dataDir, directory, defaultDataDir)
    .option('--log-level <level>', 'log level of the services: fatal, error, warn, info, debug', 'info')
    .option('--json', 'print one JSON object per line instead of sentences', false)
    .addHelpText(
      'after',
      '\nREDIS_URL and DATABASE_URL use your own stores instead of embedded ones.\nExample: npm start -- --players 100 --servers 6 --for 60s',
    )
    .action(async (options: UpOptions) => {
      const { up } = await import('./up/up.js');
      process.exitCode = await up(options);
      // Streams of children may still be open; all work has ended.
      process.exit();
    });

  program
    .command('token')
    .description('Print a player token, as the game’s login would sign it (embedded run only).')
    .argument('<player>', 'the player’s id', personId)
    .option(...dataDir, directory, defaultDataDir)
    .option('--lifetime <time>', 'lifetime of the token, such as 12h or 5m', '12h')
    .action(async (player: string, options: { dataDir: string; lifetime: string }) => {
      const { playerToken, readKeys } = await import('@muster/embedded');
      const { login } = await readKeys(options.dataDir);
      process.stdout.write(`${await playerToken(login, player, options.lifetime)}\n`);
    });

  keysCommand(program.command('keys'), defaultDataDir);
  migrateCommand(program.command('migrate'));
  backupCommand(program.command('backup'), defaultDataDir, version);
  restoreCommand(program.command('restore'), defaultDataDir);
  demoCommand(program.command('demo'), defaultDataDir);
  archiveCommand(program.command('archive'), defaultDataDir);
  poolCommand(program.command('pool'), defaultDataDir);
  seasonCommand(program.command('season'), defaultDataDir);
  boosterCommand(program.command('booster'), defaultDataDir);
  caseCommand(program.command('case'), defaultDataDir);
  serverCommand(program.command('server'), defaultDataDir);
  leaderboardCommand(program.command('leaderboard'), defaultDataDir);
  playerCommand(program.command('player'), defaultDataDir);
  matchCommand(program.command('match'), defaultDataDir);
  jobsCommand(program.command('jobs'), defaultDataDir);
  rulesCommand(program.command('rules'), defaultDataDir);
  replayCommand(program.command('replay'), defaultDataDir);
  splitCommand(program.command('split'));
  evaluateCommand(program.command('evaluate'));
  placementCommand(program.command('placement'));
  simulateCommand(program.command('simulate'));

  return program;
}

/**
 * Runs a command to its end, and sets the exit code.
 *
 * @param args of the command line, without those of Node
 */
export async function runMuster(args: readonly string[]): Promise<void> {
  try {
    await newProgram().parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = error instanceof CommanderError ? error.exitCode : 1;
    // Commander has written its own errors.
    if (error instanceof CommanderError) return;
    process.stderr.write(`muster: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}
