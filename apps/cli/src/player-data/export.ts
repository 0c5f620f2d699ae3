import type { Db } from '@muster/db';
import type { Json } from '@muster/domain';
import { withDatabase } from '../database/database.js';
import { RedisPlayerKeys } from './keys.store.js';
import { places } from './places.js';
import { withRedis, type DataOptions } from './stores.js';

/** Everything that is stored of a player. */
export interface PlayerData {
  readonly playerId: string;
  /** ISO 8601. */
  readonly exportedAt: string;
  /** Rows by table; tables without any are left out. */
  readonly tables: Readonly<Record<string, { readonly what: string; readonly rows: readonly Json[] }>>;
  /** The ticket that is open, and the latest states of it. */
  readonly ticket: Json;
}

/**
 * Reads everything that is stored of a player.
 *
 * @param now milliseconds since the epoch
 * @throws Error with a user-facing message
 */
export async function exportPlayer(
  playerId: string,
  options: DataOptions & { readonly realm: string },
  env: NodeJS.ProcessEnv,
  now: number,
): Promise<PlayerData> {
  const tables = await withDatabase('player-data', options, env, (db) => rowsOf(db, playerId));
  const ticket = await withRedis(options, env, (redis) =>
    new RedisPlayerKeys(redis, options.realm).openTicketOf(playerId),
  );
  return { playerId, exportedAt: new Date(now).toISOString(), tables, ticket };
}

/** The rows of a player in every table. */
export async function rowsOf(db: Db, playerId: string): Promise<PlayerData['tables']> {
  const tables = new Map<string, { what: string; rows: Json[] }>();
  for (const { table, what, rows } of places) {
    const found = await db.$sql.$queryRaw<{ row: Json }[]>(rows(playerId));
    if (found.length > 0) tables.set(table, { what, rows: found.map(({ row }) => row) });
  }
  return Object.fromEntries(tables);
}
