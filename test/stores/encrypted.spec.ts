import { migrate, withAuthority } from '@muster/db';
import { chown, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAuthority, type Certified } from '../support/certificates.js';
import { migrationsDir, TestPostgres } from '../support/database.js';
import { createDb, type Db } from '../support/prisma.js';

const opened: Db[] = [];
function open(url: string, options: Parameters<typeof createDb>[1] = {}): Db {
  const db = createDb(url, { maxConnections: 2, ...options });
  opened.push(db);
  return db;
}

async function isEncrypted(db: Db): Promise<boolean | undefined> {
  const rows = await db.$sql.$queryRaw<
    { ssl: boolean }[]
  >`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`;
  return rows[0]?.ssl;
}

describe('a PostgreSQL with a certificate', () => {
  let postgres: TestPostgres;
  const authority = makeAuthority('Test authority');

  /** Gives the server a certificate; new connections get it. */
  async function serve({ cert, key }: Certified): Promise<void> {
    const { directory } = postgres.embedded;
    const { uid, gid } = await stat(join(directory, 'data'));
    for (const [name, text] of [
      ['server.crt', cert],
      ['server.key', key],
    ] as const) {
      await writeFile(join(directory, name), text, { mode: 0o600 });
      await chown(join(directory, name), uid, gid);
    }
    const db = createDb(postgres.url, { maxConnections: 1 });
    await db.$executeRawUnsafe(`ALTER SYSTEM SET ssl_cert_file = '${join(directory, 'server.crt')}'`);
    await db.$executeRawUnsafe(`ALTER SYSTEM SET ssl_key_file = '${join(directory, 'server.key')}'`);
    await db.$executeRawUnsafe('ALTER SYSTEM SET ssl = on');
    await db.$queryRaw`SELECT pg_reload_conf()`;
    await db.$disconnect();
  }

  beforeAll(async () => {
    postgres = await TestPostgres.start({ migrated: false });
    await serve(authority.issue('postgres', { server: ['127.0.0.1'] }));
  });
  afterAll(async () => {
    await Promise.all(opened.map((db) => db.$disconnect()));
    await postgres.stop();
  });

  it('is trusted by the authority of the address, for services and migrations', async () => {
    const url = withAuthority(`${postgres.url}?sslmode=verify-full&ssl=true`, authority.cert);
    expect((await migrate(url, migrationsDir)).applied).toContain('20261121000000_first');
    expect(await isEncrypted(open(url))).toBe(true);
    // Without Prisma and with: both use the same connections.
    expect(await open(url).$queryRaw`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`).toEqual([
      { ssl: true },
    ]);
    expect(await isEncrypted(open(postgres.url))).toBe(false);
  });

  it('is refused without its authority, with another, or under a name that it does not certify', async () => {
    const other = makeAuthority('Another authority');
    const unknown = open(`${postgres.url}?sslmode=verify-full`);
    await expect(isEncrypted(unknown)).rejects.toThrow(/unable to verify the first certificate/);
    await expect(isEncrypted(open(withAuthority(postgres.url, other.cert)))).rejects.toThrow(
      /unable to verify the first certificate/,
    );
    const named = withAuthority(postgres.url.replace('127.0.0.1', 'localhost'), authority.cert);
    await expect(isEncrypted(open(named))).rejects.toThrow(/does not match certificate's altnames/);
  });

  it('is not taken for silent while it answers', async () => {
    const limits = { statementMs: 1_000, lockMs: 1_000, idleInTransactionMs: 1_000, idleMs: 20_000 };
    const db = open(withAuthority(postgres.url, authority.cert), { maxConnections: 1, limits });
    const pid = async (): Promise<unknown> => db.$sql.$queryRaw`SELECT pg_backend_pid(), pg_sleep(0.2)`;
    const first = await pid();
    const until = performance.now() + 3_500;
    while (performance.now() < until) expect(await pid()).toEqual(first);
    await expect(db.$sql.$queryRaw`SELECT pg_sleep(10)`).rejects.toThrow(/statement timeout/);
  });
});
