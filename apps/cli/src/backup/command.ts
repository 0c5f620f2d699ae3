import type { Command } from 'commander';
import { resolve } from 'node:path';
import { print } from '@muster/command-line/operator/output';
import { directory } from '@muster/command-line/options/values';
import type { BackupOptions } from './backup.js';
import type { RestoreOptions } from './restore.js';

const dataDirOption = ['--data-dir <dir>', 'data directory of a system on this machine'] as const;
const jsonOption = ['--json', 'print the manifest as JSON', false] as const;

/** `muster backup`: writes all of the database to a directory. */
export function backupCommand(command: Command, dataDir: string, version: string): void {
  command
    .description('Back up the database of DATABASE_URL, or of the system that runs here, while it is in use.')
    .argument('<directory>', 'a new directory')
    .option(...dataDirOption, directory, dataDir)
    .option(...jsonOption)
    .addHelpText(
      'after',
      '\nThe backup is of one moment. It has no keys: COORDINATOR_KEY and PLAYER_JWKS (or the files of the data\n' +
        'directory, if DATABASE_URL is unset or --data-dir is given) are read for their thumbprints. docs/backup.md describes backups.\n' +
        'Example: muster backup backups/monday',
    )
    .action(async (target: string, given: Omit<BackupOptions, 'dataDirNamed'>) => {
      const options = { ...given, dataDirNamed: isNamed(command) };
      const { backup, backupSummary } = await import('./backup.js');
      const path = resolve(target);
      const manifest = await backup(path, options, process.env, version).catch(explain);
      print(options.json, manifest, () => [backupSummary(path, manifest)]);
    });
}

/** `muster restore`: loads a backup into an empty database. */
export function restoreCommand(command: Command, dataDir: string): void {
  command
    .description('Restore a backup into the empty database of DATABASE_URL, or of a new data directory.')
    .argument('<directory>', 'the directory of the backup')
    .option(...dataDirOption, directory, dataDir)
    .option('--other-keys', 'accept other signing keys than those of the backup', false)
    .option('--check', 'check the backup and change nothing', false)
    .option(...jsonOption)
    .addHelpText(
      'after',
      '\nNo service may run. A restore that fails leaves the database without rows. Without DATABASE_URL, the embedded\n' +
        'PostgreSQL of the data directory is started for it.\n' +
        'Example: DATABASE_URL=postgresql://… muster restore backups/monday',
    )
    .action(async (source: string, given: Omit<RestoreOptions, 'dataDirNamed'>) => {
      const options = { ...given, dataDirNamed: isNamed(command) };
      const { restore, restoreSummary } = await import('./restore.js');
      const path = resolve(source);
      const restored = await restore(path, options, process.env).catch(explain);
      print(options.json, restored, () => [restoreSummary(restored, path)]);
    });
}

/** Whether the user gave --data-dir. */
const isNamed = (command: Command): boolean => command.getOptionValueSource('dataDir') === 'cli';

/** @throws Error with a user-facing message */
async function explain(error: unknown): Promise<never> {
  throw (await import('../database/database.js')).explained(error);
}
