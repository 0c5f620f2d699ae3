import { createDb, migrate, schemaDrift } from '@muster/db';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import {
  emptyDatabase,
  migratedDatabase,
  migrationsDir,
  schemaPath,
  TestDatabase,
} from '../support/database.js';
import { blocked } from '../support/gate.js';
import { oldDatabase, rowCounts } from '../support/compat/old-database.js';
import { recordedReleases } from '../support/compat/release.js';
import { range } from './fixtures.js';

const server = inject('postgresUrl');
let migrations: string[];
beforeAll(async () => {
  const entries = await readdir(migrationsDir, { withFileTypes: true });
  migrations = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).toSorted();
});

/** Names of the migrations that the database says were applied, in order. */
async function recorded(url: string): Promise<string[]> {
  const db = createDb(url, { maxConnections: 1 });
  try {
    const rows = await db.$queryRaw<{ migration_name: string }[]>`
      SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL
      ORDER BY started_at, migration_name`;
    return rows.map((row) => row.migration_name);
  } finally {
    await db.$disconnect();
  }
}

describe('the migrations', () => {
  it('make the tables that schema.prisma speaks of', async () => {
    const database = new TestDatabase(await migratedDatabase(server));
    expect(await schemaDrift(database.url, schemaPath)).toBe('');

    await database.db.$executeRaw`ALTER TABLE outbox DROP COLUMN created_at`;
    expect(await schemaDrift(database.url, schemaPath)).toContain('ADD COLUMN     "created_at"');
    await database.close();
  });

  it('are applied once, in order', async () => {
    const url = await emptyDatabase(server);

    expect(await migrate(url, migrationsDir)).toEqual({ applied: migrations });
    expect(await migrate(url, migrationsDir)).toEqual({ applied: [] });
    expect(await recorded(url)).toEqual(migrations);
  });

  it('are applied once when three start at the same time', async () => {
    const url = await emptyDatabase(server);

    const results = await Promise.all(range(3).map(() => migrate(url, migrationsDir)));

    expect(results.flatMap(({ applied }) => applied)).toEqual(migrations);
    expect(await recorded(url)).toEqual(migrations);
    expect(await schemaDrift(url, schemaPath)).toBe('');
  });

  it('do not block those who come after them while they wait for a lock, and are tried again', async () => {
    const url = await migratedDatabase(server);
    const directory = await mkdtemp(join(tmpdir(), 'muster-migrations-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    await cp(migrationsDir, directory, { recursive: true });
    const add = async (name: string, sql: string): Promise<void> => {
      await mkdir(join(directory, name));
      await writeFile(join(directory, name, 'migration.sql'), sql);
    };
    await add('20990101000000_first', 'CREATE TABLE "brief" ("id" TEXT)');
    await add('20990102000000_blocked', 'ALTER TABLE "outbox" ADD COLUMN "more" TEXT');
    const db = createDb(url, { maxConnections: 3 });
    onTestFinished(() => db.$disconnect());
    let migrated: Promise<unknown> = Promise.resolve();
    await db.$transaction(
      async (tx) => {
        await tx.$queryRaw`SELECT FROM outbox`;
        migrated = migrate(url, directory, { waitMs: 50, pauseMs: 200, tries: 1_000 });
        migrated.catch(() => undefined);
        await blocked(db, 1, migrated);
        // It waits behind the migration until that gives up.
        await db.$queryRaw`SELECT FROM outbox`;
      },
      { timeout: 60_000 },
    );
    expect(await migrated).toEqual({ applied: ['20990101000000_first', '20990102000000_blocked'] });
  });
});

describe.each(recordedReleases())('the migrations since $version', (release) => {
  it('keep every row that its database had', async () => {
    const url = await oldDatabase(server, release);
    const before = await rowCounts(url);
    // A table without a row would prove nothing.
    expect([...before].filter(([, rows]) => rows === 0)).toEqual([]);

    const { applied } = await migrate(url, migrationsDir);

    expect(applied).toEqual(migrations.filter((name) => name > release.lastMigration));
    expect(await schemaDrift(url, schemaPath)).toBe('');
    const after = await rowCounts(url);
    expect([...before.keys()].map((table) => [table, after.get(table)])).toEqual([...before]);
  });
});
