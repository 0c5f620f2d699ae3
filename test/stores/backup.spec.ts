import { dumpDatabase, migrate, migrationNames } from '@muster/db';
import { Command } from 'commander';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { backup } from '../../apps/cli/src/backup/backup.js';
import { backupCommand } from '../../apps/cli/src/backup/command.js';
import { withEmbedded } from '../../apps/cli/src/backup/embedded.js';
import { manifestOf } from '../../apps/cli/src/backup/files.js';
import { explained } from '../../apps/cli/src/database/database.js';
import { restore, type Restored } from '../../apps/cli/src/backup/restore.js';
import { RatingStores } from '../support/rating-stores.js';
import { emptyDatabase, migrationsDir } from '../support/database.js';
import { until } from '../support/gate.js';
import { main } from '../support/muster.js';
import { databaseForEach, noon } from './fixtures.js';
import { aPool, ended } from './ledger-fixtures.js';
import { createDb, type Db } from '../support/prisma.js';

const data = databaseForEach();
let folder: string;
let made = 0;
const opened: Db[] = [];
const coordinator = JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43), d: 'B'.repeat(43) });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-backup-'));
  // PostgreSQL's account must reach its data; otherwise they would be elsewhere, and stay.
  await chmod(folder, 0o755);
});
afterAll(async () => {
  await Promise.all(opened.map((db) => db.$disconnect()));
  await rm(folder, { recursive: true, force: true });
});

const env = (url: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  DATABASE_URL: url,
  COORDINATOR_KEY: coordinator,
  ...more,
});
const options = { dataDir: '/nowhere', dataDirNamed: false, json: false, otherKeys: false, check: false };

function open(url: string): Db {
  const db = createDb(url, { maxConnections: 2 });
  opened.push(db);
  return db;
}

async function backedUp(): Promise<string> {
  const directory = join(folder, `b${++made}`);
  await backup(directory, options, env(data().url), '0.1.0');
  return directory;
}

function restored(directory: string, url: string, more: Partial<typeof options> = {}): Promise<Restored> {
  return restore(directory, { ...options, ...more }, env(url)).catch((error: unknown) => {
    throw explained(error);
  });
}

