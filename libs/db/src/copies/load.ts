import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { connectOnce, withoutLimits, type Dumped } from './dump.js';
import { quoted, readMigrationNames, readTables, type Table } from './layout.js';

/** The database cannot take a dump as it is; the message says why and what to do. */
export class NotLoadable extends Error {
  override readonly name = 'NotLoadable';
}

type Connection = InstanceType<typeof pg.Client>;

/** How long other connections may keep a table busy. */
const LOCK_TIMEOUT = '2s';

/**
 * The migrations of a database that is to be loaded.
 *
 * @returns the names; empty if it was never migrated
 * @throws NotLoadable if it has tables that no migration of Muster made
 */
export async function migrationsOf(url: string): Promise<string[]> {
  const connection = await connectOnce(url, 'muster-restore');
  try {
    const names = await readMigrationNames(connection);
    if (names !== null) return names;
    const foreign = await readTables(connection);
    if (foreign.length > 0)
      throw new NotLoadable(
        `the database has tables of something else (${list(foreign)}): restore into an empty database`,
      );
    return [];
  } finally {
    await connection.end().catch(() => undefined);
  }
}

function list(tables: readonly Table[]): string {
  const names = tables.slice(0, 5).map(({ name }) => name);
  return `${names.join(', ')}${tables.length > names.length ? ', …' : ''}`;
}

async function checkEmpty(connection: Connection, tables: readonly Table[]): Promise<void> {
  const filled: Table[] = [];
  for (const table of tables) {
    const { rows } = await connection.query(`SELECT 1 FROM ${quoted(table.name)} LIMIT 1`);
    if (rows.length > 0) filled.push(table);
  }
  if (filled.length > 0)
    throw new NotLoadable(
      `the database is not empty: it has rows in ${list(filled)}. Restore into a new database, before any service has used it`,
    );
}

/** Of the tables of a database, those with triggers of their own: they guard changes, not the rows of a dump. */
async function triggered(connection: Connection): Promise<string[]> {
  const { rows } = await connection.query<{ name: string }>(
    `SELECT DISTINCT relname AS name FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
     WHERE NOT tgisinternal AND tgenabled <> 'D' AND relnamespace = 'public'::regnamespace`,
  );
  return rows.map(({ name }) => name);
}

/**
 * Loads a dump into the empty tables of a database, in one transaction: all of it, or nothing. Keys, checks and foreign
 * keys are in force. Triggers are not: what they add is part of the dump.
 *
 * @param read opens the rows of a table, in the text format of COPY
 * @throws NotLoadable if it is not empty, in use, or another number of rows arrives; a driver error otherwise
 */
export async function loadDatabase(
  url: string,
  { tables, sequences }: Pick<Dumped, 'tables' | 'sequences'>,
  read: (table: Table) => Readable,
): Promise<void> {
  const connection = await connectOnce(url, 'muster-restore');
  try {
    await connection.query('BEGIN');
    await connection.query(withoutLimits);
    await connection.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    const there = await readTables(connection);
    const missing = tables.filter(({ name }) => !there.some((table) => table.name === name));
    if (missing.length > 0)
      throw new NotLoadable(`the database lacks tables of the backup (${list(missing)})`);
    await lockAll(connection, there);
    await checkEmpty(connection, there);
    const guarded = await triggered(connection);
    for (const name of guarded) await connection.query(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`);
    // Parents first, by the keys of this database.
    const wanted = new Map(tables.map((table) => [table.name, table]));
    for (const { name } of there) {
      const table = wanted.get(name);
      if (table) await loadTable(connection, table, read(table));
    }
    for (const { name, value, isCalled } of sequences)
      await connection.query('SELECT setval($1::regclass, $2::bigint, $3)', [quoted(name), value, isCalled]);
    for (const name of guarded) await connection.query(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`);
    await connection.query('COMMIT');
    // Without statistics, the first plans would scan.
    await connection.query('ANALYZE');
  } finally {
    await connection.end().catch(() => undefined);
  }
}

/** @throws NotLoadable if another connection uses a table */
async function lockAll(connection: Connection, tables: readonly Table[]): Promise<void> {
  const names = tables.map(({ name }) => quoted(name)).join(', ');
  try {
    await connection.query(`LOCK TABLE ${names} IN ACCESS EXCLUSIVE MODE`);
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === '55P03')
      throw new NotLoadable('the database is in use: stop all services first', { cause: error });
    throw error;
  }
}

async function loadTable(
  connection: Connection,
  { name, columns, rows: expected }: Dumped['tables'][number],
  rows: Readable,
): Promise<void> {
  const target = connection.query(
    copyFrom(`COPY ${quoted(name)} (${columns.map(quoted).join(', ')}) FROM STDIN`),
  );
  await pipeline(rows, target);
  if (target.rowCount !== expected)
    throw new NotLoadable(
      `the backup has ${target.rowCount} rows of ${name} instead of the ${expected} that its manifest names`,
    );
}
