import { Unreachable } from '@muster/command-line/operator/connection';
import { visible } from '@muster/command-line/terminal/visible';
import { version } from '@muster/domain';
import type { Rebuild, Studies } from '@muster/lab/commands';
import { Command, CommanderError } from 'commander';
import { resolve } from 'node:path';
import { archiveCommand } from './archive/command.js';
import { backupCommand, restoreCommand } from './backup/command.js';
import { defineRows } from './commands/define.js';
import { demoCommand } from './demo/command.js';
import { eventsCommand } from './events/command.js';
import { makeKeysCommand } from './keys/command.js';
import { migrateCommand } from './migrate/command.js';
import { dataCommands } from './player-data/command.js';
import { rebuildCommand } from './pool/rebuild-command.js';
import { rulesCommand } from './rules/command.js';
import { completionCommands } from './completion/command.js';
import { doctorCommand } from './doctor/command.js';
import { topCommands } from './top/command.js';
import { tokenCommand } from './token/command.js';
import { upCommand } from './up/command.js';

// Each command loads its own modules: `muster token` must not wait for a web server's modules.

/** Every command. @param args what is asked for: the laboratory's commands are loaded when one of them is */
export async function newProgram(args: readonly string[]): Promise<Command> {
  const defaultDataDir = resolve(process.env['MUSTER_DATA_DIR'] || '.muster');

  const program = new Command('muster')
    .exitOverride()
    .description(
      'Muster, a matchmaking game coordinator: tickets in, fair teams on a healthy server out, results back into the ratings.',
    )
    .version(version)
    .showHelpAfterError('(--help lists the commands)')
    .addHelpText(
      'after',
      '\nExit code: 0 done, 1 refused or not done, 2 not understood, 3 no Muster answers.',
    );

  upCommand(program.command('up'), defaultDataDir);
  tokenCommand(program.command('token'), defaultDataDir);
  migrateCommand(program.command('migrate'));
  backupCommand(program.command('backup'), defaultDataDir, version);
  restoreCommand(program.command('restore'), defaultDataDir);
  demoCommand(program.command('demo'), defaultDataDir);
  archiveCommand(program.command('archive'), defaultDataDir);
  doctorCommand(program.command('doctor'), defaultDataDir, version);
  topCommands(program.command('status'), program.command('top'), defaultDataDir);
  const group = defineRows(program, defaultDataDir);
  makeKeysCommand(group('keys'), defaultDataDir);
  eventsCommand(program.command('events'), defaultDataDir);
  dataCommands(group('players'), defaultDataDir);
  rebuildCommand(group('pools').command('rebuild'), defaultDataDir);
  rulesCommand(group('rules'), defaultDataDir);
  const tune = group('pools')
    .command('tune')
    .description('Find the rules that predict a pool’s own history best.');
  const studies = nameStudies(program, tune);
  if (asksForStudies(args, studies)) {
    const { defineStudies } = await import('@muster/lab/commands');
    defineStudies(studies, { defaultDataDir, rebuildPool });
  }

  completionCommands(program);
  return program;
}

const abouts = {
  replay: 'Rate recorded matches in a running Muster, oldest first, and report how well they were predicted.',
  split: 'Split a list of players into even teams, bots included, with a certificate.',
  evaluate: 'Compare rating models on recorded matches: accuracy, log-loss, Brier score, calibration.',
  placement: 'Report how well newcomers can be placed by their actions in a match, such as kills or damage.',
  simulate:
    'Test a queue’s rules on a synthetic population: how long players wait, and how fair matches are.',
} as const;

/** Names the laboratory's commands. Their arguments and options are loaded when they are asked for. */
function nameStudies(program: Command, tune: Command): Studies {
  const of = (name: keyof typeof abouts): Command => program.command(name).description(abouts[name]);
  const [replay, split] = [of('replay'), of('split')];
  return {
    tune,
    replay,
    split,
    evaluate: of('evaluate'),
    placement: of('placement'),
    simulate: of('simulate'),
  };
}

/** Whether the arguments name a command of the laboratory, or ask for a list of commands with their arguments. */
function asksForStudies(args: readonly string[], studies: Studies): boolean {
  return (
    args.every((word) => word === 'pools' || word.startsWith('-')) ||
    args.some((word) => word === 'help' || Object.hasOwn(studies, word))
  );
}

const rebuildPool: Rebuild = async (
  pool,
  { model, set, aspects, refit, reason, replaceParameters, ...options },
  env,
) => {
  const rebuild = await import('./pool/rebuild.js');
  const given = { model, parameters: set, aspects: aspects ?? null, refit, reason, replaceParameters };
  return rebuild.rebuildPool(pool, given, options, env);
};

/** Groups are named in the plural; the singular does as well. */
function inPlural(program: Command, [first = '', ...rest]: readonly string[]): string[] {
  const names = new Set(program.commands.map((command) => command.name()));
  const plural = [`${first}s`, `${first}es`, first.replace(/y$/, 'ies')].find((each) => names.has(each));
  return first === '' ? rest : [names.has(first) ? first : (plural ?? first), ...rest];
}

/**
 * Runs a command to its end, and sets the exit code.
 *
 * @param args of the command line, without those of Node
 */
export async function runMuster(args: readonly string[]): Promise<void> {
  try {
    const program = await newProgram(args);
    await program.parseAsync(inPlural(program, args), { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has written its own errors.
      process.exitCode = error.exitCode === 0 ? 0 : 2;
      return;
    }
    process.exitCode = error instanceof Unreachable ? 3 : 1;
    process.stderr.write(`muster: ${visible(error instanceof Error ? error.message : String(error))}\n`);
  }
}
