import type { Rebuild, Studies } from '@muster/lab/commands';
import { Command, CommanderError } from 'commander';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { archiveCommand } from './archive/command.js';
import { auditCommand } from './audit/command.js';
import { backupCommand, restoreCommand } from './backup/command.js';
import { caseCommand } from './cases/command.js';
import { conflictCommand } from './conflicts/command.js';
import { eventsCommand, webhooksCommand } from './events/command.js';
import { demoCommand } from './demo/command.js';
import { banCommand } from './bans/command.js';
import { boosterCommand } from './booster/command.js';
import { jobsCommand } from './jobs/command.js';
import { keysCommand } from './keys/command.js';
import { migrateCommand } from './migrate/command.js';
import { penaltyCommand } from './penalties/command.js';
import { matchCommand, playerCommand } from './player/command.js';
import { leaderboardCommand } from './leaderboard/command.js';
import { poolCommand } from './pool/command.js';
import { maintenanceCommand, queueCommand } from './queues/command.js';
import { rulesCommand } from './rules/command.js';
import { seasonCommand } from './season/command.js';
import { serverCommand } from './servers/command.js';
import { ticketCommand } from './tickets/command.js';
import { statisticsCommand } from './statistics/command.js';
import { tokenCommand } from './token/command.js';
import { upCommand } from './up/command.js';

// Resolved by name, because the bundle of this file is elsewhere.
const manifest = createRequire(import.meta.url).resolve('@muster/cli/package.json');
const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
// Each command loads its own modules: `muster token` must not wait for a web server's modules.

async function newProgram(args: readonly string[]): Promise<Command> {
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
  auditCommand(program.command('audit'), defaultDataDir);
  migrateCommand(program.command('migrate'));
  backupCommand(program.command('backup'), defaultDataDir, version);
  restoreCommand(program.command('restore'), defaultDataDir);
  demoCommand(program.command('demo'), defaultDataDir);
  archiveCommand(program.command('archive'), defaultDataDir);
  const { tune } = poolCommand(program.command('pool'), defaultDataDir);
  seasonCommand(program.command('season'), defaultDataDir);
  boosterCommand(program.command('booster'), defaultDataDir);
  conflictCommand(program.command('conflict'), defaultDataDir);
  caseCommand(program.command('case'), defaultDataDir);
  serverCommand(program.command('server'), defaultDataDir);
  statisticsCommand(program.command('statistics'), defaultDataDir);
  leaderboardCommand(program.command('leaderboard'), defaultDataDir);
  queueCommand(program.command('queue'), defaultDataDir);
  maintenanceCommand(program.command('maintenance'), defaultDataDir);
  ticketCommand(program.command('ticket'), defaultDataDir);
  banCommand(program.command('ban'), defaultDataDir);
  penaltyCommand(program.command('penalty'), defaultDataDir);
  playerCommand(program.command('player'), defaultDataDir);
  matchCommand(program.command('match'), defaultDataDir);
  jobsCommand(program.command('jobs'), defaultDataDir);
  rulesCommand(program.command('rules'), defaultDataDir);
  eventsCommand(program.command('events'), defaultDataDir);
  webhooksCommand(program.command('webhooks'), defaultDataDir);
  const studies = nameStudies(program, tune);
  if (asksForStudies(args, studies)) {
    const { defineStudies } = await import('@muster/lab/commands');
    defineStudies(studies, { defaultDataDir, rebuildPool });
  }

  return program;
}

/** Names the laboratory's commands. Their arguments and options are loaded when they are asked for. */
function nameStudies(program: Command, tune: Command): Studies {
  return {
    tune,
    replay: program
      .command('replay')
      .description(
        'Rate recorded matches in a running Muster, oldest first, and report how well they were predicted.',
      ),
    split: program
      .command('split')
      .description('Split a list of players into even teams, bots included, with a certificate.'),
    evaluate: program
      .command('evaluate')
      .description(
        'Compare rating models on recorded matches: accuracy, log-loss, Brier score, calibration.',
      ),
    placement: program
      .command('placement')
      .description(
        'Report how well newcomers can be placed by their actions in a match, such as kills or damage.',
      ),
    simulate: program
      .command('simulate')
      .description(
        'Test a queue’s rules on a synthetic population: how long players wait, and how fair matches are.',
      ),
  };
}

/** Whether the arguments name a command of the laboratory, or ask for a list of commands with their arguments. */
function asksForStudies(args: readonly string[], studies: Studies): boolean {
  return (
    args.every((word) => word === 'pool' || word.startsWith('-')) ||
    args.some((word) => word === 'help' || Object.hasOwn(studies, word))
  );
}

const rebuildPool: Rebuild = async (...change) => {
  const pool = await import('./pool/rebuild.js');
  return pool.rebuildPool(...change);
};

/**
 * Runs a command to its end, and sets the exit code.
 *
 * @param args of the command line, without those of Node
 */
export async function runMuster(args: readonly string[]): Promise<void> {
  try {
    const program = await newProgram(args);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = error instanceof CommanderError ? error.exitCode : 1;
    // Commander has written its own errors.
    if (error instanceof CommanderError) return;
    process.stderr.write(`muster: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}
