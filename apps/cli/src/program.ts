import { Command, CommanderError } from 'commander';
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
import { poolCommand } from './pool/command.js';
import { replayCommand } from './replay/command.js';
import { rulesCommand } from './rules/command.js';
import { seasonCommand } from './season/command.js';
import { serverCommand } from './servers/command.js';
import { simulateCommand } from './simulate/command.js';
import { splitCommand } from './split/command.js';
import { tokenCommand } from './token/command.js';
import { upCommand } from './up/command.js';

// Resolved by name, because the bundle of this file is elsewhere.
const manifest = createRequire(import.meta.url).resolve('@muster/cli/package.json');
const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
// Each command loads its own modules: `muster split` must not wait for a web server's modules.

function newProgram(): Command {
  const defaultDataDir = resolve(process.env['MUSTER_DATA_DIR'] || '.muster');

  const program = new Command('muster')
    .exitOverride()
    .description(
      'Muster, a matchmaking game coordinator: tickets in, fair teams on a healthy server out, results back into the ratings.',
    )
    .version(version)
    .showHelpAfterError('(--help lists the commands)');

  upCommand(program.command('up'), defaultDataDir);
  tokenCommand(program.command('token'), defaultDataDir);
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
