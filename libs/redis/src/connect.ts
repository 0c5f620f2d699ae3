import { Redis } from 'ioredis';

/**
 * The server has become a replica: a fail-over made another the primary. `UNBLOCKED` is what a blocking command hears. Before
 * Redis 7 an error inside a script stands at the end of a sentence of its own.
 */
const demoted = /(?:^|: -)(READONLY|UNBLOCKED)\b/;

/**
 * A connection that keeps trying, for ever, with short pauses. Commands wait while it is away only up to `commandTimeoutMs`,
 * so a caller gets an error to act on instead of a hang. Once the server turns out to be a replica it connects anew, to where the
 * primary is now; the command that met it fails.
 */
export function connectRedis(
  url: string,
  options: { name: string; commandTimeoutMs?: number; blocking?: boolean; onError: (error: Error) => void },
): Redis {
  const redis = new Redis(url, {
    connectionName: `muster-${options.name}`,
    maxRetriesPerRequest: options.blocking ? null : 3,
    ...(options.blocking ? {} : { commandTimeout: options.commandTimeoutMs ?? 5_000 }),
    reconnectOnError: (error) => demoted.test(error.message),
    retryStrategy: (attempt) => Math.min(50 * attempt, 1_000),
  });
  // Without a listener a lost connection would end the process; the retry strategy is the answer to it.
  redis.on('error', options.onError);
  return redis;
}
