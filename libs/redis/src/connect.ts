import { Misconfigured } from '@muster/domain';
import {
  Cluster,
  type ClusterNode,
  type ClusterOptions,
  type Command,
  Redis,
  type RedisOptions,
} from 'ioredis';
import { once } from 'node:events';
import { keepConnected } from './lasting.js';
import { readRedisTarget, type RedisTarget } from './target.js';

/** A connection to one server, to the master that sentinels name, or to the nodes of a Cluster. */
export type RedisConnection = Redis | Cluster;

export interface ConnectOptions {
  /** The name by which Redis lists the connection, after `muster-`. */
  readonly name: string;
  /** A command fails after this time; 5,000 by default. */
  readonly commandTimeoutMs?: number;
  /** For commands that block and for subscriptions, which have no time limit. */
  readonly blocking?: boolean;
  /** Commands fail at once while Redis is unavailable, instead of waiting. */
  readonly prompt?: boolean;
  /**
   * For a connection that always waits for an answer: the time of silence after which it is replaced. A command that waits
   * when the connection is lost is neither sent again nor settled: the caller listens with {@link onLost}.
   */
  readonly silentMs?: number;
  readonly onError: (error: Error) => void;
}

/**
 * Errors of a server that became a replica by a fail-over. `UNBLOCKED` is the reply to a blocking command. Before Redis
 * 7, an error inside a script is at the end of another sentence.
 */
const demoted = /(?:^|: -)(READONLY|UNBLOCKED)\b/;

/** The pause before the next attempt to connect, in milliseconds. */
const retryStrategy = (attempt: number): number => Math.min(50 * attempt, 1_000);

/** The time limit of a command, in milliseconds. */
const commandMs = 5_000;
/** The time limit of an attempt to connect, in milliseconds. */
const connectMs = 5_000;
/** TCP asks a silent peer after this time, then every second, and gives it up ten seconds later; in milliseconds. */
const keepAliveMs = 5_000;
/** Longer than any command blocks: BullMQ waits for a job for at most 10 seconds. */
const blockingSilentMs = 12_000;

/** How often a connection to a Cluster asks which node serves which slots, in milliseconds. */
const slotsRefreshMs = 2_000;

/**
 * A connection that reconnects indefinitely with short pauses, until its owner closes it. While it is down, commands wait
 * for at most `commandTimeoutMs`, so a caller gets an error instead of hanging. After a fail-over it reconnects to the
 * present primary: when the sentinels announce one, when the Cluster moves the slots, or when the server turns out to be a
 * replica. The command that met the fail-over fails or is repeated.
 *
 * A link on which a command waits and nothing arrives within the command's time limit is replaced: its peer may be gone
 * without a trace. Copies that BullMQ makes with `duplicate()` behave the same.
 *
 * @param where a URL stands for a target without other settings
 */
export function connectRedis(where: RedisTarget | string, options: ConnectOptions): RedisConnection {
  const target = typeof where === 'string' ? readRedisTarget({ REDIS_URL: where }) : where;
  const redis =
    target.kind === 'cluster'
      ? connectCluster(target, options)
      : new LastingRedis(serverOptions(target, options));
  // Without a listener a lost connection would end the process; ioredis reconnects.
  redis.on('error', (error: Error) => options.onError(explained(redis, error)));
  noteReasons(redis);
  return redis;
}

function serverOptions(
  target: Exclude<RedisTarget, { kind: 'cluster' }>,
  options: ConnectOptions,
): RedisOptions {
  const prompt = options.prompt === true;
  const shared: RedisOptions = {
    ...sharedOptions(target, options),
    db: target.db,
    enableOfflineQueue: !prompt,
    maxRetriesPerRequest: options.blocking ? null : prompt ? 1 : 3,
    reconnectOnError: (error) => demoted.test(error.message),
    retryStrategy,
    // What blocks is on a copy.
    socketTimeout: options.silentMs ?? options.commandTimeoutMs ?? commandMs,
  };
  if (target.kind === 'single') return { ...shared, ...target.address };
  const { master: name, sentinels, sentinelUsername, sentinelPassword, tls } = target;
  return {
    ...shared,
    name,
    sentinels: sentinels.map((address) => ({ ...address })),
    ...(sentinelUsername === undefined ? {} : { sentinelUsername }),
    ...(sentinelPassword === undefined ? {} : { sentinelPassword }),
    ...(tls ? { enableTLSForSentinelMode: true, sentinelTLS: { ...tls } } : {}),
    // A master that is cut off or stopped sends nothing, so only sentinels can tell that there is another one.
    failoverDetector: true,
    sentinelCommandTimeout: 2_000,
  };
}

