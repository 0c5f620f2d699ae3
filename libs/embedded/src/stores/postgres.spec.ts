import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDb, migrate } from '@muster/db';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../system/free-port.js';
import type { ManagedProcess } from '../supervisor/managed-process.js';
import { type EmbeddedPostgres, embeddedPostgres } from './postgres.js';

const migrationsDir = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));
const log = (): void => undefined;
const soon = (): AbortSignal => AbortSignal.timeout(10_000);

let dataDir: string;
let postgres: EmbeddedPostgres;
let child: ChildProcess | undefined;

async function start({ command, args, env, cwd, uid, gid, ready }: ManagedProcess): Promise<void> {
  child = spawn(command, args, { env: { ...process.env, ...env }, cwd, uid, gid, stdio: 'ignore' });
  await ready(soon());
}

async function end(signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-postgres-'));
  postgres = await embeddedPostgres({ dataDir, port: await freePort(), log });
  await start(postgres.process);
}, 30_000);

afterAll(async () => {
  await end('SIGQUIT');
  if (postgres) await rm(postgres.directory, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
});

it('is migrated once by two concurrent calls', async () => {
  const both = await Promise.all([
    migrate(postgres.url, migrationsDir),
    migrate(postgres.url, migrationsDir),
  ]);
  expect(both.map(({ applied }) => applied.length).sort()).toEqual([0, expect.any(Number)]);
  expect(both.flatMap(({ applied }) => applied)).toContain('20261121000000_first');
});

it('keeps commits after a kill, also during queries', async () => {
  const db = createDb(postgres.url);
  await db.$sql.$executeRaw`CREATE TABLE kept (n int)`;
  await db.$sql.$executeRaw`INSERT INTO kept VALUES (41), (42)`;
  const asked = db.$sql.$queryRaw`SELECT pg_sleep(60)`.catch(() => 'cut');
  await db.$sql.$queryRaw`SELECT 1`;
  await end('SIGKILL');
  expect(await asked).toBe('cut');

  await start(postgres.process);
  expect(await db.$sql.$queryRaw`SELECT n FROM kept ORDER BY n`).toEqual([{ n: 41 }, { n: 42 }]);
  await db.$disconnect();
});

it('names the process that uses the data directory', async () => {
  const second = embeddedPostgres({ dataDir, port: await freePort(), log });
  await expect(second).rejects.toThrow(/already runs here as process \d+/);
});

it('finds the same data after a restart on another port', async () => {
  await end(postgres.process.stopSignal);
  const again = await embeddedPostgres({ dataDir, port: await freePort(), log });
  await start(again.process);
  expect(again.directory).toBe(postgres.directory);
  postgres = again;
  const db = createDb(again.url);
  expect(await db.$sql.$queryRaw`SELECT count(*)::int AS n FROM kept`).toEqual([{ n: 2 }]);
  await db.$disconnect();
});

it('listens on the loopback with a password that only its owner can read', async () => {
  const { mode } = await stat(join(dataDir, 'postgres-password'));
  expect(mode & 0o777).toBe(0o600);
  const db = createDb(postgres.url.replace(/:[^:@]*@/, ':wrong@'));
  await expect(db.$sql.$queryRaw`SELECT 1`).rejects.toThrow(/authentication/i);
  await db.$disconnect();
});

it('fails with a readable message if nothing starts', async () => {
  await end('SIGQUIT');
  await expect(postgres.process.ready(AbortSignal.timeout(100))).rejects.toThrow(
    /PostgreSQL did not become ready on 127\.0\.0\.1:\d+ \(last: .*ECONNREFUSED/,
  );
});
