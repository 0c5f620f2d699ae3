import {
  connectRedis,
  readRedisTarget,
  untilConnected,
  type RedisConnection,
  type RedisSettings,
} from '@muster/redis';
import { addressOf } from '@muster/command-line/operator/database';
import { explained } from '../database/database.js';
import { addressOfRun } from '@muster/command-line/operator/run-file';

/** Options of the commands about a player's data. */
export interface DataOptions {
  readonly dataDir: string;
  readonly json: boolean;
  /** Whom the audit log names. */
  readonly by: string;
}

/** Runs with Redis: REDIS_URL, else that of a system on this machine. @throws Error with a user-facing message */
export async function withRedis<T>(
  { dataDir }: Pick<DataOptions, 'dataDir'>,
  env: NodeJS.ProcessEnv,
  use: (redis: RedisConnection) => Promise<T>,
): Promise<T> {
  const url = addressOf(env, 'REDIS_URL') ?? (await addressOfRun(dataDir, 'redisUrl'));
  if (!url)
    throw new Error(
      'Set REDIS_URL to the Redis of the services, such as redis://host:6379, or start Muster here.',
    );
  const redis = connectRedis(readRedisTarget({ ...(env as Partial<RedisSettings>), REDIS_URL: url }), {
    name: 'player-data',
    onError: () => undefined,
  });
  try {
    await untilConnected(redis).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(`The Redis of REDIS_URL does not answer: ${message}.`, { cause: error });
    });
    return await use(redis);
  } catch (error) {
    throw explained(error);
  } finally {
    redis.disconnect();
  }
}
