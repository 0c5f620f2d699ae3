import { to as copyTo } from 'pg-copy-streams';
import type { Readable } from 'node:stream';
import { readAddress } from '../servers/address.js';
import {
  quoted,
  readMigrationNames,
  readSequences,
  readTables,
  type Sequence,
  type Table,
} from './layout.js';
import { connectToOne } from '../servers/servers.js';

const CONNECT_TIMEOUT_MS = 10_000;

/** What a dump contains beside its rows. */
export interface Dumped {
  /** The names of the migrations that the database has, in order. */
  readonly migrations: readonly string[];
  readonly tables: readonly (Table & { readonly rows: number })[];
  readonly sequences: readonly Sequence[];
  /** When the snapshot was taken, by the database's clock, in milliseconds since the epoch. */
  readonly takenAt: number;
  /** The position of the snapshot in the database's log, such as `0/3000148`. */
  readonly position: string;
  /** The version of PostgreSQL. */
  readonly server: string;
}

/** The database has no tables of Muster. */
export class NothingToDump extends Error {
  override readonly name = 'NothingToDump';
}

/** A role may have limits for services (`ALTER ROLE … SET`); a whole database takes longer. */
export const withoutLimits =
  'SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = 0';

/** Opens one connection, without any time limit. @throws an error of the connection */
export async function connectOnce(url: string, applicationName: string): ReturnType<typeof connectToOne> {
  return connectToOne(readAddress(url), {
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
}

/**
 * Reads all rows of one snapshot while the database is in use. Nothing is locked but changes of the schema.
 *
 * @param write stores the rows of a table, in the text format of COPY; awaited before the next table
 * @throws NothingToDump
 */
export async function dumpDatabase(
  url: string,
  write: (table: Table, rows: Readable) => Promise<void>,
): Promise<Dumped> {
  const connection = await connectOnce(url, 'muster-backup');
  try {
    await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await connection.query(withoutLimits);
    const migrations = await readMigrationNames(connection);
    if (migrations === null || migrations.length === 0)
      throw new NothingToDump('the database has no tables of Muster: nothing was ever migrated in it');
    const tables = await readTables(connection);
    // A migration that changes a table fails after its lock timeout, instead of changing one that is not read yet.
    await connection.query(
      `LOCK TABLE ${tables.map(({ name }) => quoted(name)).join(', ')} IN ACCESS SHARE MODE`,
    );
    const { rows: facts } = await connection.query<{ takenAt: number; position: string; server: string }>(
      `SELECT (extract(epoch FROM now()) * 1000)::float8 AS "takenAt", current_setting('server_version') AS server,
        (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END)::text AS position`,
    );
    const dumped: (Table & { rows: number })[] = [];
    for (const table of tables) {
      const columns = table.columns.map(quoted).join(', ');
      const rows = connection.query(copyTo(`COPY ${quoted(table.name)} (${columns}) TO STDOUT`));
      await write(table, rows);
      dumped.push({ ...table, rows: rows.rowCount });
    }
    const sequences = await readSequences(connection);
    await connection.query('COMMIT');
    const [fact] = facts;
    if (!fact) throw new Error('the database reported no time');
    return { migrations, tables: dumped, sequences, ...fact, takenAt: Math.round(fact.takenAt) };
  } finally {
    await connection.end().catch(() => undefined);
  }
}
