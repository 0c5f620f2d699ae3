import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import type {
  MigrationDirectory,
  MigrationList,
  SchemaEngine,
} from '@prisma/schema-engine-wasm/schema_engine_bg';
import { connectForMigrations, type LockPatience } from './migration-connection.js';
import { roleOf, roleServices } from './roles.js';
import { NO_FILTERS, withSchemaEngine } from './schema-engine.js';

export { schemaDrift } from './schema-drift.js';

/** The advisory lock of a migrating process: "muster" in ASCII. */
const LOCK = 0x6d7573746572n;
/**
 * The lock of Prisma's engine while it applies migrations. It may outlive its process: the server finishes the
 * statements of a killed client.
 */
const ENGINE_LOCK = 72707369n;
const LOCK_RETRY_MS = 100;
const LOCK_TIMEOUT_MS = 5 * 60_000;

/**
 * Polls for a lock instead of waiting inside the server, where the open query would block a `CREATE INDEX CONCURRENTLY`
 * of the lock's holder.
 */
async function lock(guard: SqlDriverAdapter, key: bigint, until: number): Promise<void> {
  const sql = `SELECT pg_try_advisory_lock(${key})`;
  for (;;) {
    const { rows } = await guard.queryRaw({ sql, args: [], argTypes: [] });
    if (rows[0]?.[0] === true) return;
    if (Date.now() > until) {
      throw new Error(
        'another process has been migrating this database for five minutes; see pg_stat_activity',
      );
    }
    await sleep(LOCK_RETRY_MS);
  }
}

/**
 * Runs `work` under the migration locks, which also exclude the statements of a killed process. The lock has its own
 * connection, because a failed statement closes the engine's.
 */
async function exclusively<T>(
  databaseUrl: string,
  work: (guard: SqlDriverAdapter) => Promise<T>,
): Promise<T> {
  const guard = await connectForMigrations(databaseUrl);
  const until = Date.now() + LOCK_TIMEOUT_MS;
  try {
    await lock(guard, LOCK, until);
    await lock(guard, ENGINE_LOCK, until);
    await guard.queryRaw({ sql: `SELECT pg_advisory_unlock(${ENGINE_LOCK})`, args: [], argTypes: [] });
    return await work(guard);
  } finally {
    // Closing the connection releases the lock.
    await guard.dispose();
  }
}

async function readMigrations(directory: string): Promise<MigrationList> {
  const names: string[] = [];
  for (const entry of await readdir(directory, { withFileTypes: true }))
    if (entry.isDirectory()) names.push(entry.name);
  const migrationDirectories = await Promise.all(
    names.sort().map(async (name): Promise<MigrationDirectory> => {
      const path = 'migration.sql';
      const value = await readFile(join(directory, name, path), 'utf8');
      return { path: name, migrationFile: { path, content: { tag: 'ok', value } } };
    }),
  );
  const lockfile = 'migration_lock.toml';
  const content = await readFile(join(directory, lockfile), 'utf8').catch(() => null);
  return {
    baseDir: directory,
    lockfile: { path: lockfile, content },
    shadowDbInitScript: '',
    migrationDirectories,
  };
}

/** Whether the roles of all services exist and have their grants. */
async function areGranted(guard: SqlDriverAdapter): Promise<boolean> {
  const roles = roleServices.map((service) => `'${roleOf(service)}'`).join(', ');
  const sql = `
    SELECT count(*) = ${roleServices.length} FROM pg_roles
    WHERE rolname IN (${roles}) AND has_table_privilege(rolname, '_prisma_migrations', 'SELECT')`;
  const { rows } = await guard.queryRaw({ sql, args: [], argTypes: [] });
  return rows[0]?.[0] === true;
}

async function grantAgain(guard: SqlDriverAdapter, { migrationDirectories }: MigrationList): Promise<void> {
  for (const { path, migrationFile } of migrationDirectories)
    if (path.endsWith('_grants') && migrationFile.content.tag === 'ok')
      await guard.executeRaw({ sql: migrationFile.content.value, args: [], argTypes: [] });
}

/**
 * Applies the pending migrations, each atomically, and records them in `_prisma_migrations` as Prisma does. Concurrent
 * calls are serialised; the later ones find nothing to do. A migration that failed or was interrupted is retried: its
 * statements were rolled back, unless it commits by itself. A `CREATE INDEX CONCURRENTLY` must be the only statement of
 * its migration.
 *
 * A migration that does not get a lock on a table in time is rolled back, lets others go first, and is tried again.
 *
 * Migrations whose names end in `_grants` run again while a service's role is missing or has no grants, so that roles
 * created later get theirs.
 *
 * @param databaseUrl the server itself, not a transaction pooler
 * @param migrationsDir the directory with one directory per migration
 * @param patience how a migration waits for locks on tables
 * @returns the names of the migrations applied now, in order
 */
export async function migrate(
  databaseUrl: string,
  migrationsDir: string,
  patience?: LockPatience,
): Promise<{ applied: string[] }> {
  const migrationsList = await readMigrations(resolve(migrationsDir));
  const apply = (engine: SchemaEngine): Promise<{ applied: string[] }> =>
    exclusively(databaseUrl, async (guard) => {
      const { failedMigrationNames } = await engine.diagnoseMigrationHistory({
        migrationsList,
        optInToShadowDatabase: false,
        filters: NO_FILTERS,
      });
      for (const migrationName of failedMigrationNames)
        await engine.markMigrationRolledBack({ migrationName });
      const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters: NO_FILTERS });
      if (!(await areGranted(guard))) await grantAgain(guard, migrationsList);
      return { applied: appliedMigrationNames };
    });
  return withSchemaEngine(databaseUrl, 'Applying migrations', apply, patience);
}
