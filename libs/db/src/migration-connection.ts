import { PrismaPg } from '@prisma/adapter-pg';
import {
  ColumnTypeEnum,
  type ColumnType,
  type SqlDriverAdapter,
  type SqlQuery,
  type SqlResultSet,
  isDriverAdapterError,
} from '@prisma/driver-adapter-utils';
import { setTimeout as sleep } from 'node:timers/promises';

const CONNECT_TIMEOUT_MS = 10_000;

/** Types of the system catalogue by oid. The adapter supports all but `"char"` (18), on which it fails. */
const CATALOGUE_TYPES: Readonly<Record<number, ColumnType>> = {
  16: ColumnTypeEnum.Boolean,
  18: ColumnTypeEnum.Character,
  19: ColumnTypeEnum.Text,
  20: ColumnTypeEnum.Int64,
  21: ColumnTypeEnum.Int32,
  23: ColumnTypeEnum.Int32,
  25: ColumnTypeEnum.Text,
  26: ColumnTypeEnum.Int64,
};

type PgAdapter = Awaited<ReturnType<PrismaPg['connect']>>;

async function queryCatalogue(adapter: PgAdapter, query: SqlQuery, cause: unknown): Promise<SqlResultSet> {
  const { fields, rows } = await adapter
    .underlyingDriver()
    .query<unknown[]>({ text: query.sql, values: query.args, rowMode: 'array' });
  const columnTypes = fields.map((field) => {
    const type = CATALOGUE_TYPES[field.dataTypeID];
    if (type === undefined) throw cause;
    return type;
  });
  return { columnNames: fields.map((field) => field.name), columnTypes, rows };
}

/**
 * Sent with a migration's statements, because the server finishes them even if the client is killed; the engine's own
 * record would then be missing. The running migration is the only unfinished row.
 */
const RECORD = `UPDATE "_prisma_migrations" SET "finished_at" = now()
  WHERE "finished_at" IS NULL AND "rolled_back_at" IS NULL;`;

/** Such statements fail inside a multi-statement transaction. */
const OUTSIDE_TRANSACTIONS = /\bconcurrently\b/i;

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

async function patiently(adapter: PgAdapter, script: string, patience: LockPatience): Promise<void> {
  const sql = `SET LOCAL lock_timeout = ${patience.waitMs};\n${script}`;
  for (let tried = 1; ; tried++) {
    try {
      await adapter.executeRaw({ sql, args: [], argTypes: [] });
      return;
    } catch (error) {
      const code = isDriverAdapterError(error) ? error.cause.originalCode : undefined;
      if (code !== LOCK_NOT_AVAILABLE || tried === patience.tries) throw error;
      await sleep(patience.pauseMs);
    }
  }
}

/** The adapter in the form that the schema engine needs. */
function forMigrations(adapter: PgAdapter, patience: LockPatience): SqlDriverAdapter {
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    executeRaw: (query) => adapter.executeRaw(query),
    startTransaction: (level) => adapter.startTransaction(level),
    getConnectionInfo: () => adapter.getConnectionInfo(),
    dispose: () => adapter.dispose(),
    async queryRaw(query) {
      try {
        return await adapter.queryRaw(query);
      } catch (error) {
        if (!isDriverAdapterError(error) || error.cause.kind !== 'UnsupportedNativeDataType') throw error;
        return queryCatalogue(adapter, query, error);
      }
    },
    // The adapter splits scripts at every ";", also within function bodies and comments. Sent whole and without
    // parameters, PostgreSQL separates the statements and applies all or none.
    async executeScript(script) {
      // It blocks nobody while it waits, and giving up would leave an invalid index behind.
      if (OUTSIDE_TRANSACTIONS.test(script))
        await adapter.executeRaw({ sql: script, args: [], argTypes: [] });
      else await patiently(adapter, `${script}\n;\n${RECORD}`, patience);
    },
  };
}

/**
 * Connects to `databaseUrl` for the schema engine: one connection, never closed as idle. After a failed statement it is
 * a new connection, and all state of the old one is lost.
 */
export async function connectForMigrations(
  databaseUrl: string,
  patience = usualPatience,
): Promise<SqlDriverAdapter> {
  const factory = new PrismaPg({
    connectionString: databaseUrl,
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'muster-migrate',
  });
  return forMigrations(await factory.connect(), patience);
}
