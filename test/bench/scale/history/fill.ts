import { type Extent, growing, historyStatements } from '../../../support/synthetic-history.js';
import type { Db } from '../../../support/prisma.js';

/**
 * Writes a history of any length. Indexes that are not of a primary key are dropped and built again, and constraints between tables
 * are not checked: inserting into them one by one takes several times as long.
 */
export async function fillAtOnce(db: Db, extent: Extent, say: (text: string) => void): Promise<void> {
  const indexes = await db.$queryRaw<{ name: string; definition: string }[]>`
    SELECT indexname AS name, indexdef AS definition FROM pg_indexes
    WHERE schemaname = 'public' AND tablename = ANY(${[...growing]}::text[]) AND indexname NOT LIKE '%_pkey'`;
  for (const { name } of indexes) await db.$executeRawUnsafe(`DROP INDEX "${name}"`);
  for (const [table, sql] of historyStatements(extent)) {
    say(`  ${table}`);
    await quietly(db, sql);
  }
  for (const { name, definition } of indexes) {
    say(`  index ${name}`);
    await db.$executeRawUnsafe(definition);
  }
  say('  statistics');
  await db.$executeRawUnsafe('VACUUM ANALYZE');
}

/** Without triggers and foreign keys. */
export async function quietly(db: Db, sql: string): Promise<void> {
  await db.$executeRawUnsafe(`DO $$ BEGIN
    PERFORM set_config('session_replication_role', 'replica', true);
    PERFORM set_config('synchronous_commit', 'off', true);
    ${sql};
  END $$`);
}

/** The size of a database, in GB. */
export async function gigabytes(db: Db): Promise<number> {
  const [row] = await db.$queryRaw<{ bytes: number }[]>`
    SELECT pg_database_size(current_database())::float8 AS bytes`;
  return (row?.bytes ?? 0) / 1e9;
}
