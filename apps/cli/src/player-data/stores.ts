import { createDb, type Db } from '@muster/db';
import {
  connectRedis,
  readRedisTarget,
  untilConnected,
  type RedisConnection,
  type RedisSettings,
} from '@muster/redis';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addressOf, databaseOf } from '../backup/database.js';

/** Options of the commands about a player's data. */
export interface DataOptions {
  readonly dataDir: string;
  readonly json: boolean;
}

/** Runs with the database, as the owner of its tables. @throws Error with a user-facing message */
export async function withDatabase<T>(
  { dataDir }: DataOptions,
  env: NodeJS.ProcessEnv,
  use: (db: Db) => Promise<T>,
): Promise<T> {
  const db = createDb(await databaseOf(dataDir, env), {
    maxConnections: 1,
    applicationName: 'muster-player-data',
  });
  try {
    return await use(db);
  } finally {
    await db.$disconnect();
  }
}

/** Runs with Redis: REDIS_URL, else that of a system on this machine. @throws Error with a user-facing message */
export async function withRedis<T>(
  { dataDir }: DataOptions,
  env: NodeJS.ProcessEnv,
  use: (redis: RedisConnection) => Promise<T>,
): Promise<T> {
  const url = addressOf(env, 'REDIS_URL') ?? (await redisOfRun(dataDir));
  if (!url)
    throw new Error(
      'Set REDIS_URL to the Redis of the services, such as redis://host:6379, or start Muster here.',
    );
  const redis = connectRedis(readRedisTarget({ ...(env as Partial<RedisSettings>), REDIS_URL: url }), {
    name: 'player-data',
    onError: () => undefined,
  });
  try {
    await untilConnected(redis);
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}

async function redisOfRun(dataDir: string): Promise<string | undefined> {
  try {
    const run: unknown = JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8'));
    const url = typeof run === 'object' && run !== null && 'redisUrl' in run ? run.redisUrl : undefined;
    return typeof url === 'string' ? url : undefined;
  } catch {
    return undefined;
  }
}
