import type { Db } from './client.js';

/**
 * What tells a database from another one, and from itself before it was restored to an earlier time: the system identifier of
 * the server, the number of the database and the timeline, which each promotion and each recovery to a point in time begins
 * anew. A standby has the identity of its primary until it is promoted.
 *
 * @returns null on a standby
 */
export async function databaseIdentity(db: Db): Promise<string | null> {
  const [row] = await db.$sql.$queryRaw<{ identity: string | null }[]>`
    SELECT CASE WHEN NOT pg_is_in_recovery() THEN concat_ws(':', (SELECT system_identifier FROM pg_control_system()),
      (SELECT oid FROM pg_database WHERE datname = current_database()), left(pg_walfile_name(pg_current_wal_lsn()), 8)) END AS identity`;
  return row?.identity ?? null;
}
