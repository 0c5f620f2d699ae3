import { ReadReplica, transact } from '@muster/db';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { PostgresMatchHistory } from '../../apps/assignment/src/history/match-history.store.js';
import { PostgresMatchStore } from '../../apps/assignment/src/forming/match.store.js';
import { RatingStores } from '../support/rating-stores.js';
import { CuttableProxy } from '../support/cuttable-proxy.js';
import { emptyDatabase, TestPostgres } from '../support/database.js';
import { until } from '../support/gate.js';
import { Standby } from '../support/standby.js';
import { aMatch, noon } from './fixtures.js';
import { aPool, duel, ended } from './ledger-fixtures.js';
import { createDb, type Db } from '../support/prisma.js';

let postgres: TestPostgres;
let standby: Standby;
let primary: Db;
let replica: Db;
let reads: ReadReplica;
let now = 0;
let notices: string[] = [];
/** The time limit of a measurement: it passes when a test says so. */
let late: Promise<void>;

beforeAll(async () => {
  // A commit is in the log when it is acknowledged, as usual: the test servers otherwise delay it.
  postgres = await TestPostgres.start({ settings: ['synchronous_commit=on'] });
  standby = await Standby.of(postgres.embedded);
  const read = {
    service: 'assignment',
    mode: 'required',
    warn: (text: string) => expect.fail(text),
  } as const;
  primary = createDb(postgres.url, { maxConnections: 3 });
  // A standby has the roles too.
  replica = createDb(standby.url, { maxConnections: 3, role: read });
});
beforeEach(() => {
  notices = [];
  late = new Promise(() => undefined);
  reads = new ReadReplica(primary, replica, {
    maxLagMs: 5_000,
    elapsed: () => now,
    after: () => late,
    notice: (text) => notices.push(text),
  });
});
afterAll(async () => {
  await Promise.all([primary.$disconnect(), replica.$disconnect()]);
  await standby.stop();
  await postgres.stop();
});

/** Where a read is answered. */
async function by(): Promise<'replica' | 'primary'> {
  const ask = (db: Pick<Db, '$sql'>): Promise<{ is: boolean }[]> =>
    db.$sql.$queryRaw`SELECT pg_is_in_recovery() AS is`;
  return (await reads.read(ask))[0]?.is ? 'replica' : 'primary';
}

/** Waits until the replica has all that the primary has. */
async function followed(): Promise<void> {
  await until(async () => {
    now += 1_000;
    return (await by()) === 'replica';
  });
}

it('reads lists from the replica, and one match from the primary', async () => {
  const history = new PostgresMatchHistory(primary, reads);
  await followed();
  await standby.pause(true);
  await new PostgresMatchStore(primary).form(aMatch('m-new'));
  expect((await history.page({ limit: 10, order: 'newest' })).stories).toEqual([]);
  expect(await history.find('m-new')).toMatchObject({ matchId: 'm-new' });
  await standby.pause(false);
  await until(async () => (await history.page({ limit: 10, order: 'newest' })).stories.length === 1);
  expect(await by()).toBe('replica');
});

it('goes to the primary while the replica lags by more than the limit, and returns', async () => {
  await followed();
  notices = [];
  await standby.pause(true);
  await transact(primary, (sql) => sql.$executeRaw`UPDATE match SET why = '{later}'`);
  now += 4_000;
  expect(await by()).toBe('replica');
  now += 2_000;
  expect(await by()).toBe('primary');
  expect(await by()).toBe('primary');
  await standby.pause(false);
  await followed();
  expect(notices).toEqual([
    expect.stringMatching(/lags by more than 5000 ms: the primary answers/),
    'the read replica is in use again',
  ]);
});

it('trusts an idle replica that is connected, however long nothing is written', async () => {
  await followed();
  for (let minute = 0; minute < 5; minute++) {
    now += 60_000;
    expect(await by()).toBe('replica');
  }
});

it('reads the history of a rating by the generation that the replica has', async () => {
  const ledger = new RatingStores(primary, reads);
  await followed();
  await standby.pause(true);
  // The replica does not know the pool: the primary answers.
  const { pool } = await ledger.pools.create(aPool());
  await ended(primary, duel);
  await ledger.matches.rate(duel.matchId, noon);
  expect(await ledger.history.of(pool, 'ann', 10)).toHaveLength(1);
  await standby.pause(false);
});

it('refuses another database, which would answer something else', async () => {
  const other = createDb(await emptyDatabase(postgres.url), { maxConnections: 1 });
  await other.$executeRawUnsafe(`
    CREATE TABLE _prisma_migrations (id text, started_at timestamptz DEFAULT now());
    INSERT INTO _prisma_migrations VALUES ('other')`);
  const wrong = new ReadReplica(primary, other, {
    maxLagMs: 5_000,
    elapsed: () => now,
    after: () => late,
    notice: (text) => notices.push(text),
  });
  const name = (db: Pick<Db, '$sql'>): Promise<unknown> =>
    db.$sql.$queryRaw`SELECT current_database() AS name`;
  await until(async () => {
    expect(await wrong.read(name)).toEqual(await name(primary));
    return notices.length > 0;
  });
  expect(notices).toEqual([expect.stringMatching(/leads to another database than DATABASE_URL/)]);
  await other.$disconnect();
});

it('does not wait for a replica that swallows all packets, and uses it again when it answers', async () => {
  const proxy = await CuttableProxy.start(standby.url.replace('postgresql:', 'http:'));
  const url = new URL(standby.url);
  url.port = new URL(proxy.url).port;
  const silent = createDb(url.href, { maxConnections: 3 });
  reads = new ReadReplica(primary, silent, {
    maxLagMs: 5_000,
    elapsed: () => now,
    after: () => late,
    notice: (text) => notices.push(text),
  });
  await followed();
  notices = [];
  proxy.mute();
  late = Promise.resolve();
  now += 1_000;
  expect(await by()).toBe('primary');
  // The measurement goes on: no read waits for it.
  late = new Promise(() => undefined);
  now += 1_000;
  expect(await by()).toBe('primary');
  expect(notices).toEqual([expect.stringMatching(/is away or lags/)]);
  proxy.cut();
  await followed();
  await silent.$disconnect();
  await proxy.stop();
});

it('goes to the primary at once when the replica is gone', async () => {
  await followed();
  notices = [];
  await standby.halt();
  expect(await by()).toBe('primary');
  now += 2_000;
  expect(await by()).toBe('primary');
  expect(notices).toHaveLength(1);
});
