import { createHash, randomUUID } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { connectOnce } from '../copies/dump.js';
import { readMigrationNames, readTables } from '../copies/layout.js';
import { roleOf, roleServices } from '../roles.js';

type Connection = InstanceType<typeof pg.Client>;

interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** The advisory lock of everybody who migrates: of Prisma, and of releases that migrate with its engine. */
const LOCK = 72707369;
const LOCK_RETRY_MS = 100;
const LOCK_TIMEOUT_MS = 5 * 60_000;

/** How a migration waits for locks on tables. While it does, all later statements on these tables wait behind it. */
export interface LockPatience {
  /** The time that it waits before it lets the others go first. Services wait twice as long for a lock. */
  readonly waitMs: number;
  /** The time until it is tried again. */
  readonly pauseMs: number;
  readonly tries: number;
}

const usualPatience: LockPatience = { waitMs: 4_000, pauseMs: 2_000, tries: 5 };

/** SQLSTATE of a statement that did not get its lock in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/** Such statements fail inside a transaction. */
const OUTSIDE_TRANSACTIONS = /\bconcurrently\b/i;
/** The index of such a statement. */
const INDEX =
  /^\s*(create|drop)\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+(?:not\s+)?exists\s+)?"?(\w+)"?/im;

/** As Prisma creates it: its command line can go on with this database, and this runner with one of Prisma's. */
const createTable = `
  CREATE TABLE _prisma_migrations (
    id VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum VARCHAR(64) NOT NULL,
    finished_at TIMESTAMPTZ,
    migration_name VARCHAR(255) NOT NULL,
    logs TEXT,
    rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;

/**
 * Takes the lock, and keeps it until the connection ends. Polls instead of waiting inside the server, where the open
 * query would block a `CREATE INDEX CONCURRENTLY` of the lock's holder.
 */
async function lock(connection: Connection): Promise<void> {
  const until = Date.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    const { rows } = await connection.query<{ locked: boolean }>(
      `SELECT pg_try_advisory_lock(${LOCK}) AS locked`,
    );
    if (rows[0]?.locked) return;
    if (Date.now() > until)
      throw new Error(
        'another process has been migrating this database for five minutes; see pg_stat_activity',
      );
    await sleep(LOCK_RETRY_MS);
  }
}

/** The names of the migrations of a directory, in order. */
export async function migrationNames(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** The migrations that the database lacks. Creates the table of migrations in an empty one. */
async function pendingOf(connection: Connection, migrations: readonly Migration[]): Promise<Migration[]> {
  const applied = await readMigrationNames(connection);
  if (applied === null) {
    const [foreign] = await readTables(connection);
    if (foreign)
      throw new Error(`the database has tables of something else (${foreign.name}): migrate an empty one`);
    await connection.query(createTable);
    return [...migrations];
  }
  const pending = migrations.filter(({ name }) => !applied.includes(name));
  const unknown = applied.filter((name) => !migrations.some((known) => known.name === name));
  // A newer database has more, and lacks none.
  if (unknown[0] !== undefined && pending[0] !== undefined)
    throw new Error(
      `the database has ${unknown[0]}, which this version does not know, and lacks ${pending[0].name}: it is not of a ` +
        'release. Go on with the version that migrated it, or migrate an empty database',
    );
  // A failed or interrupted one is tried again: its statements were rolled back, unless it commits by itself.
  await connection.query(
    'UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL',
  );
  return pending;
}

/** Runs a script in one transaction, which waits for locks on tables and lets others go first when it gets none. */
async function patiently(connection: Connection, script: string, patience: LockPatience): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await connection.query(`SET LOCAL lock_timeout = ${patience.waitMs};\n${script}`);
      return;
    } catch (error) {
      const isLock = error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
      if (!isLock || tried === patience.tries) throw error;
      await sleep(patience.pauseMs);
    }
  }
}

/**
 * Clears what a killed run left of a statement outside transactions: the server may have finished it, and nobody recorded
 * that. An index of this name that no such run can have made stays.
 *
 * @returns whether there is nothing left to do
 */
async function clearLeft(connection: Connection, { name, sql }: Migration): Promise<boolean> {
  const [, verb, index] = INDEX.exec(sql) ?? [];
  if (verb === undefined || index === undefined) return false;
  const { rows } = await connection.query<{ valid: boolean | null; interrupted: boolean }>(
    `SELECT (SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)) AS valid,
       EXISTS (SELECT FROM _prisma_migrations WHERE migration_name = $2 AND finished_at IS NULL AND logs IS NULL) AS interrupted`,
    [`"${index}"`, name],
  );
  const { valid = null, interrupted = false } = rows[0] ?? {};
  if (verb.toLowerCase() === 'drop') return interrupted && valid === null;
  if (valid === false || (valid && interrupted)) await connection.query(`DROP INDEX CONCURRENTLY "${index}"`);
  return false;
}

async function apply(
  connection: Connection,
  { name, sql }: Migration,
  patience: LockPatience,
): Promise<void> {
  const isAlone = OUTSIDE_TRANSACTIONS.test(sql);
  const isDone =
    isAlone &&
    (await clearLeft(connection, { name, sql }).catch((error: unknown) => {
      throw new Error(`${messageOf(error)} (in ${name})`, { cause: error });
    }));
  const id = randomUUID();
  const checksum = createHash('sha256').update(sql).digest('hex');
  await connection.query(
    'INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, $2, $3)',
    [id, checksum, name],
  );
  const done = `UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = '${id}'`;
  try {
    if (isAlone) {
      // Without a limit for locks: it blocks nobody while it waits, and giving up would leave an invalid index behind.
      if (!isDone) await connection.query(sql);
      await connection.query(done);
    }
    // In one query, because the server finishes the statements of a killed client, which cannot record them any more.
    else await patiently(connection, `${sql}\n;\n${done}`, patience);
  } catch (error) {
    // Without its connection, a migration stays unfinished and has no log.
    await connection
      .query('UPDATE _prisma_migrations SET logs = $2 WHERE id = $1', [id, logsOf(name, error)])
      .catch(() => undefined);
    const left = isAlone ? 'The next run drops an invalid index of it' : 'Nothing of it was kept';
    throw new Error(`${messageOf(error)} (in ${name}). ${left}, remove the cause, and migrate again.`, {
      cause: error,
    });
  }
}

/** What Prisma writes beside a failed migration. */
function logsOf(name: string, error: unknown): string {
  const code = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
  return `Migration name: ${name}\n\nDatabase error code: ${code}\n\nDatabase error:\n${messageOf(error)}`;
}

function messageOf(error: unknown): string {
  if (error instanceof pg.DatabaseError) {
    const { message, detail, hint } = error;
    return [`ERROR: ${message}`, detail && `DETAIL: ${detail}`, hint && `HINT: ${hint}`]
      .filter(Boolean)
      .join('\n');
  }
  // An error of several addresses of a host has no message.
  return error instanceof Error ? error.message || String(Reflect.get(error, 'code')) : String(error);
}

/** Whether the roles of all services exist and have their grants. */
async function areGranted(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query<{ granted: boolean }>(
    `SELECT count(*) = $1 AS granted FROM pg_roles
     WHERE rolname = ANY ($2) AND has_table_privilege(rolname, '_prisma_migrations', 'SELECT')`,
    [roleServices.length, roleServices.map(roleOf)],
  );
  return rows[0]?.granted ?? false;
}

/**
 * Applies the pending migrations, each atomically, and records them in `_prisma_migrations` as Prisma does. Concurrent
 * calls are serialised; the later ones find nothing to do. A migration that failed or was interrupted is retried. A
 * `CREATE INDEX CONCURRENTLY` must be the only statement of its migration.
 *
 * A migration that does not get a lock on a table in time is rolled back, lets others go first, and is tried again.
 *
 * Migrations whose names end in `_grants` run again while a service's role is missing or has no grants, so that roles
 * created later get theirs.
 *
 * @param databaseUrl the server itself, not a transaction pooler
 * @param migrationsDir the directory with one directory per migration
 * @param options `patience`: how a migration waits for locks on tables; `only`: the names of the migrations to apply, all
 * by default
 * @returns the names of the migrations applied now, in order
 * @throws Error that names the migration, its error and the next step
 */
export async function migrate(
  databaseUrl: string,
  migrationsDir: string,
  { patience = usualPatience, only }: { patience?: LockPatience; only?: readonly string[] } = {},
): Promise<{ applied: string[] }> {
  const names = (await migrationNames(migrationsDir)).filter((name) => only?.includes(name) ?? true);
  const migrations = await Promise.all(
    names.map(async (name) => ({
      name,
      sql: await readFile(join(migrationsDir, name, 'migration.sql'), 'utf8'),
    })),
  );
  try {
    const connection = await connectOnce(databaseUrl, 'muster-migrate');
    try {
      await lock(connection);
      const pending = await pendingOf(connection, migrations);
      for (const migration of pending) await apply(connection, migration, patience);
      if (!(await areGranted(connection)))
        for (const { name, sql } of migrations) if (name.endsWith('_grants')) await connection.query(sql);
      return { applied: pending.map(({ name }) => name) };
    } finally {
      await connection.end().catch(() => undefined);
    }
  } catch (error) {
    throw new Error(`Applying migrations failed: ${messageOf(error)}`, { cause: error });
  }
}
