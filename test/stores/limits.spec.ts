import { serviceLimits, type Sql } from '@muster/db';
import { allocatorStores } from './allocator-stores.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CuttableProxy } from '../support/cuttable-proxy.js';
import { until } from '../support/gate.js';
import { databaseForEach, noon, timeouts } from './fixtures.js';
import { House } from './house.js';
import { createDb, type Db } from '../support/prisma.js';

const data = databaseForEach();

/** Connections of a service, closed at the end of the test. */
function connect(url: string, limits = serviceLimits): Db {
  const db = createDb(url, { maxConnections: 1, limits });
  onTestFinished(() => db.$disconnect());
  return db;
}

/** The same, in a process that is stopped once it holds the servers that it chose. */
function stoppedWithLock(db: Db): { db: Db; locked: Promise<void> } {
  let tell = (): void => undefined;
  const locked = new Promise<void>((resolve) => (tell = resolve));
  const stop =
    (tx: object) =>
    async (sql: TemplateStringsArray, ...values: unknown[]): Promise<unknown> => {
      const query: unknown = Reflect.get(tx, '$queryRaw');
      const rows: unknown = await Reflect.apply(query as typeof stop, tx, [sql, ...values]);
      if (!sql.join('').includes('FOR NO KEY UPDATE SKIP LOCKED')) return rows;
      tell();
      return new Promise(() => undefined);
    };
  const $sql = new Proxy(db.$sql, {
    get: (target, key): unknown =>
      key === 'transaction'
        ? (step: (tx: unknown) => Promise<unknown>) =>
            target.transaction((tx) =>
              step(
                new Proxy(tx, {
                  get: (of, name): unknown => (name === '$queryRaw' ? stop(of) : Reflect.get(of, name)),
                }),
              ),
            )
        : Reflect.get(target, key),
  });
  const stopped = new Proxy(db, {
    get: (target, key): unknown => (key === '$sql' ? $sql : Reflect.get(target, key)),
  });
  return { db: stopped, locked };
}

describe('a process that is stopped while it holds a lock', () => {
  it('blocks no placement: an allocator that is stopped while it places loses its transaction', async () => {
    const h = new House(data().db);
    await h.server('s', { slots: 2 });
    await h.wants('m1');
    await h.wants('m2');
    const { db, locked } = stoppedWithLock(connect(data().url));
    const stopped = allocatorStores(db).placement.place('m1', timeouts, noon);
    stopped.catch(() => undefined);
    await locked;

    const other = allocatorStores(connect(data().url));
    expect(await other.placement.place('m2', timeouts, noon)).toMatchObject({ outcome: 'reserved' });
    expect(await other.placement.place('m1', timeouts, noon)).toMatchObject({ outcome: 'reserved' });
  });

  it('loses its transaction after a time-out, and lock waits are limited', async () => {
    const limits = { statementMs: 5_000, lockMs: 300, idleInTransactionMs: 1_000, idleMs: 20_000 };
    const [one, other] = [connect(data().url, limits), connect(data().url, limits)];
    await one.$executeRaw`INSERT INTO allocator_replica VALUES ('r', now(), now())`;
    const lock = (sql: Sql): Promise<unknown> =>
      sql.$executeRaw`UPDATE allocator_replica SET seen_at = now()`;
    let held = (): void => undefined;
    const holds = new Promise<void>((resolve) => (held = resolve));
    const stopped = one.$sql.transaction(async (sql) => {
      await lock(sql);
      held();
      await new Promise(() => undefined);
    }, 120_000);
    stopped.catch(() => undefined);
    await holds;
    await expect(lock(other.$sql)).rejects.toThrow(/lock timeout/);
    await until(() =>
      lock(other.$sql).then(
        () => true,
        () => false,
      ),
    );
  });
});

describe('a database that disappears', () => {
  it('is given up after a time-out, and the next connection is used', async () => {
    const { port } = new URL(data().url);
    const proxy = await CuttableProxy.start(`http://127.0.0.1:${port}`);
    onTestFinished(() => proxy.stop());
    const url = new URL(data().url);
    url.port = new URL(proxy.url).port;
    const db = connect(url.href, { statementMs: 200, lockMs: 200, idleInTransactionMs: 200, idleMs: 20_000 });
    expect(await db.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }]);
    proxy.mute();
    await expect(db.$queryRaw`SELECT 1 AS one`).rejects.toThrow(/Connection terminated/);
    expect(await db.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }]);
  });
});