function sharedOptions(
  { username, password, tls, family }: RedisTarget,
  { name, commandTimeoutMs, blocking, silentMs }: ConnectOptions,
): RedisOptions {
  const timeoutMs = commandTimeoutMs ?? commandMs;
  return {
    connectionName: `muster-${name}`,
    family,
    connectTimeout: connectMs,
    keepAlive: keepAliveMs,
    socketTimeout: silentMs ?? (blocking ? blockingSilentMs : timeoutMs),
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls ? { tls: { ...tls } } : {}),
    ...(blocking ? {} : { commandTimeout: timeoutMs }),
    ...(silentMs === undefined ? {} : { autoResendUnfulfilledCommands: false }),
  };
}

function connectCluster(
  target: Extract<RedisTarget, { kind: 'cluster' }>,
  options: ConnectOptions,
): LastingCluster {
  const redisOptions = sharedOptions(target, options);
  const timeoutMs = redisOptions.commandTimeout ?? null;
  return new LastingCluster(
    target.nodes.map((address) => ({ ...address })),
    {
      redisOptions: {
        ...redisOptions,
        replyMapping: 'legacy',
        maxRetriesPerRequest: options.blocking ? null : 3,
      },
      enableOfflineQueue: options.prompt !== true,
      slotsRefreshInterval: slotsRefreshMs,
      slotsRefreshTimeout: 2_000,
      clusterRetryStrategy: retryStrategy,
      // Certificates name hosts: they must not become addresses first.
      ...(target.tls ? { dnsLookup: (host, told) => told(null, host) } : {}),
    },
    timeoutMs,
  );
}

/** A server that accepts a connection and then says nothing is given up, also by a client whose commands may block. */
function limitHandshake(client: Pick<Redis, 'on' | 'stream'>): void {
  client.on('connect', () => {
    const { stream } = client;
    const giveUp = (): void => {
      const why = `The server said nothing for ${connectMs} ms after it had accepted the connection.`;
      stream.destroy(Object.assign(new Error(why), { code: 'ETIMEDOUT' }));
    };
    const timer = setTimeout(giveUp, connectMs);
    const done = (): void => clearTimeout(timer);
    stream.once('data', done).once('close', done);
  });
}

const nameOf = ({ redisOptions }: ClusterOptions): string => redisOptions?.connectionName ?? '';

/** A client of one server, or of the master that sentinels name. */
class LastingRedis extends Redis {
  constructor(options: RedisOptions) {
    super({ ...options, replyMapping: 'legacy' });
    limitHandshake(this);
    keepConnected(this, options.connectionName ?? '', retryStrategy);
  }

  /** As BullMQ copies the connection of a worker. */
  override duplicate<Override extends Partial<RedisOptions> | undefined = undefined>(override?: Override) {
    const copy = super.duplicate(override);
    copy.options.socketTimeout = blockingSilentMs;
    limitHandshake(copy);
    keepConnected(copy, `a copy of ${this.options.connectionName}`, retryStrategy);
    return copy;
  }

  override sendCommand(...sent: Parameters<Redis['sendCommand']>): unknown {
    const [command, stream] = sent;
    // After a lost link ioredis sends again what was not answered, also what its caller knows to have failed. A pipeline
    // is written when all of its commands are.
    return command.isSettled && !stream ? command.promise : super.sendCommand(...sent);
  }
}

