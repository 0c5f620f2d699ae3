import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.js';
import { type DbRole, roleTaker } from './roles.js';
import { Lender, Statements } from './sql.js';
import { statementNames } from './statement-names.js';
import { Socket } from 'node:net';

/** The connections of one process. */
export type Db = PrismaClient & {
  /** Runs statements on the same connections without Prisma: for all that is frequent. */
  readonly $sql: Statements;
};

/** How one process uses the database. */
export interface DbOptions {
  /** Connections this process may hold at most; 10 unless told. Four services share the server's limit. */
  maxConnections?: number;
  /** The name shown in `pg_stat_activity`. */
  applicationName?: string;
  /** Whether statements are kept prepared on each connection; yes unless told. A pooler in between must be able to. */
  prepare?: boolean;
  /** None unless given: then a statement, a lock or a connection lasts for as long as it will. */
  limits?: DbLimits | undefined;
  /** The rights that connections have; those of their user unless given. */
  role?: DbRole;
}

/** How long the database lets a process hold something up, in milliseconds. The server enforces them, so a stopped process cannot. */
export interface DbLimits {
  /** A statement that takes longer is ended. A connection that says nothing for a little longer is given up. */
  readonly statementMs: number;
  /** A statement that waits longer for a lock is ended. */
  readonly lockMs: number;
  /** A process that holds a transaction open and says nothing for longer loses it, with all its locks. */
  readonly idleInTransactionMs: number;
}

/**
 * For services. A transaction is idle between two of its statements only, so a process that is silent in one for so long is
 * stopped or cut off. Who waits for its locks waits longer than that, and then goes on.
 */
export const serviceLimits: DbLimits = { statementMs: 20_000, lockMs: 8_000, idleInTransactionMs: 4_000 };

/** Connections that are all in use, or a silent network, become an error that a retry can handle, not a request that hangs. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Beyond the limit of a statement, whose end the server still has to tell. */
const SILENT_MORE_MS = 2_000;

/** What of a limit Postgres enforces, and what this side does: notice that the server has gone without a word. */
function enforced({ statementMs, lockMs, idleInTransactionMs }: DbLimits): object {
  return {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    // After a fail-over packets to the old server may go nowhere, and TCP alone would wait for a quarter of an hour.
    stream: (): Socket => {
      const socket = new Socket();
      const silentMs = statementMs + SILENT_MORE_MS;
      return socket.setTimeout(silentMs, () =>
        socket.destroy(new Error(`Connection terminated: the database said nothing for ${silentMs} ms`)),
      );
    },
  };
}

/**
 * Opens connections; the first query connects. Close it with `$disconnect()`.
 *
 * @param url `postgresql://user:password@host:port/database`
 */
export function createDb(url: string, options: DbOptions = {}): Db {
  const onConnect = options.role && roleTaker(options.role);
  const nameOf = options.prepare === false ? () => '' : statementNames();
  const lender = new Lender(
    new PrismaPg(
      {
        connectionString: url,
        max: options.maxConnections ?? 10,
        application_name: options.applicationName,
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
        keepAlive: true,
        ...(options.limits ? enforced(options.limits) : {}),
        ...(onConnect ? { onConnect } : {}),
      },
      { statementNameGenerator: nameOf },
    ),
  );
  const prisma = new PrismaClient({ adapter: lender });
  const statements = new Statements(async () => {
    if (!lender.connections || lender.connections.ended) await prisma.$connect();
    if (!lender.connections) throw new Error('Prisma did not connect');
    return lender.connections;
  }, nameOf);
  return Object.assign(prisma, { $sql: statements });
}

/** The database's own time, in milliseconds since the epoch. */
export async function databaseTime(db: Db): Promise<number> {
  const [row] = await db.$queryRaw<{ now: number }[]>`
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`;
  if (!row) throw new Error('the database does not tell the time');
  return row.now;
}
