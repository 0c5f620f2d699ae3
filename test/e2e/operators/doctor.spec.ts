import { migrate } from '@muster/db';
import { Redis } from 'ioredis';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrationsDir } from '../../support/database.js';
import { muster } from '../../support/muster.js';
import { TestRedis } from '../../support/redis.js';
import { redisProgram } from '../../support/redis-topologies.js';
import type { Stack } from '../../support/stack.js';
import { sharedStack } from '../shared-stack.js';

const isNative = (await redisProgram()) !== null;
const faketime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

let stack: Stack;
let redis: TestRedis;
let older: Server;
const databases: string[] = [];

beforeAll(async () => {
  stack = await sharedStack();
  redis = await TestRedis.start();
  // A service of another release: it is ready, and says so.
  older = createServer((_request, response) => response.end('{"version":"0.1.0","checks":{"Redis":"ok"}}'));
  await new Promise<void>((resolve) => older.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await redis?.stop();
  older?.close();
  await owner(async (client) => {
    for (const name of databases) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
});

async function owner<T>(use: (client: pg.Client) => Promise<T>, url = stack.run.databaseUrl): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** A new database beside that of the stack. */
async function database(name: string): Promise<string> {
  databases.push(name);
  await owner((client) => client.query(`CREATE DATABASE ${name}`));
  const url = new URL(stack.run.databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function onRedis(...args: [string, ...string[]]): Promise<void> {
  const client = new Redis(redis.url);
  await client.call(...args);
  client.disconnect();
}

/** What the doctor says is wrong, and its exit code. */
async function doctor(env: Record<string, string> = {}, ...args: string[]): Promise<string[]> {
  const given = ['doctor', '--json', '--data-dir', stack.dataDir, ...args];
  const { code, stdout, stderr } = await muster(given, env, env['LD_PRELOAD'] ? () => undefined : undefined);
  const { findings } = JSON.parse(stdout) as { findings: { wrong: string; why: string; mend: string }[] };
  expect({ code, stderr }).toEqual({ code: findings.length === 0 ? 0 : 1, stderr: '' });
  for (const { why, mend } of findings) expect(why === '' || mend === '').toBe(false);
  return findings.map(({ wrong }) => wrong);
}

describe('muster doctor', () => {
  it('finds nothing wrong with the system of the tests', async () => {
    // Other tests leave dead letters, disputed results and keys.
    const others = /failed for good|contradict|expires in/;
    expect((await doctor()).filter((wrong) => !others.test(wrong))).toEqual([]);
  });

  it.skipIf(!isNative)('names Redis that deletes keys', async () => {
    await onRedis('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    expect(await doctor({ REDIS_URL: redis.url })).toContain(
      'Redis deletes keys when its memory is used up: maxmemory-policy is allkeys-lru.',
    );
  });

  it.skipIf(!isNative)('names Redis without an append-only file', async () => {
    await onRedis('CONFIG', 'SET', 'appendonly', 'no');
    expect(await doctor({ REDIS_URL: redis.url })).toContain(
      'Redis has no append-only file: appendonly is no.',
    );
  });

  it('names Redis that cannot be reached', async () => {
    expect(await doctor({ REDIS_URL: 'redis://127.0.0.1:1' })).toContainEqual(
      expect.stringMatching(/^Redis at redis:\/\/127\.0\.0\.1:1 does not answer: /),
    );
  });

  it('names a database that cannot be reached', async () => {
    expect(await doctor({ DATABASE_URL: 'postgresql://muster@127.0.0.1:1/muster' })).toContainEqual(
      expect.stringMatching(/^The database does not answer: /),
    );
  });

  it('names a database that is not migrated', async () => {
    expect(await doctor({ DATABASE_URL: await database('doctor_empty') })).toContain(
      'The database lacks all migrations.',
    );
  });

  it('names migrations that are missing, and a role without its grants', async () => {
    const url = await database('doctor_grants');
    await migrate(url, migrationsDir);
    await owner((client) => client.query('REVOKE SELECT ON _prisma_migrations FROM muster_queue'), url);
    expect(await doctor({ DATABASE_URL: url })).toContainEqual(
      expect.stringMatching(/the role muster_queue has no grants in this database/),
    );
    await owner(
      (client) =>
        client.query(
          'DELETE FROM _prisma_migrations WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)',
        ),
      url,
    );
    expect(await doctor({ DATABASE_URL: url })).toContainEqual(
      expect.stringMatching(/^The database lacks \d{14}_\w+\.$/),
    );
  });

  it.skipIf(!existsSync(faketime))('names a wrong clock', async () => {
    const env = { LD_PRELOAD: faketime, FAKETIME: '+300s', FAKETIME_DONT_FAKE_MONOTONIC: '1' };
    const wrong = await doctor(env);
    for (const store of ['Postgres', 'Redis'])
      expect(wrong).toContainEqual(
        expect.stringMatching(
          new RegExp(`^The clock of this machine is (299|300|301) s ahead of that of ${store}\\.$`),
        ),
      );
  });

  it('names an operator key that is not accepted', async () => {
    expect(await doctor({}, '--operator-key', 'guess')).toContainEqual(
      expect.stringMatching(/rejects this operator key/),
    );
  });

  it('names secrets that can be guessed, or are the same', async () => {
    const env = { OPERATOR_KEY: 'change-me', SERVER_KEY: 'change-me' };
    expect(await doctor(env)).toEqual(
      expect.arrayContaining([
        'OPERATOR_KEY is easy to guess: it is short, or made of usual words.',
        'OPERATOR_KEY and SERVER_KEY are the same.',
      ]),
    );
  });

  it('names settings that contradict each other', async () => {
    const env = { DATABASE_READ_URL: 'postgresql://elsewhere/muster' };
    expect(await doctor(env)).toContain('DATABASE_READ_URL is set, and DATABASE_URL is not.');
  });

  it.each(['http://queue:7000', '{"queue":"http://queue:7000"}'])(
    'names EDGE_UPSTREAMS %s',
    async (given) => {
      expect(await doctor({ EDGE_UPSTREAMS: given })).toContainEqual(
        expect.stringMatching(/^EDGE_UPSTREAMS is not of the form /),
      );
    },
  );

  it('names a service that is stopped', async () => {
    expect(await doctor({}, '--service', 'http://127.0.0.1:1')).toContainEqual(
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:1 at http:\/\/127\.0\.0\.1:1 does not answer: /),
    );
  });

  it('names services of another release', async () => {
    const url = `http://127.0.0.1:${(older.address() as AddressInfo).port}`;
    expect(await doctor({}, '--service', url)).toContainEqual(
      expect.stringMatching(new RegExp(`^${url} runs release 0\\.1\\.0, not `)),
    );
  });

  it('names a key that ends soon', async () => {
    const { keyId } = await stack.operator.createKey({
      name: 'night-shift',
      role: 'viewer',
      expiresInDays: 1,
    });
    expect(await doctor()).toContainEqual(
      expect.stringContaining(`The key ${keyId} of night-shift expires in `),
    );
  });
});