/** Limits the time of commands also while no node is known. ioredis limits it from the moment a node is. */
class LastingCluster extends Cluster {
  constructor(
    nodes: ClusterNode[],
    options: ClusterOptions & { redisOptions: { replyMapping: 'legacy' } },
    private readonly timeoutMs: number | null,
  ) {
    super(nodes, options);
    this.on('+node', limitHandshake);
    keepConnected(this, nameOf(options), retryStrategy);
  }

  override duplicate<Override extends ClusterOptions | undefined = undefined>(
    nodes?: ClusterNode[],
    override?: Override,
  ) {
    const copy = super.duplicate(nodes, override);
    copy.on('+node', limitHandshake);
    keepConnected(copy, `a copy of ${nameOf(this.options)}`, retryStrategy);
    return copy;
  }

  override sendCommand(...sent: Parameters<Cluster['sendCommand']>): unknown {
    const [command]: [Command, ...unknown[]] = sent;
    if (this.timeoutMs !== null) command.setTimeout(this.timeoutMs);
    return super.sendCommand(...sent);
  }
}

/**
 * Calls `lost` when a connection was lost or moved to another server, so that what the connection was told before may be
 * incomplete.
 */
export function onLost(redis: RedisConnection, lost: () => void): void {
  redis.on('close', lost);
  if (redis instanceof Cluster) redis.on('-node', lost);
}

/**
 * The reasons of the last errors of a connection. Sentinel and Cluster connections report that no node answers, and tell
 * apart from that what each node said.
 */
const reasons = new WeakMap<RedisConnection, Error>();

function noteReasons(redis: RedisConnection): void {
  const note = (error: unknown): void => {
    // That a connection is closed is the consequence of another error.
    if (error instanceof Error && error.message !== 'Connection is closed.') reasons.set(redis, error);
  };
  redis.on('sentinelError', note);
  redis.on('node error', note);
  redis.on('ready', () => reasons.delete(redis));
}

/** Errors that another attempt does not mend: of settings, permissions or certificates. */
const permanent = /WRONGPASS|NOAUTH|NOPERM|No such master|cluster support disabled|certificate|altnames/i;

/** An error with the reason that a node told for it; the reason alone if another attempt would not mend it. */
function explained(redis: RedisConnection, error: Error): Error {
  const reason = reasons.get(redis)?.message;
  const [, last] = / Last error: (.*)$/.exec(error.message) ?? [];
  const why = [reason, last, error.message].find((each) => each !== undefined && permanent.test(each));
  // Without the error as its cause, which stands for a store that may answer later.
  if (why !== undefined) return new Misconfigured(why);
  if (reason === undefined || error.message.includes(reason)) return error;
  return new Error(`${error.message} ${reason}`, { cause: error });
}

/**
 * Waits until a connection can be used.
 *
 * @throws Error with the reason that the next attempt to connect fails
 */
export async function untilConnected(redis: RedisConnection): Promise<void> {
  if (redis.status === 'ready') return;
  try {
    await once(redis, 'ready');
  } catch (error) {
    throw error instanceof Error ? explained(redis, error) : error;
  }
}

/**
 * Whether the server that holds the keys of a root answers.
 *
 * @param root a key with the hash tag of the realm
 * @throws Error if it does not
 */
export async function checkAnswers(redis: RedisConnection, root: string): Promise<void> {
  await redis.exists(root);
}

/** The time of the server that holds the keys of a root, in milliseconds since the epoch. */
export async function serverTime(redis: RedisConnection, root: string): Promise<number> {
  // TIME names no key: a Cluster would ask any node.
  const answer: unknown =
    redis instanceof Cluster ? await redis.eval("return redis.call('TIME')", 1, root) : await redis.time();
  const [seconds, micros] = Array.isArray(answer) ? answer.map(Number) : [];
  if (seconds === undefined || micros === undefined) throw new TypeError('Redis told no time');
  return seconds * 1_000 + micros / 1_000;
}

/** The clients that are connected to the masters, in the form of CLIENT LIST. */
export async function clientList(redis: RedisConnection): Promise<string> {
  const masters = redis instanceof Cluster ? redis.nodes('master') : [redis];
  const lists = await Promise.all(masters.map((master) => master.client('LIST')));
  return lists.map(String).join('\n');
}
