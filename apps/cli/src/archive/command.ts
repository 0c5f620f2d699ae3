import type { Command } from 'commander';
import { resolve } from 'node:path';
import { print } from '@muster/command-line/operator/output';
import { directory, wholeNumber } from '@muster/command-line/options/values';
import type { ArchiveOptions } from './archive.js';

/** `muster archive`: writes old matches to a file, and deletes them if asked to. */
export function archiveCommand(command: Command, dataDir: string): void {
  command
    .description('Write old matches to a file, as compressed JSON lines.')
    .argument('<file>', 'a new file, such as matches-2026.jsonl.gz')
    .requiredOption('--older-than <days>', 'matches that ended so many days ago', wholeNumber(1, 36_500))
    .option('--delete', 'delete what was written from the database', false)
    .option('--data-dir <dir>', 'data directory of a system on this machine', directory, dataDir)
    .option('--json', 'print the counts as JSON', false)
    .addHelpText(
      'after',
      '\nThe ledger, ratings and reported matches stay: a rebuild needs no match. A match whose session is still\n' +
        'stored (RETENTION_DAYS) is left for a later archive.\n' +
        'Example: muster archive matches-2026.jsonl.gz --older-than 365 --delete',
    )
    .action(async (file: string, options: ArchiveOptions) => {
      const { archive, archiveSummary } = await import('./archive.js');
      const path = resolve(file);
      const archived = await archive(path, options, process.env, Date.now());
      print(options.json, archived, () => [archiveSummary(path, archived)]);
    });
}
