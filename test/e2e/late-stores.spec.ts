import { planReplicas, readKeys, serviceProcess, type Replica } from '@muster/embedded';
import { migrate } from '@muster/db';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { CuttableProxy } from '../support/cuttable-proxy.js';
import { emptyDatabase, migrationsDir } from '../support/database.js';
import { until } from '../support/gate.js';
import { sharedStack } from './shared-stack.js';
import { createDb } from '../support/prisma.js';

interface Ran {
  readonly replica: Replica;
  readonly child: ChildProcess;
  /** Its standard error, with the last message if any. */
  words(): string;
}

describe('a service that starts before its stores', () => {
  const running: ChildProcess[] = [];
  afterEach(() => {
    for (const child of running.splice(0)) child.kill('SIGKILL');
  });

  async function start(databaseUrl: string, redisUrl: string, most = 4): Promise<Ran[]> {
    const keys = await readKeys((await sharedStack()).dataDir);
    const replicas = await planReplicas(1);
    const stores = { databaseUrl, databaseRole: 'required' as const, redisUrl, redisEngine: 'yours' };
    return replicas.slice(0, most).map((replica) => {
      const { command, args, env } = serviceProcess(replica, replicas, stores, keys, 'warn');
      const child = spawn(command, args, {
        env: { ...process.env, ...env },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      running.push(child);
      let said = '';
      child.stderr.on('data', (data: Buffer) => (said += data.toString()));
      return { replica, child, words: () => said };
    });
  }

  const asked = async ({ replica }: Ran, path: string): Promise<{ status: number; body: string }> => {
    const answer = await fetch(`http://127.0.0.1:${replica.httpPort}${path}`).catch(() => null);
    return answer ? { status: answer.status, body: await answer.text() } : { status: 0, body: '' };
  };

  const waitsFor = async (ran: Ran, what: RegExp): Promise<void> => {
    await until(async () => {
      const { status, body } = await asked(ran, '/health/ready');
      if (ran.child.exitCode !== null) throw new Error(`${ran.replica.name} ended: ${ran.words()}`);
      return status === 503 && what.test(body);
    });
    expect(await asked(ran, '/health/live')).toMatchObject({ status: 200 });
  };

  it('reports the store it waits for: the database, its migrations, Redis; it exits cleanly, or continues by itself', async () => {
    const { run } = await sharedStack();
    const database = await emptyDatabase(run.databaseUrl);
    const [postgres, redis] = [await CuttableProxy.start(database), await CuttableProxy.start(run.redisUrl)];
    try {
      postgres.shut();
      redis.shut();
      const through = new URL(database);
      through.port = new URL(postgres.url).port;
      const [rating, ...others] = await start(through.href, redis.url.replace('http:', 'redis:'));
      if (!rating) throw new Error('nothing was started');
      await Promise.all([rating, ...others].map((ran) => waitsFor(ran, /"waitsFor":"PostgreSQL: /)));
      for (const { child } of others) child.kill('SIGTERM');
      const ended = await Promise.all(
        others.map(async ({ child }) => child.exitCode ?? (await once(child, 'exit'))[0]),
      );
      expect(ended).toEqual([0, 0, 0]);
      expect(others.map((ran) => ran.words())).toEqual(['', '', '']);
      postgres.reopen();
      await waitsFor(rating, /"waitsFor":"PostgreSQL: .*pending migrations/);
      await migrate(database, migrationsDir);
      await waitsFor(rating, /"waitsFor":"Redis: /);
      redis.reopen();
      await until(async () => (await asked(rating, '/health/ready')).status === 200);
    } finally {
      await postgres.stop();
      await redis.stop();
    }
  });

  it.each([
    ['a wrong password', 'visitor', 'wrong', /PostgreSQL: .*password authentication failed/],
    [
      'a user that may not take the role of the service',
      'outsider',
      'secret',
      /DATABASE_ROLE is "required", and .*GRANT muster_rating TO outsider/,
    ],
  ])(
    'does not wait for a permanent error, and reports it readably: %s',
    async (_error, user, password, sentence) => {
      const { run } = await sharedStack();
      const db = createDb(run.databaseUrl, { maxConnections: 1 });
      await db.$executeRawUnsafe(`CREATE ROLE ${user} LOGIN PASSWORD 'secret'`);
      await db.$disconnect();
      const url = new URL(run.databaseUrl);
      url.username = user;
      url.password = password;
      const [rating] = await start(url.href, run.redisUrl, 1);
      if (!rating) throw new Error('nothing was started');
      const [code] = await once(rating.child, 'exit');
      expect(code).toBe(78);
      expect(rating.words().trim().split('\n')).toEqual([
        expect.stringMatching(new RegExp(`^rating cannot start: .*${sentence.source}`)),
      ]);
    },
  );
});
