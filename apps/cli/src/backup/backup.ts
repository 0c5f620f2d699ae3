import { dumpDatabase } from '@muster/db';
import { databaseOf } from '@muster/command-line/operator/database';
import { wholeDirectory, writeCompressed, writeManifest, type Written } from './files.js';
import { keyThumbprints, type DataDir } from './keys.js';
import { backupFormat, type Manifest } from './manifest.js';

/** What `muster backup` was told. */
export interface BackupOptions extends DataDir {
  readonly json: boolean;
}

/** The name of the sequence of the ledger. */
const ledger = 'ledger_sequence';

/**
 * Backs up the database while it is in use, from one snapshot.
 *
 * @throws Error with a user-facing message; then there is no backup
 */
export async function backup(
  directory: string,
  options: BackupOptions,
  env: NodeJS.ProcessEnv,
  version: string,
): Promise<Manifest> {
  const [url, keys] = [await databaseOf(options.dataDir, env), await keyThumbprints(options, env)];
  return wholeDirectory(directory, async (unfinished) => {
    const files = new Map<string, Written>();
    const { takenAt, tables, migrations, ...dumped } = await dumpDatabase(url, async ({ name }, rows) => {
      files.set(name, await writeCompressed(unfinished, `${name}.copy.gz`, rows));
    });
    const manifest: Manifest = {
      format: backupFormat,
      version,
      ...dumped,
      takenAt: new Date(takenAt).toISOString(),
      ledgerSequence: dumped.sequences.find(({ name }) => name === ledger)?.value ?? null,
      keys,
      migrations: [...migrations],
      sequences: [...dumped.sequences],
      tables: tables.map(({ name, columns, rows }) => {
        const written = files.get(name);
        if (!written) throw new Error(`the table ${name} was not written`);
        return { name, columns: [...columns], rows, ...written };
      }),
    };
    await writeManifest(unfinished, manifest);
    return manifest;
  });
}

/** What a user is told of a backup. */
export function backupSummary(
  directory: string,
  { tables, takenAt, ledgerSequence, keys }: Manifest,
): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
  const lines = [
    `Backed up ${rows} rows of ${tables.length} tables as of ${takenAt} to ${directory} (${bytes} bytes).`,
    `The ledger's last sequence number is ${ledgerSequence ?? 'unknown'}.`,
    Object.keys(keys).length === 0
      ? 'No signing key was found, so a restore cannot compare keys: set COORDINATOR_KEY and PLAYER_JWKS, or --data-dir.'
      : `Keys are not in the backup: keep those of ${Object.keys(keys).join(' and ')} apart.`,
  ];
  return lines.join('\n');
}
