import type { DbLimits } from '@muster/db';
import { isStoreUnavailable } from '@muster/platform';
import { connectRedis } from '@muster/redis';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CuttableProxy, type Swallowed } from '../support/cuttable-proxy.js';
import { until } from '../support/gate.js';
import { TestRedis } from '../support/redis.js';
import { databaseForEach } from './fixtures.js';
import { createDb } from '../support/prisma.js';

const ways: readonly Swallowed[] = ['requests', 'answers', 'both'];

async function proxyBefore(url: string): Promise<{ proxy: CuttableProxy; through: string }> {
  const target = new URL(url);
  const proxy = await CuttableProxy.start(`http://127.0.0.1:${target.port}`);
  onTestFinished(() => proxy.stop());
  target.port = new URL(proxy.url).port;
  return { proxy, through: target.href };
}

describe('a link to Redis that swallows bytes', () => {
  let server: TestRedis;
  beforeAll(async () => {
    server = await TestRedis.start();
  });
  afterAll(() => server.stop());

  it.each(ways)('is replaced when a command times out (%s vanish)', async (which) => {
    const { proxy, through } = await proxyBefore(server.url);
    const redis = connectRedis(through, {
      name: 'half-open',
      commandTimeoutMs: 300,
      onError: () => undefined,
    });
    onTestFinished(() => redis.disconnect());
    await redis.set('link', 'whole');
    proxy.mute(which);
    await expect(redis.get('link')).rejects.toThrow(/timed out/);
    await until(async () => (await redis.get('link').catch(() => null)) === 'whole');
  });

  it('is replaced also when it is new and never had a command answered', async () => {
    const { proxy, through } = await proxyBefore(server.url);
    proxy.swallow('both');
    const options = { blocking: true, silentMs: 300 };
    const told: Error[] = [];
    const redis = connectRedis(through, {
      name: 'half-open',
      ...options,
      onError: (error) => void told.push(error),
    });
    onTestFinished(() => redis.disconnect());
    await new Promise((resolve) => redis.once('close', resolve));
    const set = redis.set('link', 'new');
    proxy.reopen();
    expect(await set).toBe('OK');
    // A service that starts meanwhile waits, and does not take its settings for wrong.
    expect(told.length).toBeGreaterThan(0);
    expect(told.filter((error) => !isStoreUnavailable(error))).toEqual([]);
  });
});

describe('a link to PostgreSQL that swallows bytes', () => {
  const data = databaseForEach();
  const limits: DbLimits = { statementMs: 300, lockMs: 300, idleInTransactionMs: 300, idleMs: 1_000 };
  const connections = 3;

  it('is replaced, and the server ends its half as well', async () => {
    const { proxy, through } = await proxyBefore(data().url);
    const applicationName = 'half-open';
    const db = createDb(through, { maxConnections: connections, applicationName, limits });
    onTestFinished(() => db.$disconnect());
    const all = (): Promise<PromiseSettledResult<unknown>[]> =>
      Promise.allSettled(
        Array.from({ length: connections }, () => db.$sql.$queryRaw`SELECT pg_sleep(0.05)::text`),
      );
    const sessions = async (): Promise<number> => {
      const [row] = await data().db.$sql.$queryRaw<{ n: number }[]>`
        SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = ${applicationName}`;
      return row?.n ?? 0;
    };
    await all();
    expect(await sessions()).toBe(connections);
    for (let fault = 0; fault < 3; fault++) {
      proxy.mute('both');
      expect((await all()).map(({ status }) => status)).not.toContain('fulfilled');
      expect((await all()).map(({ status }) => status)).not.toContain('rejected');
    }
    await until(async () => (await sessions()) <= connections);
  });
});
