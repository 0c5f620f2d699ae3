import { connectRedis, rewriteLogs, untilConnected } from '@muster/redis';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RedisPlayerKeys } from '../../apps/cli/src/player-data/keys.store.js';
import { redisProgram } from '../support/redis-topologies.js';
import { TestRedis } from '../support/redis.js';

/** Its files have been several, in a directory, since 7.0. */
const isNative = (await redisProgram()) !== null;
let server: TestRedis;
let redis: ReturnType<typeof connectRedis>;

beforeAll(async () => {
  server = await TestRedis.start();
  redis = connectRedis(server.url, { name: 'erased-log', onError: () => undefined });
  await untilConnected(redis);
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

/** How often the append-only files name a player. */
async function namedInLog(playerId: string): Promise<number> {
  const [, directory = ''] = (await redis.config('GET', 'dir')) as string[];
  const logs = join(directory, 'appendonlydir');
  const texts = await Promise.all((await readdir(logs)).map((file) => readFile(join(logs, file), 'latin1')));
  return texts.join('').split(playerId).length - 1;
}

async function erase(playerId: string): Promise<void> {
  const keys = new RedisPlayerKeys(redis, 'erased-log');
  await keys.hold(playerId);
  await keys.letGo(playerId);
  await keys.rename({ id: playerId, alias: 'erased-1' }, true);
}

it.skipIf(!isNative)('an erased player is no longer named in the append-only file', async () => {
  await erase('player-of-the-log');
  expect(await namedInLog('player-of-the-log')).toBeGreaterThan(0);
  expect(await rewriteLogs(redis)).toEqual({ areRewritten: true, flaws: [] });
  expect(await namedInLog('player-of-the-log')).toBe(0);
});

it.skipIf(!isNative)('a user who may not rewrite the file is told', async () => {
  await redis.call('ACL', 'SETUSER', 'clerk', 'on', '>secret', '~*', '&*', '+@all', '-bgrewriteaof');
  const url = server.url.replace('redis://', 'redis://clerk:secret@');
  const clerk = connectRedis(url, { name: 'clerk', onError: () => undefined });
  await untilConnected(clerk);
  const { areRewritten, flaws } = await rewriteLogs(clerk);
  clerk.disconnect();
  expect(areRewritten).toBe(false);
  expect(flaws).toEqual([expect.stringMatching(/refuses to rewrite.*NOPERM/)]);
});
