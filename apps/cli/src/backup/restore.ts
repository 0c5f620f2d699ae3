import { createDb, loadDatabase, migrate, migrationNames, migrationsOf } from '@muster/db';
import { checkout } from '@muster/embedded';
import { join } from 'node:path';
import { addressIn } from '@muster/command-line/operator/database';
import { withEmbedded } from './embedded.js';
import { checkFiles, manifestOf, readCompressed } from './files.js';
import { keyThumbprints, type DataDir } from './keys.js';
import { checkLedger, type LedgerCheck } from './ledger-check.js';
import { checkMigrations, otherKeys, type Manifest } from './manifest.js';

/** What `muster restore` was told. */
export interface RestoreOptions extends DataDir {
  readonly json: boolean;
  /** Whether other keys than those of the backup are accepted. */
  readonly otherKeys: boolean;
  /** Whether the backup is checked and nothing is changed. */
  readonly check: boolean;
}

/** What came of a restore. */
export interface Restored {
  readonly manifest: Manifest;
  /** The migrations that this version added. */
  readonly migrated: readonly string[];
  /** Null: the backup was only checked. */
  readonly ledger: LedgerCheck | null;
}

/**
 * Restores a backup into the empty database of DATABASE_URL, else into the embedded one of the data directory.
 *
 * 1. Every file is compared with the manifest, and the manifest with this version and its keys.
 * 2. The schema is migrated to that of the backup, and the rows are loaded in one transaction.
 * 3. The later migrations of this version are applied.
 * 4. The ratings are compared with the ledger.
 *
 * @throws Error with a user-facing message; the database then has no rows, or those of the whole backup
 */
export async function restore(
  directory: string,
  options: RestoreOptions,
  env: NodeJS.ProcessEnv,
): Promise<Restored> {
  const manifest = await manifestOf(directory);
  await checkFiles(directory, manifest);
  const migrationsDir = join(checkout, 'prisma/migrations');
  checkMigrations(manifest, await migrationNames(migrationsDir), []);
  checkKeys(manifest, await keyThumbprints(options, env), options);
  if (options.check) return { manifest, migrated: [], ledger: null };
  const load = (url: string): Promise<Restored> => loadInto(url, directory, manifest, migrationsDir);
  const { DATABASE_URL: given } = env;
  return given ? load(await addressIn(env, given)) : withEmbedded(options.dataDir, load);
}

async function loadInto(
  url: string,
  directory: string,
  manifest: Manifest,
  migrationsDir: string,
): Promise<Restored> {
  checkMigrations(manifest, await migrationNames(migrationsDir), await migrationsOf(url));
  await migrate(url, migrationsDir, { only: manifest.migrations });
  const files = new Map(manifest.tables.map(({ name, file }) => [name, file]));
  await loadDatabase(url, manifest, ({ name }) => readCompressed(directory, files.get(name) ?? ''));
  const { applied } = await migrate(url, migrationsDir);
  const db = createDb(url, { maxConnections: 1, applicationName: 'muster-restore' });
  try {
    return { manifest, migrated: applied, ledger: await checkLedger(db) };
  } finally {
    await db.$disconnect();
  }
}

function checkKeys(
  { keys }: Manifest,
  ours: Manifest['keys'],
  { otherKeys: accepted }: RestoreOptions,
): void {
  const differing = otherKeys(keys, ours);
  if (differing.length > 0 && !accepted)
    throw new Error(
      `${differing.join('; ')}. Tokens of before would be refused: use the keys of the backup, or --other-keys.`,
    );
}

/** What a user is told of a restore. */
export function restoreSummary({ manifest, migrated, ledger }: Restored, directory: string): string {
  const { tables, takenAt, version } = manifest;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const what = `${rows} rows of ${tables.length} tables as of ${takenAt} (Muster ${version})`;
  if (!ledger) return `The backup in ${directory} is whole: ${what}.`;
  return [
    `Restored ${what}.`,
    ...(migrated.length === 0 ? [] : [`Migrated by ${migrated.length} migrations of this version.`]),
    `${ledger.ratings} ratings equal the last of their ${ledger.changes} changes in the ledger.`,
    'Start the services with an empty Redis: tickets of before are gone, and players queue again.',
  ].join('\n');
}
