import { createDb, NotLoadable, NothingToDump, type Db } from '@muster/db';
import { databaseOf } from '@muster/command-line/operator/database';

/**
 * Runs with the database, as the owner of its tables.
 *
 * @param name of the command, which the database shows
 * @throws Error with a user-facing message
 */
export async function withDatabase<T>(
  name: string,
  { dataDir }: { readonly dataDir: string },
  env: NodeJS.ProcessEnv,
  use: (db: Db) => Promise<T>,
): Promise<T> {
  const db = createDb(await databaseOf(dataDir, env), {
    maxConnections: 1,
    applicationName: `muster-${name}`,
  });
  try {
    return await use(db);
  } catch (error) {
    throw explained(error);
  } finally {
    await db.$disconnect();
  }
}

const unreachable = new Set([
  'ConnectionClosed',
  'DatabaseNotReachable',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
]);

/** A user-facing message for the errors of a database; others are returned as they are. */
export function explained(error: unknown): unknown {
  if (error instanceof NotLoadable || error instanceof NothingToDump)
    return new Error(`${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`, { cause: error });
  const code = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  const message = error instanceof Error ? error.message : String(error);
  if (typeof code === 'string' && unreachable.has(code))
    return new Error(`The database of DATABASE_URL does not answer: ${message}.`, { cause: error });
  if (code === '53100')
    return new Error(`The database's disk is full: nothing was restored. ${message}.`, { cause: error });
  if (code === '42501')
    return new Error(
      `The user of DATABASE_URL may not do this (${message}): use the owner of the tables, who also migrates.`,
      { cause: error },
    );
  return error;
}
