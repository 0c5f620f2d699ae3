import { migrate, transact } from '@muster/db';
import { freePort } from '@muster/embedded';
import { toProblem } from '@muster/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrationsDir, TestPostgres } from '../support/database.js';
import { until } from '../support/gate.js';
import { Standby } from '../support/standby.js';
import { createDb, type Db } from '../support/prisma.js';

/** An address of several servers, as an operator writes it. */
function addressOf(urls: readonly string[], query = ''): string {
  const [first = '', ...others] = urls;
  const { host } = new URL(first);
  return `${first.replace(host, [host, ...others.map((url) => new URL(url).host)].join(','))}${query}`;
}

const insert = (db: Db, n: number): Promise<number> =>
  transact(db, (sql) => sql.$executeRaw`INSERT INTO aside.kept VALUES (${n})`);
const isStandby = async (db: Db): Promise<boolean | undefined> =>
  (await db.$sql.$queryRaw<{ is: boolean }[]>`SELECT pg_is_in_recovery() AS is`)[0]?.is;

describe('an address of several servers', () => {
  let primary: TestPostgres;
  let standby: Standby;
  const opened: Db[] = [];
  const open = (url: string): Db => {
    const db = createDb(url, { maxConnections: 3 });
    opened.push(db);
    return db;
  };
  beforeAll(async () => {
    primary = await TestPostgres.start({
      migrated: false,
      settings: ['synchronous_commit=remote_apply', 'synchronous_standby_names=standby'],
    });
    const db = createDb(primary.url, { maxConnections: 1 });
    await db.$executeRawUnsafe(
      'SET synchronous_commit = local; CREATE SCHEMA aside; CREATE TABLE aside.kept (n int)',
    );
    await db.$disconnect();
    standby = await Standby.of(primary.embedded);
  });
  afterAll(async () => {
    await Promise.all(opened.map((db) => db.$disconnect()));
    await standby.stop();
    await primary.stop();
  });

  it('leads to the one that accepts writes, wherever it stands', async () => {
    const db = open(addressOf([standby.url, primary.url]));
    expect(await Promise.all(Array.from({ length: 6 }, () => isStandby(db)))).toEqual(Array(6).fill(false));
    expect(await insert(db, 1)).toBe(1);
    // By Prisma's own connections too.
    expect(await db.$executeRaw`INSERT INTO aside.kept VALUES (2)`).toBe(1);
    expect(await isStandby(open(addressOf([standby.url, primary.url], '?target_session_attrs=any')))).toBe(
      true,
    );
  });

  it('passes a host where nothing listens, and reports all hosts when none is left', async () => {
    const nobody = `postgresql://muster@127.0.0.1:${await freePort()}/muster`;
    expect(await isStandby(open(addressOf([primary.url, nobody])))).toBe(false);
    const none = open(addressOf([standby.url, nobody]));
    const failed = await isStandby(none).catch((error: unknown) => error);
    expect(String(failed)).toMatch(
      /no server .*\(.*: it is a standby; 127\.0\.0\.1:\d+: connect ECONNREFUSED/,
    );
    expect(toProblem(failed)).toMatchObject({
      status: 503,
      type: expect.stringMatching(/:store-unavailable$/),
    });
  });

  it('tells a wrong password at once', async () => {
    const wrong = open(addressOf([primary.url, standby.url]).replace(/:[^:@]*@/, ':wrong@'));
    await expect(isStandby(wrong)).rejects.toThrow(/password authentication failed/);
  });

  it('leads to the promoted standby after the primary is gone, and loses no commit', async () => {
    const url = addressOf([primary.url, standby.url]);
    const db = open(url);
    await insert(db, 3);
    await primary.halt();
    expect(toProblem(await insert(db, 4).catch((error: unknown) => error))).toMatchObject({ status: 503 });
    await standby.promote();
    await until(() =>
      insert(db, 5).then(
        () => true,
        () => false,
      ),
    );
    expect(await db.$sql.$queryRaw`SELECT n FROM aside.kept ORDER BY n`).toEqual(
      [1, 2, 3, 5].map((n) => ({ n })),
    );
    expect((await migrate(url, migrationsDir)).applied).toContain('20261121000000_first');
  });

  it('replaces a connection whose server has come to refuse writes', async () => {
    const db = createDb(standby.url, { maxConnections: 1 });
    opened.push(db);
    const pid = async (): Promise<unknown> => db.$sql.$queryRaw`SELECT pg_backend_pid() AS pid`;
    const before = await pid();
    const refused = await transact(db, async (sql) => {
      await sql.$executeRaw`SET TRANSACTION READ ONLY`;
      return sql.$executeRaw`INSERT INTO aside.kept VALUES (6)`;
    }).catch((error: unknown) => error);
    expect(toProblem(refused)).toMatchObject({ status: 503 });
    expect(await pid()).not.toEqual(before);
  });
});
