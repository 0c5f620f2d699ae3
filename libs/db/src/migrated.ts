import type { Db } from './client.js';
import { migrations } from './generated/migrations.js';

/** The database is there, and migrations that this version needs are not applied yet. */
export class NotMigrated extends Error {
  readonly code = 'not-migrated';

  constructor(readonly missing: readonly string[]) {
    super(`the database has yet to be migrated (${missing.join(', ')})`);
    this.name = 'NotMigrated';
  }
}

/**
 * Whether the database has what this version needs. One that is newer has more, and is fine.
 *
 * @throws NotMigrated with what is missing; an error of the driver when there is no database, or nothing in it
 */
export async function checkMigrated(db: Db): Promise<void> {
  const applied = await db.$queryRaw<{ name: string }[]>`
    SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL`;
  const names = new Set(applied.map(({ name }) => name));
  const missing = migrations.filter((name) => !names.has(name));
  if (missing.length > 0) throw new NotMigrated(missing);
}
