import { migrate } from '@muster/db';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
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
import { prismaDeploy, prismaStatus, schemaDrift } from '../support/schema-engine.js';
import { range } from './fixtures.js';
import { createDb } from '../support/prisma.js';

const server = inject('postgresUrl');
let migrations: string[];
beforeAll(async () => {
  const entries = await readdir(migrationsDir, { withFileTypes: true });
  migrations = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).toSorted();
});

/** A copy of the migrations up to one, or of all, with more. @returns the folder */
async function folderOf(more: Readonly<Record<string, string>>, through = '9'): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'muster-migrations-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const isLater = (name: string): boolean => /^\d/.test(name) && name > through;
  await cp(migrationsDir, directory, { recursive: true, filter: (path) => !isLater(basename(path)) });
  for (const [name, sql] of Object.entries(more)) {
    await mkdir(join(directory, name), { recursive: true });
    await writeFile(join(directory, name, 'migration.sql'), sql);
  }
  return directory;
}

/** The table of migrations: its columns, and its rows without ids and times. */
async function tableOfMigrations(url: string): Promise<unknown> {
  const db = createDb(url, { maxConnections: 1 });
  try {
    return [
      await db.$queryRaw`
        SELECT column_name, data_type, character_maximum_length, is_nullable, column_default
        FROM information_schema.columns WHERE table_name = '_prisma_migrations' ORDER BY ordinal_position`,
      await db.$queryRaw`
        SELECT migration_name, checksum, length(id), finished_at >= started_at AS finished, logs, rolled_back_at,
          applied_steps_count
        FROM _prisma_migrations ORDER BY started_at`,
    ];
  } finally {
    await db.$disconnect();
  }
}

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
    const directory = await folderOf({
      '20990101000000_first': 'CREATE TABLE "brief" ("id" TEXT)',
      '20990102000000_blocked': 'ALTER TABLE "outbox" ADD COLUMN "more" TEXT',
    });
    const db = createDb(url, { maxConnections: 3 });
    onTestFinished(() => db.$disconnect());
    let migrated: Promise<unknown> = Promise.resolve();
    await db.$transaction(
      async (tx) => {
        await tx.$queryRaw`SELECT FROM outbox`;
        migrated = migrate(url, directory, { patience: { waitMs: 50, pauseMs: 200, tries: 1_000 } });
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

describe("Prisma's own engine", () => {
  const clean = {
    history: null,
    failedMigrationNames: [],
    editedMigrationNames: [],
    hasMigrationsTable: true,
  };

  it('finds nothing to do in a migrated database', async () => {
    const url = await migratedDatabase(server);

    expect(await prismaStatus(url, migrationsDir)).toEqual(clean);
    expect(await prismaDeploy(url, migrationsDir)).toEqual([]);
  });

  it('leaves the same rows, and each goes on where the other stopped', async () => {
    const [ours, theirs] = [await emptyDatabase(server), await emptyDatabase(server)];
    const [some, rest] = [migrations.slice(0, 12), migrations.slice(12)];
    const begun = await folderOf({}, some.at(-1));

    expect(await migrate(ours, begun)).toEqual({ applied: some });
    expect(await prismaDeploy(theirs, begun)).toEqual(some);
    expect(await tableOfMigrations(ours)).toEqual(await tableOfMigrations(theirs));

    expect(await prismaDeploy(ours, migrationsDir)).toEqual(rest);
    expect(await migrate(theirs, migrationsDir)).toEqual({ applied: rest });
    expect(await tableOfMigrations(ours)).toEqual(await tableOfMigrations(theirs));
  });

  it('knows a migration that failed, which is applied once its cause is gone', async () => {
    const url = await migratedDatabase(server);
    const broken = await folderOf({
      '20990101000000_broken': 'CREATE TABLE "brief" ("id" TEXT);\nINSERT INTO "nowhere" VALUES (1);',
    });
    const failed = 'ERROR: relation "nowhere" does not exist';

    for (let tried = 0; tried < 2; tried++)
      await expect(migrate(url, broken)).rejects.toThrow(
        `Applying migrations failed: ${failed} (in 20990101000000_broken). Nothing of it was kept, remove the cause, and migrate again.`,
      );
    const status = await prismaStatus(url, broken);
    expect(status).toEqual({ ...clean, failedMigrationNames: ['20990101000000_broken'] });
    const db = createDb(url, { maxConnections: 1 });
    onTestFinished(() => db.$disconnect());
    const logs = await db.$queryRaw`SELECT logs FROM _prisma_migrations WHERE finished_at IS NULL LIMIT 1`;
    expect(logs).toEqual([{ logs: expect.stringContaining(`Database error code: 42P01`) }]);
    expect(logs).toEqual([{ logs: expect.stringContaining(failed) }]);

    const mended = await folderOf({ '20990101000000_broken': 'CREATE TABLE "brief" ("id" TEXT)' });
    expect(await migrate(url, mended)).toEqual({ applied: ['20990101000000_broken'] });
    expect(await prismaStatus(url, mended)).toEqual(clean);
  });
});

describe('a migration of an index, which is in no transaction', () => {
  const name = '20990101000000_brief';
  const creates = 'CREATE INDEX CONCURRENTLY "brief" ON "penalty" ("kind")';
  const begins = `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('1', '', '${name}')`;

  it.each([
    ['that was made, and not recorded', creates, [begins, creates]],
    [
      'that was made in part',
      creates,
      [creates, `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'brief'::regclass`],
    ],
    [
      'that was dropped, and not recorded',
      'DROP INDEX CONCURRENTLY "penalty_at"',
      [begins, 'DROP INDEX "penalty_at"'],
    ],
  ])('goes on after a run that was killed: one %s', async (_what, sql, left) => {
    const url = await migratedDatabase(server);
    const db = createDb(url, { maxConnections: 1 });
    onTestFinished(() => db.$disconnect());
    for (const statement of left) await db.$executeRawUnsafe(statement);

    expect(await migrate(url, await folderOf({ [name]: sql }))).toEqual({ applied: [name] });

    const made = sql === creates ? [{ valid: true }] : [];
    expect(
      await db.$queryRaw`SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('brief')`,
    ).toEqual(made);
    expect(await db.$queryRaw`SELECT to_regclass('penalty_at')::text AS dropped`).toEqual([
      { dropped: sql === creates ? 'penalty_at' : null },
    ]);
  });

  it('leaves an index of its name alone that somebody else made', async () => {
    const url = await migratedDatabase(server);
    const db = createDb(url, { maxConnections: 1 });
    onTestFinished(() => db.$disconnect());
    await db.$executeRawUnsafe('CREATE INDEX "brief" ON "penalty" ("queue")');

    const directory = await folderOf({ [name]: creates });
    for (let tried = 0; tried < 2; tried++)
      await expect(migrate(url, directory)).rejects.toThrow('relation "brief" already exists');
    expect(await db.$queryRaw`SELECT pg_get_indexdef('brief'::regclass) AS is`).toEqual([
      { is: expect.stringContaining('(queue)') },
    ]);
  });
});

describe('a database that is not of a release', () => {
  it('is not migrated if it has tables of something else', async () => {
    const url = await emptyDatabase(server);
    const db = createDb(url, { maxConnections: 1 });
    await db.$executeRaw`CREATE TABLE theirs (id INT)`;
    await db.$disconnect();

    await expect(migrate(url, migrationsDir)).rejects.toThrow(
      'the database has tables of something else (theirs): migrate an empty one',
    );
  });

  it('is not migrated if it has a migration that nobody knows, and lacks one', async () => {
    const url = await migratedDatabase(server);
    await migrate(url, await folderOf({ '20990101000000_tried': 'CREATE TABLE "brief" ("id" TEXT)' }));

    // An older release finds nothing to do.
    expect(await migrate(url, migrationsDir)).toEqual({ applied: [] });
    const other = await folderOf({ '20990102000000_other': 'CREATE TABLE "long" ("id" TEXT)' });
    await expect(migrate(url, other)).rejects.toThrow(
      'the database has 20990101000000_tried, which this version does not know, and lacks 20990102000000_other: it is not of a release',
    );
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
