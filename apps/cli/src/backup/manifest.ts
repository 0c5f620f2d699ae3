import { z } from 'zod';

/** The format of the backups that this version writes. */
export const backupFormat = 1;
export const manifestFile = 'manifest.json';

const count = z.number().int().min(0);
const table = z.object({
  name: z.string().min(1),
  columns: z.array(z.string().min(1)),
  rows: count,
  file: z.string().regex(/^[a-z0-9_]+\.copy\.gz$/),
  bytes: count,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const manifestSchema = z.object({
  format: z.literal(backupFormat),
  /** The version of Muster. */
  version: z.string(),
  /** The version of PostgreSQL. */
  server: z.string(),
  /** When the snapshot was taken, by the database's clock. */
  takenAt: z.iso.datetime(),
  /** The position of the snapshot in the database's log, for point-in-time recovery. */
  position: z.string(),
  /** The ledger's last sequence number. */
  ledgerSequence: z.string().regex(/^\d+$/).nullable(),
  /** Thumbprints (RFC 7638) of the public halves of the signing keys by setting. Keys are not in a backup. */
  keys: z.record(z.string(), z.array(z.string())),
  migrations: z.array(z.string().min(1)).min(1),
  tables: z.array(table),
  sequences: z.array(z.object({ name: z.string(), value: z.string().regex(/^\d+$/), isCalled: z.boolean() })),
});

/** What a backup contains. */
export type Manifest = z.infer<typeof manifestSchema>;
export type BackedUpTable = Manifest['tables'][number];

/**
 * Reads the text of a manifest.
 *
 * @param path for messages
 * @throws Error with a sentence that says what is wrong
 */
export function readManifest(text: string, path: string): Manifest {
  const parsed = parse(text);
  const { success, data, error } = manifestSchema.safeParse(parsed);
  if (success) return data;
  const format: unknown =
    typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, 'format') : null;
  if (typeof format === 'number' && format !== backupFormat)
    throw new Error(
      `${path} has format ${format}, and this version reads format ${backupFormat}: restore with the version that made the backup.`,
    );
  const [issue] = error.issues;
  throw new Error(`${path} is not the manifest of a backup: ${issue?.path.join('.')}: ${issue?.message}.`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Checks that a backup's migrations are the first of this version's.
 *
 * @throws Error if this version does not know one, or the database has others
 */
export function checkMigrations(
  backup: Manifest,
  known: readonly string[],
  applied: readonly string[],
): void {
  const unknown = backup.migrations.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(
      `The backup is of another version, ${backup.version}: this one does not know its migration ${unknown[0]}. Restore with that version.`,
    );
  const more = applied.filter((name) => !backup.migrations.includes(name));
  if (more.length > 0)
    throw new Error(
      `The database has the migration ${more[0]}, which is newer than the backup: restore into an empty database; the backup is migrated after it is loaded.`,
    );
}

/**
 * Compares the keys of a backup with those of this system.
 *
 * @returns a sentence for each setting whose keys differ
 */
export function otherKeys(backup: Manifest['keys'], ours: Manifest['keys']): string[] {
  const own = new Map(Object.entries(ours));
  return Object.entries(backup).flatMap(([setting, prints]) => {
    const here = own.get(setting);
    if (!here || prints.some((print) => here.includes(print))) return [];
    return [`${setting} is another key (${here.join(', ')}) than the backup's (${prints.join(', ')})`];
  });
}
