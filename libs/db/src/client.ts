import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.js';
import { statementNames } from './statement-names.js';

/** The typed connection pool of one process. */
export type Db = PrismaClient;

/** How one process uses the database. */
export interface DbOptions {
  /** Connections this process may hold at most; 10 unless told. Four services share the server's limit. */
  maxConnections?: number;
  /** The name shown in `pg_stat_activity`. */
  applicationName?: string;
  /** Whether statements are kept prepared on each connection; yes unless told. A pooler in between must be able to. */
  prepare?: boolean;
}

/** A full pool or a silent network shall become an error that a retry can handle, not a request that hangs. */
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Opens a pool of connections; the first query connects. Close it with `$disconnect()`.
 *
 * @param url `postgresql://user:password@host:port/database`
 */
export function createDb(url: string, options: DbOptions = {}): PrismaClient {
  const adapter = new PrismaPg(
    {
      connectionString: url,
      max: options.maxConnections ?? 10,
      application_name: options.applicationName,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    },
    options.prepare === false ? {} : { statementNameGenerator: statementNames() },
  );
  return new PrismaClient({ adapter });
}
