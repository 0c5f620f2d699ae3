import { jobQueues, MatchJob } from '@muster/contracts';
import { createLog, JobSender, toProblem, workOn } from '@muster/platform';
import { connectRedis, realmRoot } from '@muster/redis';
import { UnwatchedTicketStore } from '../../apps/queue/test-support/ticket-store.js';
import { aTicket, testTime } from '@muster/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CuttableProxy } from '../support/cuttable-proxy.js';
import { TestPostgres } from '../support/database.js';
import { until } from '../support/gate.js';
import { Happenings } from '../support/happenings.js';
import { TestRedis } from '../support/redis.js';
import { databaseForEach } from './fixtures.js';
import { createDb, type Db } from '../support/prisma.js';

const away = { status: 503, type: expect.stringMatching(/:store-unavailable$/) };
const log = createLog('test', 'silent');

/** The problem of a failed call. */
async function problemOf(asked: Promise<unknown>): Promise<object> {
  return asked.then(
    () => ({ status: 200 }),
    (error: unknown) => toProblem(error),
  );
}

describe('a Redis that rejects all work', () => {
  let redis: TestRedis;
  let admin: ReturnType<typeof connectRedis>;
  let client: ReturnType<typeof connectRedis>;
  let store: UnwatchedTicketStore;
  beforeAll(async () => {
    redis = await TestRedis.start();
    admin = connectRedis(redis.url, { name: 'admin', onError: () => undefined });
    client = connectRedis(redis.url, { name: 'client', onError: () => undefined });
    store = new UnwatchedTicketStore(client, realmRoot('away'));
  });
  afterAll(async () => {
    admin.disconnect();
    client.disconnect();
    await redis.stop();
  });

  it('is reported as unavailable if it has become a replica', async () => {
    await admin.replicaof('127.0.0.1', 1);
    expect(await problemOf(store.enqueue(aTicket({ ticketId: 'replica' }), testTime))).toMatchObject(away);
    expect(await problemOf(client.set('away', '1'))).toMatchObject(away);
    await admin.replicaof('NO', 'ONE');
    expect(await problemOf(store.enqueue(aTicket({ ticketId: 'replica' }), testTime))).toEqual({
      status: 200,
    });
  });

  it('is reported as unavailable if its memory is exhausted', async () => {
    await admin.config('SET', 'maxmemory', '1');
    expect(await problemOf(store.enqueue(aTicket({ ticketId: 'memory' }), testTime))).toMatchObject(away);
    expect(await problemOf(client.set('away', '1'))).toMatchObject(away);
    await admin.config('SET', 'maxmemory', '0');
  });

  it.each([
    'LOADING Redis is loading the dataset in memory',
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    'MISCONF Redis is configured to save RDB snapshots, but it is currently not able to persist on disk.',
    'NOREPLICAS Not enough good replicas to write.',
    'BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.',
    "ERR Error running script (call to f_1): @user_script:1: -READONLY You can't write against a read only replica.",
  ])('is unavailable on %s', (said) => {
    expect(toProblem(new Error(said))).toMatchObject(away);
  });

  it('is not what an error is about that only quotes such a word', () => {
    expect(toProblem(new Error('the ticket "READONLY" has no player OOM'))).toMatchObject({ status: 500 });
  });
});

describe('a Redis whose address leads to another after a fail-over', () => {
  it('is abandoned by tickets and jobs once it is a replica', async () => {
    const [old, next] = await Promise.all([TestRedis.start(), TestRedis.start()]);
    const proxy = await CuttableProxy.start(old.url);
    const url = proxy.url.replace('http:', 'redis:');
    const client = connectRedis(url, { name: 'client', onError: () => undefined });
    const store = new UnwatchedTicketStore(client, realmRoot('moved'));
    const sender = new JobSender(url, 'moved', log);
    const done = new Happenings<string>();
    const handle = async ({ matchId }: MatchJob): Promise<void> => void done.push(matchId);
    const worker = workOn(jobQueues.placeMatch, MatchJob, handle, {
      target: url,
      realm: 'moved',
      log,
      clock: { sound: true, onChange: () => undefined },
      concurrency: 1,
    });
    const send = (matchId: string): Promise<void> =>
      sender.send(jobQueues.placeMatch, [{ jobId: matchId, payload: { matchId } }]);
    const sent = (matchId: string): Promise<boolean> =>
      send(matchId).then(
        () => true,
        () => false,
      );
    try {
      await until(() => sent('before'));
      await done.many(1);

      proxy.lead(next.url);
      const admin = connectRedis(old.url, { name: 'admin', onError: () => undefined });
      await admin.replicaof('127.0.0.1', 1);
      admin.disconnect();

      expect(await problemOf(store.enqueue(aTicket(), testTime))).toMatchObject(away);
      expect(await problemOf(send('lost'))).toMatchObject(away);
      await until(async () => (await store.enqueue(aTicket(), testTime).catch(() => null)) !== null);
      await until(() => sent('after'));
      expect(await done.first((matchId) => matchId === 'after')).toBe('after');
    } finally {
      await worker.stop();
      await sender.close();
      client.disconnect();
      await proxy.stop();
      await Promise.all([old.stop(), next.stop()]);
    }
  });
});

describe('a PostgreSQL that rejects all work', () => {
  const data = databaseForEach();

  it.each([
    [
      'takes too long',
      ({ $sql }: Db) =>
        $sql.transaction(async (sql) => {
          await sql.$executeRaw`SET LOCAL statement_timeout = 5`;
          await sql.$queryRaw`SELECT pg_sleep(5)::text`;
        }),
    ],
    [
      'is a replica',
      ({ $sql }: Db) =>
        $sql.transaction(async (sql) => {
          await sql.$executeRaw`SET TRANSACTION READ ONLY`;
          await sql.$executeRaw`DELETE FROM outbox`;
        }),
    ],
    [
      'ends the connection',
      ({ $sql }: Db) => $sql.$queryRaw`SELECT pg_terminate_backend(pg_backend_pid())::text`,
    ],
  ])('is reported as unavailable if it %s', async (_, ask) => {
    expect(await problemOf(ask(data().db))).toMatchObject(away);
  });

  it('is reported as unavailable while it accepts no connections', async () => {
    const postgres = await TestPostgres.start({ standby: true });
    const db = createDb(postgres.url);
    try {
      // Nothing listens at first, then it starts, and then it is a replica that accepts no connections.
      await until(async () => {
        const error: unknown = await db.$sql.$queryRaw`SELECT 1`.catch((thrown: unknown) => thrown);
        expect(toProblem(error)).toMatchObject(away);
        return String(error).includes('not accepting connections');
      });
    } finally {
      await db.$disconnect();
      await postgres.stop();
    }
  });
});
