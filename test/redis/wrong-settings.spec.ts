import { connectRedis, readRedisTarget, untilConnected } from '@muster/redis';
import { isStoreUnavailable } from '@muster/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSentinel, startSingle, type RedisTopology } from '../support/redis-topologies.js';
import { certificates, hasRedis, skips } from './topologies.js';

describe.skipIf(!hasRedis)(`settings that Redis refuses ${skips}`, () => {
  let locked: RedisTopology;
  let encrypted: RedisTopology;
  let sentinel: RedisTopology;
  beforeAll(async () => {
    locked = await startSingle({ lines: ['user ann on >secret ~* &* +@all'] });
    encrypted = await startSingle({ tls: certificates });
    sentinel = await startSentinel({ replicas: 1 });
  });
  afterAll(async () => {
    await Promise.all([locked, encrypted, sentinel].map((topology) => topology?.stop()));
  });

  /** The error of the first attempt to connect. */
  async function errorOf(settings: { REDIS_URL: string } & Record<string, string>): Promise<Error> {
    const redis = connectRedis(readRedisTarget(settings), {
      name: 'wrong',
      prompt: true,
      onError: () => undefined,
    });
    try {
      await untilConnected(redis);
      return new Error('connected');
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    } finally {
      redis.disconnect();
    }
  }
  const portOf = ({ servers }: RedisTopology): number => servers[0]?.port ?? 0;

  it('end the start with the reason, whatever the topology', async () => {
    const at = `127.0.0.1:${portOf(locked)}`;
    const cases: [{ REDIS_URL: string } & Record<string, string>, RegExp][] = [
      [{ REDIS_URL: `redis://ann:wrong@${at}` }, /WRONGPASS/],
      [{ REDIS_URL: `redis+cluster://ann:wrong@${at}` }, /WRONGPASS/],
      [{ REDIS_URL: `redis+cluster://ann:secret@${at}` }, /cluster support disabled/],
      [{ REDIS_URL: sentinel.env.REDIS_URL.replace(/muster$/, 'another') }, /No such master/],
      [{ REDIS_URL: `rediss://127.0.0.1:${portOf(encrypted)}` }, /certificate/],
      [{ ...encrypted.env, REDIS_SERVERNAME: 'another.test' }, /altnames/],
    ];
    for (const [settings, reason] of cases) {
      const error = await errorOf(settings);
      expect(error.message).toMatch(reason);
      expect([settings.REDIS_URL, isStoreUnavailable(error)]).toEqual([settings.REDIS_URL, false]);
    }
  });

  it('that name nobody let the start wait, with the reason', async () => {
    for (const url of [
      'redis://127.0.0.1:1',
      'redis+cluster://127.0.0.1:1',
      'redis+sentinel://127.0.0.1:1/m',
    ]) {
      const error = await errorOf({ REDIS_URL: url });
      expect([url, isStoreUnavailable(error)]).toEqual([url, true]);
    }
  });
});
