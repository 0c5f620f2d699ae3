import { Redis } from 'ioredis';

/**
 * Errors of a server that became a replica by a fail-over. `UNBLOCKED` is the reply to a blocking command. Before Redis
 * 7, an error inside a script is at the end of another sentence.
 */
const demoted = /(?:^|: -)(READONLY|UNBLOCKED)\b/;

/**
 * A connection that reconnects indefinitely with short pauses. While it is down, commands wait for at most
 * `commandTimeoutMs`, so a caller gets an error instead of hanging. If the server turns out to be a replica, it
 * reconnects to the present primary; the command that met it fails.
 */
export function connectRedis(
  url: string,
  options: {
    name: string;
    commandTimeoutMs?: number;
    /** For commands that block, which have no time limit. */
    blocking?: boolean;
    /**
     * For a connection that always waits for an answer: a server that sends nothing for this time is taken for gone. A
     * command that waits when the connection is lost is neither sent again nor settled: the caller listens for `close`.
     */
    silentMs?: number;
    onError: (error: Error) => void;
  },
): Redis {
  const redis = new Redis(url, {
    connectionName: `muster-${options.name}`,
    maxRetriesPerRequest: options.blocking ? null : 3,
    ...(options.blocking ? {} : { commandTimeout: options.commandTimeoutMs ?? 5_000 }),
    ...(options.silentMs === undefined
      ? {}
      : { socketTimeout: options.silentMs, autoResendUnfulfilledCommands: false }),
    reconnectOnError: (error) => demoted.test(error.message),
    retryStrategy: (attempt) => Math.min(50 * attempt, 1_000),
  });
  // Without a listener a lost connection would end the process; ioredis reconnects.
  redis.on('error', options.onError);
  return redis;
}
