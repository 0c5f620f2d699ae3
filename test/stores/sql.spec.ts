import { NotMigrated, type Sql, transact, sqlPart, type SqlPart } from '@muster/db';
import { describe, expect, it, onTestFinished } from 'vitest';
import { databaseForEach } from './fixtures.js';
import { createDb, type Db } from '../support/prisma.js';

const data = databaseForEach();

const insert = (sql: Sql, id: string): Promise<number> =>
  sql.$executeRaw`INSERT INTO proposal_verdict (match_id, outcome) VALUES (${id}, 'formed')`;
const stored = async (db: Db): Promise<string[]> =>
  (await db.$sql.$queryRaw<{ match_id: string }[]>`SELECT match_id FROM proposal_verdict ORDER BY 1`).map(
    (row) => row.match_id,
  );
/** One connection, so that a test sees what is left on it. */
function single(): Db {
  const db = createDb(data().url, { maxConnections: 1 });
  onTestFinished(() => db.$disconnect());
  return db;
}

describe('a statement', () => {
  it('takes and gives values of each type', async () => {
    const { db } = data();
    const at = new Date('2026-01-02T03:04:05.678Z');
    const asked = sqlPart`
      SELECT ${at}::timestamptz AS at, ${['a', 'b,"c"']}::text[] AS names, ${[1.5, 2]}::float8[] AS ranks, ${7}::int8 AS many,
        ${'{"a": [1, null]}'}::jsonb AS json, ${null}::text AS none, ${true}::bool AS yes, 0.1::float8 AS part`;
    const told = {
      names: ['a', 'b,"c"'],
      ranks: [1.5, 2],
      json: { a: [1, null] },
      none: null,
      yes: true,
      part: 0.1,
    };
    expect(await db.$sql.$queryRaw(asked)).toEqual([{ at, many: 7n, ...told }]);
  });

  it('takes parts of a statement, with their values in order', async () => {
    const part = (value: number): SqlPart => sqlPart`SELECT ${value}::int AS value`;
    const { db } = data();
    expect(
      await db.$sql.$queryRaw`SELECT ${1}::int AS value UNION ALL ${part(2)} UNION ALL ${part(3)}`,
    ).toEqual([{ value: 1 }, { value: 2 }, { value: 3 }]);
    expect(await db.$sql.$queryRaw(part(4))).toEqual([{ value: 4 }]);
  });

  it('stays prepared once it is used a second time, unless the pooler cannot have that', async () => {
    const prepared = (db: Db): Promise<object[]> =>
      db.$queryRawUnsafe(
        `SELECT statement FROM pg_prepared_statements WHERE statement LIKE 'SELECT $1::int AS kept_here'`,
      );
    const ask = (db: Db): Promise<unknown> => db.$sql.$queryRaw`SELECT ${1}::int AS kept_here`;
    const db = single();
    await ask(db);
    expect(await prepared(db)).toHaveLength(0);
    await ask(db);
    expect(await prepared(db)).toHaveLength(1);

    const plain = createDb(data().url, { maxConnections: 1, prepare: false });
    onTestFinished(() => plain.$disconnect());
    for (let i = 0; i < 3; i++) await ask(plain);
    expect(await prepared(plain)).toHaveLength(0);
  });

  it('opens connections again after they were closed', async () => {
    const db = single();
    await insert(db.$sql, 'before');
    await db.$disconnect();
    expect(await stored(db)).toEqual(['before']);
  });
});

describe('a transaction', () => {
  it('keeps all that its step wrote, or nothing, and gives its connection back', async () => {
    const db = single();
    await transact(db, async (sql) => {
      await insert(sql, 'a');
      await insert(sql, 'b');
    });
    const failed = transact(db, async (sql) => {
      await insert(sql, 'c');
      throw new Error('halfway');
    });
    await expect(failed).rejects.toThrow('halfway');
    expect(await stored(db)).toEqual(['a', 'b']);
  });

  it('is seen by nobody before its end', async () => {
    const { db } = data();
    await transact(db, async (sql) => {
      await insert(sql, 'a');
      expect(await stored(single())).toEqual([]);
    });
    expect(await stored(db)).toEqual(['a']);
  });

  it('is tried again when it loses a race', async () => {
    const { db } = data();
    let tries = 0;
    await transact(db, async (sql) => {
      tries += 1;
      if (tries === 1)
        await sql.$executeRaw`DO $$ BEGIN RAISE EXCEPTION 'lost' USING ERRCODE = '40001'; END $$`;
      await insert(sql, 'a');
    });
    expect([tries, await stored(db)]).toEqual([2, ['a']]);
  });

  it('fails when its step passes over a statement that failed: nothing of it would be kept', async () => {
    const db = single();
    const passedOver = transact(db, async (sql) => {
      await insert(sql, 'a');
      await sql.$executeRaw`SELECT 1 / 0`.catch(() => undefined);
      return 'fine';
    });
    await expect(passedOver).rejects.toThrow('nothing of it is kept');
    expect(await stored(db)).toEqual([]);
  });

  it('fails when its connection is lost, also while its step waits for something else', async () => {
    const db = single();
    const lost = transact(db, async (sql) => {
      await insert(sql, 'a');
      const [row] = await sql.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
      await data().db.$queryRaw`SELECT pg_terminate_backend(${row?.pid ?? 0})`;
      await new Promise(() => undefined);
    });
    await expect(lost).rejects.toMatchObject({ code: 'ConnectionClosed' });
    await insert(db.$sql, 'b');
    expect(await stored(db)).toEqual(['b']);
  });

  it('ends when its time is over, and its connection is replaced', async () => {
    const db = single();
    const [before] = await db.$sql.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    const endless = db.$sql.transaction(async (sql) => {
      await insert(sql, 'a');
      await new Promise(() => undefined);
    }, 100);
    await expect(endless).rejects.toMatchObject({ code: 'ConnectionClosed' });
    expect(await stored(db)).toEqual([]);
    const [after] = await db.$sql.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    expect(after?.pid).not.toBe(before?.pid);
  });

  it('fails with the reason when it may not take its role: waiting does not help', async () => {
    const role = { service: 'rating', mode: 'required', warn: () => undefined } as const;
    const url = new URL(data().url);
    url.pathname = '/postgres';
    const db = createDb(url.href, { maxConnections: 1, role });
    onTestFinished(() => db.$disconnect());
    // No migration was applied there.
    await expect(transact(db, (sql) => insert(sql, 'a'))).rejects.toBeInstanceOf(NotMigrated);
  });

  it('fails when there is no connection to be had', async () => {
    const db = createDb('postgresql://nobody@127.0.0.1:1/none', { maxConnections: 1 });
    onTestFinished(() => db.$disconnect());
    await expect(transact(db, (sql) => insert(sql, 'a'))).rejects.toMatchObject({ code: 'ConnectionClosed' });
  });
});
