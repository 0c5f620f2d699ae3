import type { Db } from '../client.js';
import { NotMigrated } from '../not-migrated.js';
import { migrations } from '../generated/migrations.js';

/**
 * Checks that the database has the migrations of this version. A newer database has more and is accepted.
 *
 * @throws NotMigrated with the missing ones; a driver error if there is no database or it is empty
 */
export async function checkMigrated(db: Db): Promise<void> {
  const applied = await db.$sql.$queryRaw<{ name: string }[]>`
    SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL`;
  const names = new Set(applied.map(({ name }) => name));
  const missing = migrations.filter((name) => !names.has(name));
  if (missing.length > 0) throw new NotMigrated(missing);
}