/** All rows of a database, as text. */
async function rowsOf(db: Db): Promise<Record<string, string[]>> {
  const tables = await db.$sql.$queryRaw<{ name: string }[]>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`;
  const all: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await db.$queryRawUnsafe<{ row: string }[]>(
      `SELECT t::text AS row FROM "${name}" AS t ORDER BY 1`,
    );
    if (rows.length > 0) all[name] = rows.map(({ row }) => row);
  }
  return all;
}

/** Rated matches, a live one with a server, and texts that need escapes. */
async function fill(db: Db): Promise<void> {
  const ledger = new RatingStores(db);
  await ledger.pools.create(aPool());
  for (const matchId of ['m1', 'm2', 'm3']) {
    await ended(db, {
      matchId,
      teams: [
        ['ann', 'b\\o\tb\n"\''],
        ['cid', '\u{1f3b2}'],
      ],
      ranks: [1, 2],
    });
    await ledger.matches.rate(matchId, noon);
  }
  await ended(db, { matchId: 'live', teams: [['dee'], ['eve']], ranks: [] });
  await db.$executeRaw`UPDATE match SET state = 'placed', ended_at = NULL WHERE id = 'live'`;
  await db.$executeRaw`INSERT INTO live_player VALUES ('dee', 'live'), ('eve', 'live')`;
  await db.$executeRaw`INSERT INTO server (id, region, build, host, port, slots, state, heartbeat_at, registered_at)
    VALUES ('s1', 'eu', 'b1', 'host', 1, 2, 'ready', now(), now())`;
  await db.$executeRaw`INSERT INTO session (id, match_id, server_id, slot_ordinal, state, incarnation, reserved_at, answer_by)
    VALUES ('x1', 'live', 's1', 0, 'live', 1, now(), now())`;
}

describe('a backup', () => {
  beforeEach(() => fill(data().db));

  it('restores every row, and later numbers continue after those of before', async () => {
    const directory = await backedUp();
    const url = await emptyDatabase(inject('postgresUrl'));
    const { ledger, manifest, migrated } = await restored(directory, url);
    const db = open(url);
    expect(await rowsOf(db)).toEqual(await rowsOf(data().db));
    expect(ledger).toEqual({ ratings: 4, changes: 12 });
    expect(migrated).toEqual([]);
    const next = (of: Db): Promise<unknown> =>
      of.$queryRaw`SELECT nextval('ledger_sequence') AS ledger, nextval('outbox_id_seq') AS outbox`;
    expect(await next(db)).toEqual(await next(data().db));
    expect(manifest.ledgerSequence).toMatch(/^\d+$/);
    // The ledger is still append-only, and keys decide.
    await expect(db.$executeRaw`DELETE FROM rating_change`).rejects.toThrow(/ledger/);
    await expect(db.$executeRaw`INSERT INTO live_player VALUES ('dee', 'm1')`).rejects.toThrow(/unique/i);
    const rated = await new RatingStores(db).matches.rate('m1', noon);
    expect(rated).toMatchObject({ outcome: 'closed' });
  });

  it('is loaded into the embedded database of a new data directory, if no other is named', async () => {
    const dataDir = join(folder, 'data');
    const directory = await backedUp();
    const keys = { COORDINATOR_KEY: coordinator };
    expect(await restore(directory, { ...options, dataDir }, keys)).toMatchObject({ ledger: { ratings: 4 } });
    await expect(restore(directory, { ...options, dataDir }, keys)).rejects.toThrow(
      /the database is not empty/,
    );
    const rows = await withEmbedded(dataDir, async (url) => {
      const db = createDb(url, { maxConnections: 1 });
      return rowsOf(db).finally(() => db.$disconnect());
    });
    expect(rows).toEqual(await rowsOf(data().db));
  });

  it('is loaded by a command that leaves no PostgreSQL behind when it is interrupted', async () => {
    const dataDir = join(folder, 'interrupted');
    const directory = await backedUp();
    const args = [main, 'restore', directory, '--data-dir', dataDir, '--other-keys'];
    const command = spawn(process.execPath, args, { stdio: 'ignore' });
    const exited = once(command, 'exit');
    const pidFile = join(dataDir, 'postgres/data/postmaster.pid');
    let pid = 0;
    await until(
      async () => (pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => '0'), 10)) > 0,
    );
    command.kill('SIGTERM');
    expect(await exited).toEqual([143, null]);
    expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
  });

  it('is of one moment, though rows are written meanwhile', async () => {
    const { db, url } = data();
    const dumped: string[] = [];
    const { tables } = await dumpDatabase(url, async ({ name }, rows) => {
      // Both tables are read after this.
      if (dumped.length === 0)
        await db.$executeRaw`
          WITH gone AS (DELETE FROM live_player)
          INSERT INTO penalty (id, player_id, kind, match_id, queue, at) VALUES ('p', 'ann', 'left', 'm1', 'q', now())`;
      dumped.push(name);
      for await (const _ of rows);
    });
    const rowsIn = (name: string): number | undefined => tables.find((table) => table.name === name)?.rows;
    expect(dumped.slice(1)).toEqual(expect.arrayContaining(['live_player', 'penalty']));
    expect([rowsIn('live_player'), rowsIn('penalty')]).toEqual([2, 0]);
  });

  it('reads the names of the migrations in the transaction of the rows', async () => {
    const { db, url } = data();
    let dump: Promise<unknown> = Promise.resolve();
    await db.$transaction(
      async (tx) => {
        await tx.$executeRaw`LOCK TABLE _prisma_migrations IN ACCESS EXCLUSIVE MODE`;
        dump = dumpDatabase(url, async (_, rows) => {
          for await (const _row of rows);
        });
        let began: { before: boolean }[] = [];
        await until(async () => {
          began = await db.$queryRaw`SELECT xact_start < query_start AS before FROM pg_stat_activity
            WHERE application_name = 'muster-backup' AND wait_event_type = 'Lock' AND datname = current_database()`;
          return began.length > 0;
        });
        expect(began).toEqual([{ before: true }]);
      },
      { timeout: 20_000 },
    );
    await dump;
  });

  it('of a release before is loaded into its schema, then migrated', async () => {
    const names = await migrationNames(migrationsDir);
    const before = join(folder, 'migrations-before');
    await cp(migrationsDir, before, { recursive: true });
    await rm(join(before, names.at(-1) ?? ''), { recursive: true });
    const old = await emptyDatabase(inject('postgresUrl'));
    await migrate(old, before);
    await open(old).$executeRawUnsafe(`
      INSERT INTO rating (pool, generation, player_id, state, matches, updated_at)
      VALUES ('ladder', 1, 'ann', '{"mu": 27.5}', 3, now())`);
    const directory = join(folder, `b${++made}`);
    await backup(directory, options, env(old), '0.1.0');

    const url = await emptyDatabase(inject('postgresUrl'));
    const { migrated } = await restored(directory, url);
    expect(migrated).toEqual(names.slice(-1));
    const rows = await open(url).$queryRawUnsafe('SELECT player_id, state, matches FROM rating');
    expect(rows).toEqual([{ player_id: 'ann', state: { mu: 27.5 }, matches: 3 }]);
  });

  it('names no key of a trial in the local data directory, unless that is named', async () => {
    const dataDir = join(folder, 'trial');
    await mkdir(join(dataDir, 'keys'), { recursive: true });
    await writeFile(join(dataDir, 'keys/coordinator.jwk'), coordinator);
    vi.stubEnv('DATABASE_URL', data().url);
    onTestFinished(() => void vi.unstubAllEnvs());
    const keysOf = async (...more: string[]): Promise<string[]> => {
      const directory = join(folder, `b${++made}`);
      const command = new Command();
      backupCommand(command, dataDir, '0.1.0');
      await command.parseAsync([directory, ...more], { from: 'user' });
      return Object.keys((await manifestOf(directory)).keys);
    };
    expect(await keysOf()).toEqual([]);
    expect(await keysOf('--data-dir', dataDir)).toEqual(['COORDINATOR_KEY']);
  });

  it('has no key in it, and is readable by its owner only', async () => {
    const directory = await backedUp();
    const manifest = await readFile(join(directory, 'manifest.json'), 'utf8');
    expect(manifest).not.toContain('B'.repeat(43));
    expect(manifest).not.toContain(new URL(data().url).password);
    expect(JSON.parse(manifest)).toMatchObject({
      keys: { COORDINATOR_KEY: [expect.stringMatching(/^[\w-]{43}$/)] },
    });
    for (const name of ['.', ...(await readdir(directory))])
      expect((await stat(join(directory, name))).mode & 0o077).toBe(0);
  });
});

describe('a restore is refused', () => {
  let whole: string;
  let blank: string;
  const copied = async (): Promise<string> => {
    const directory = join(folder, `b${++made}`);
    await cp(whole, directory, { recursive: true });
    return directory;
  };
  const refused = async (change: (directory: string) => Promise<unknown>, problem: RegExp): Promise<void> => {
    const directory = await copied();
    await change(directory);
    await expect(restored(directory, blank)).rejects.toThrow(problem);
    const tables = await open(blank).$queryRaw<unknown[]>`SELECT 1 WHERE to_regclass('match') IS NOT NULL`;
    if (tables.length > 0) expect(await rowsOf(open(blank))).toEqual({});
  };
  const edit = (change: (manifest: Record<string, unknown>) => void) => async (directory: string) => {
    const path = join(directory, 'manifest.json');
    const manifest = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    change(manifest);
    await writeFile(path, JSON.stringify(manifest));
  };
  beforeEach(async () => {
    await fill(data().db);
    whole ??= await backedUp();
    blank ??= await emptyDatabase(inject('postgresUrl'));
  });
  it('if a file is missing, cut or changed', async () => {
    const match = (directory: string): string => join(directory, 'match.copy.gz');
    await refused((d) => rm(match(d)), /incomplete: .*match\.copy\.gz is missing/);
    await refused((d) => truncate(match(d), 20), /damaged: .*match\.copy\.gz has 20 bytes instead of \d+/);
    await refused(async (d) => {
      const bytes = await readFile(match(d));
      bytes[30] = (bytes[30] ?? 0) ^ 1;
      await writeFile(match(d), bytes);
    }, /damaged: the SHA-256 of .*match\.copy\.gz is not/);
  });

  it('if the manifest is missing, of something else, or of another format', async () => {
    await refused((d) => rm(join(d, 'manifest.json')), /no backup in .*: manifest\.json is missing/);
    await refused(
      (d) => writeFile(join(d, 'manifest.json'), '{"tables":'),
      /is not the manifest of a backup/,
    );
    await refused(
      edit((m) => (m['format'] = 2)),
      /has format 2, and this version reads format 1/,
    );
  });

  it('if it is of a newer version, or the keys are others', async () => {
    await refused(
      edit((m) => (m['migrations'] = ['29990101000000_later'])),
      /another version, 0\.1\.0: this one does not know its migration 29990101000000_later/,
    );
    const other = { COORDINATOR_KEY: ['other'] };
    await refused(
      edit((m) => (m['keys'] = other)),
      /COORDINATOR_KEY is another key .*--other-keys/,
    );
    const directory = await copied();
    await edit((m) => (m['keys'] = other))(directory);
    expect(await restored(directory, blank, { otherKeys: true, check: true })).toMatchObject({
      ledger: null,
    });
  });

  it('if the database is not empty, is something else’s, or in use', async () => {
    const directory = await copied();
    await expect(restored(directory, data().url)).rejects.toThrow(
      /The database is not empty: it has rows in/,
    );
    const foreign = await emptyDatabase(inject('postgresUrl'));
    await open(foreign).$executeRaw`CREATE TABLE customers (id int)`;
    await expect(restored(directory, foreign)).rejects.toThrow(/tables of something else \(customers\)/);
    const used = await emptyDatabase(inject('postgresUrl'));
    await migrate(used, migrationsDir);
    let release = (): void => undefined;
    const holds = open(used).$transaction(
      async (tx) => {
        await tx.$executeRaw`LOCK TABLE match IN ROW EXCLUSIVE MODE`;
        await new Promise<void>((resolve) => (release = resolve));
      },
      { timeout: 60_000 },
    );
    await expect(restored(directory, used)).rejects.toThrow(/in use: stop all services/);
    release();
    await holds;
    expect(await restored(directory, used)).toMatchObject({ ledger: { ratings: 4 } });
  });

  it('if fewer rows arrive than the manifest names; nothing stays', async () => {
    await refused(
      edit((m) => {
        const tables = m['tables'] as { name: string; rows: number }[];
        for (const table of tables) if (table.name === 'session') table.rows++;
      }),
      /has 1 rows of session instead of the 2/,
    );
  });

  it('by a check that changes nothing, and by a ledger that does not lead to the ratings', async () => {
    expect(await restored(whole, blank, { check: true })).toMatchObject({ ledger: null });
    const url = await emptyDatabase(inject('postgresUrl'));
    await data().db.$executeRaw`UPDATE rating SET state = '{"mu": 1}' WHERE player_id = 'ann'`;
    const bent = await backedUp();
    await expect(restored(bent, url)).rejects.toThrow(/does not lead to the ratings of ann in ladder/);
  });
});

describe('a backup is refused', () => {
  it('into a directory with files, and of a database without tables', async () => {
    const directory = await backedUp();
    await expect(backup(directory, options, env(data().url), '0')).rejects.toThrow(
      /is not empty: give a new/,
    );
    const empty = await emptyDatabase(inject('postgresUrl'));
    const asked = backup(join(folder, 'none'), options, env(empty), '0');
    await expect(asked).rejects.toThrow(/no tables of Muster/);
    expect(await readdir(folder)).not.toContain('none.unfinished');
    await expect(backup(join(folder, 'none'), options, {}, '0')).rejects.toThrow(/Set DATABASE_URL/);
  });

  it.runIf(process.getuid?.() === 0 && process.platform === 'linux')(
    'by a full disk, and leaves nothing behind',
    async () => {
      await fill(data().db);
      const small = join(folder, 'small');
      await mkdir(small);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', small]);
      try {
        const asked = backup(join(small, 'b'), options, env(data().url), '0');
        await expect(asked).rejects.toThrow(/There is no space for .*: the unfinished one was deleted/);
        expect(await readdir(small)).toEqual([]);
      } finally {
        execFileSync('umount', [small]);
      }
    },
  );
});
