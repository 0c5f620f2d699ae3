import { Redis } from 'ioredis';

/**
 * A connection that keeps trying, for ever, with short pauses. Commands wait while it is away only up to `commandTimeoutMs`,
 * so a caller gets an error to act on instead of a hang.
 */
export function connectRedis(
  url: string,
  options: { name: string; commandTimeoutMs?: number; blocking?: boolean },
): Redis {
  const redis = new Redis(url, {
    connectionName: `muster-${options.name}`,
    maxRetriesPerRequest: options.blocking ? null : 3,
    ...(options.blocking ? {} : { commandTimeout: options.commandTimeoutMs ?? 5_000 }),
    retryStrategy: (attempt) => Math.min(50 * attempt, 1_000),
  });
  // Without a listener a lost connection would end the process; the retry strategy is the answer to it.
  redis.on('error', () => undefined);
  return redis;
}
