import { migrate, migrationNames } from '@muster/db';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { emptyDatabase, migrationsDir } from '../database.js';
import type { RecordedRelease } from './release.js';
import { createDb } from '../prisma.js';

/**
 * Creates the database of a recorded release: tables by its migrations, rows as recorded.
 *
 * @param server the address of any database of a PostgreSQL server
 * @returns the new database's address
 */
export async function oldDatabase(server: string, release: RecordedRelease): Promise<string> {
  const url = await emptyDatabase(server);
  const names = await migrationNames(migrationsDir);
  await migrate(url, migrationsDir, { only: names.filter((name) => name <= release.lastMigration) });
  const statements = (await readFile(join(release.directory, 'database.sql'), 'utf8')).trimEnd().split('\n');
  const db = createDb(url, { maxConnections: 1 });
  try {
    await db.$transaction(
      async (tx) => {
        // In replica mode: tables are filled in order of their names, and no trigger changes a row.
        await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
        for (const statement of statements) await tx.$executeRawUnsafe(statement);
      },
      { timeout: 60_000 },
    );
  } finally {
    await db.$disconnect();
  }
  return url;
}

/** The number of rows of each table. */
export async function rowCounts(url: string): Promise<Map<string, number>> {
  const db = createDb(url, { maxConnections: 1 });
  try {
    const tables = await db.$queryRaw<{ name: string }[]>`
      SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' ORDER BY 1`;
    const counts = new Map<string, number>();
    for (const { name } of tables) {
      const [row] = await db.$queryRawUnsafe<{ rows: number }[]>(
        `SELECT count(*)::int AS rows FROM "${name}"`,
      );
      counts.set(name, row?.rows ?? 0);
    }
    return counts;
  } finally {
    await db.$disconnect();
  }
}
