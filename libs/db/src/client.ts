import { readAddress } from './servers/address.js';
import { type DbRole, type RoleConnection, roleTaker } from './roles.js';
import { openConnections } from './servers/servers.js';
import { type CommitHook, Statements } from './sql.js';
import { statementNames } from './statement-names.js';
import { Socket } from 'node:net';

/** The connections of one process. */
export interface Db {
  readonly $sql: Statements;
  /** How many connections are open, and how many statements wait for one. */
  $connections(): { readonly used: number; readonly idle: number; readonly waiting: number };
  /** Closes all connections. The next statement opens new ones. */
  $disconnect(): Promise<void>;
}

/** How a process uses the database. */
export interface DbOptions {
  /** The maximum number of connections of this process; 10 by default. Four services share the server's limit. */
  maxConnections?: number;
  /** The time limit of connecting, in milliseconds; by default 5,000, and 10,000 with the wait for a connection in use. */
  connectMs?: number;
  /** The name shown in `pg_stat_activity`. */
  applicationName?: string;
  /** Whether statements stay prepared on each connection; true by default. A pooler in between must support it. */
  prepare?: boolean;
  /** Unlimited by default. */
  limits?: DbLimits | undefined;
  /** The rights of the connections; by default those of their user. */
  role?: DbRole;
  /** Adds to transactions. */
  hook?: CommitHook;
}

/** Limits that the database enforces, in milliseconds. A stopped process cannot enforce its own. */
export interface DbLimits {
  /** The time-out of a statement. A connection that is silent slightly longer is closed. */
  readonly statementMs: number;
  /** The time-out of waiting for a lock. */
  readonly lockMs: number;
  /** The time-out of an idle transaction, after which its locks are released. */
  readonly idleInTransactionMs: number;
  /**
   * The time-out of an idle connection, so that the server discards a link that this side gave up behind a device that still
   * answers for it. Longer than this side keeps an idle connection.
   */
  readonly idleMs: number;
}

/**
 * For services. A transaction is idle only between two statements, so a process that stays silent longer is stopped or
 * disconnected. A waiter's lock time-out is longer than that, so it then proceeds.
 */
export const serviceLimits: DbLimits = {
  statementMs: 10_000,
  lockMs: 8_000,
  idleInTransactionMs: 4_000,
  idleMs: 20_000,
};

/** Exhausted connections or a silent network becomes an error that a retry can handle, instead of a hanging request. */
const CONNECT_TIMEOUT_MS = 10_000;
const MIN_CONNECT_TIMEOUT_MS = 3_000;
/** TCP asks a silent server after this time, then every second, and gives it up ten seconds later. */
const KEEP_ALIVE_MS = 5_000;

/** The time beyond the statement time-out in which the server reports the cancellation. */
const SILENT_MORE_MS = 2_000;

/**
 * Settings of a connection by which the server finds that this side is gone. They are not start-up parameters, which a pooler
 * refuses, and are not set behind one, which would pass them on to others: the process id it reports is not the server's.
 * A server skips those that it does not know.
 */
const setVigilance = `
  SELECT set_config(name, value, false) FROM unnest($2::text[], $3::text[]) AS wanted(name, value)
  WHERE pg_backend_pid() = $1::int AND current_setting(name, true) IS NOT NULL`;

/** A hook that makes the server of a new connection notice the loss of this side within seconds. */
function vigilance({ idleMs }: DbLimits): (connection: RoleConnection) => Promise<void> {
  const settings = {
    idle_session_timeout: idleMs,
    // In seconds: after 5, then every 2 for 3 times. Unacknowledged answers: 10 seconds.
    tcp_keepalives_idle: 5,
    tcp_keepalives_interval: 2,
    tcp_keepalives_count: 3,
    tcp_user_timeout: 10_000,
  };
  const [names, values] = [Object.keys(settings), Object.values(settings).map(String)];
  return async (connection) => {
    await connection.query(setVigilance, [Reflect.get(connection, 'processID'), names, values]);
  };
}

/** The limits that Postgres enforces, and those of this side, which detect a server that disappeared. */
function enforced({ statementMs, lockMs, idleInTransactionMs }: DbLimits): object {
  return {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    // After a fail-over, packets to the old server may be dropped; TCP alone would wait for a quarter of an hour.
    stream: (): Socket => {
      const socket = new Socket();
      const silentMs = statementMs + SILENT_MORE_MS;
      return socket.setTimeout(silentMs, () =>
        socket.destroy(new Error(`Connection terminated: no data from the database for ${silentMs} ms`)),
      );
    },
  };
}

/**
 * Opens connections; the first query connects. Close it with `$disconnect()`.
 *
 * @param url `postgresql://user:password@host:port/database`, see {@link readAddress}
 * @throws BadAddress
 */
export function createDb(url: string, options: DbOptions = {}): Db {
  const hooks = [options.limits && vigilance(options.limits), options.role && roleTaker(options.role)];
  const nameOf = options.prepare === false ? () => '' : statementNames();
  const address = readAddress(url);
  const config = {
    max: options.maxConnections ?? 10,
    application_name: options.applicationName,
    // With several servers, the others are tried within about the same time.
    connectionTimeoutMillis:
      options.connectMs ?? Math.max(MIN_CONNECT_TIMEOUT_MS, CONNECT_TIMEOUT_MS / address.servers.length),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...(options.limits ? enforced(options.limits) : {}),
    onConnect: async (connection: RoleConnection) => {
      for (const hook of hooks) await hook?.(connection);
    },
  };
  let connections: ReturnType<typeof openConnections> | undefined;
  const open = (): ReturnType<typeof openConnections> => {
    if (!connections) {
      connections = openConnections(address, config, options.connectMs);
      // An idle connection that is lost is replaced. Without a listener, the loss would end the process.
      connections.on('error', () => undefined);
    }
    return connections;
  };
  return {
    $sql: new Statements(open, nameOf, options.hook),
    $connections() {
      const { totalCount = 0, idleCount = 0, waitingCount = 0 } = connections ?? {};
      return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
    },
    async $disconnect() {
      const closing = connections;
      connections = undefined;
      await closing?.end();
    },
  };
}

/** The database's time, in milliseconds since the epoch. */
export async function databaseTime(db: Db): Promise<number> {
  const [row] = await db.$sql.$queryRaw<{ now: number }[]>`
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`;
  if (!row) throw new Error('the database returned no time');
  return row.now;
}
