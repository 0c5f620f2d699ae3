import { Redis } from 'ioredis';
import type { Stack } from '../../support/stack.js';
import { pidsOf } from './processes.js';
import type { Row, Scene } from './row.js';

/** The interval of an event that is repeated, in milliseconds. */
const everyMs = 100;

/** Faults of Redis that SIGSTOP does not cover. */
export const redisFaults: readonly Row[] = [
  {
    name: 'kill-redis',
    what: 'SIGKILL of Redis, which reads its append-only file again',
    seconds: 0,
    begin: async ({ stack }) => {
      for (const pid of await pidsOf(stack, ['redis'])) process.kill(pid, 'SIGKILL');
      return () => Promise.resolve();
    },
  },
  {
    name: 'redis-read-only',
    what: 'Redis takes no writes for 20 s, as a replica',
    seconds: 20,
    begin: async ({ stack }) => {
      // A replica of a primary that it cannot reach keeps what it has.
      await told(stack, ['REPLICAOF', '127.0.0.1', '1']);
      return () => told(stack, ['REPLICAOF', 'NO', 'ONE']);
    },
  },
  {
    name: 'redis-full',
    what: 'Redis has no memory left for 20 s',
    seconds: 20,
    begin: async ({ stack }) => {
      await told(stack, ['CONFIG', 'SET', 'maxmemory', '1']);
      return () => told(stack, ['CONFIG', 'SET', 'maxmemory', '0']);
    },
  },
  repeated('redis-script-flush', 'SCRIPT FLUSH, ten times a second for 10 s', [['SCRIPT', 'FLUSH']]),
  repeated('redis-client-kill', 'all connections to Redis are ended, ten times a second for 10 s', [
    ['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'],
    ['CLIENT', 'KILL', 'TYPE', 'pubsub', 'SKIPME', 'yes'],
  ]),
  {
    name: 'redis-forgets',
    what: 'FLUSHALL: tickets are told to be lost, matches go on',
    seconds: 0,
    forgets: true,
    begin: async ({ stack, crowd }) => {
      await told(stack, ['FLUSHALL']);
      // Cancellations that were acknowledged shortly before are among what was lost.
      crowd.cancelled.clear();
      return () => Promise.resolve();
    },
  },
  {
    name: 'redis-connections',
    what: 'strangers take all connections of Redis for 20 s',
    seconds: 20,
    begin: connectionsTaken,
  },
];

function repeated(name: string, what: string, commands: readonly (readonly string[])[]): Row {
  return {
    name,
    what,
    seconds: 10,
    begin: async ({ stack }) => {
      const redis = client(stack);
      const timer = setInterval(() => {
        for (const [command = '', ...args] of commands) redis.call(command, ...args).catch(() => undefined);
      }, everyMs);
      return async () => {
        clearInterval(timer);
        redis.disconnect();
      };
    },
  };
}

async function connectionsTaken({ stack }: Scene): Promise<() => Promise<void>> {
  const holder = client(stack);
  const [, before = '10000'] = (await holder.call('CONFIG', 'GET', 'maxclients').then(pairOf)) ?? [];
  // One for the holder: the rest is refused.
  await holder.call('CONFIG', 'SET', 'maxclients', '1');
  await holder.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  return async () => {
    await holder.call('CONFIG', 'SET', 'maxclients', before);
    holder.disconnect();
  };
}

/** The answer to CONFIG GET: a map, or a list of names and values. */
function pairOf(answer: unknown): readonly string[] {
  if (Array.isArray(answer)) return answer.map(String);
  if (answer instanceof Map) return [...answer].flat().map(String);
  return Object.entries(Object(answer)).flat().map(String);
}

async function told(stack: Stack, [command = '', ...args]: readonly string[]): Promise<void> {
  const redis = client(stack);
  try {
    await redis.call(command, ...args);
  } finally {
    redis.disconnect();
  }
}

function client(stack: Stack): Redis {
  const redis = new Redis(stack.run.redisUrl);
  redis.on('error', () => undefined);
  return redis;
}
