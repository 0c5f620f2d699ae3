import { services } from '../stall/plan.js';
import * as act from './acts.js';
import * as ground from './ground.js';

/** A fault, and the system that it disturbs. */
export interface Row {
  readonly name: string;
  readonly words: string;
  /** How long it lasts. */
  readonly seconds: number;
  readonly ground: ground.MakeGround;
  readonly begin: act.Act;
  /** Whether matches must be formed and rated meanwhile. */
  readonly goesOn?: boolean;
  /** Whether it is among the rows of `--short`. */
  readonly short?: boolean;
}

const parts = [...services, 'edge'];

/** Every row. Fail-over of Redis and the loss of its data are rows of the same form, with a ground of their own. */
export const rows: readonly Row[] = [
  ...parts.map((name): Row => ({
    name: `${name}-killed`,
    words: `SIGKILL of all of ${name}, every 5 s`,
    seconds: 15,
    ground: ground.usual,
    begin: act.kills(name),
    short: name === 'allocator',
  })),
  ...parts.map((name): Row => ({
    name: `${name}-stopped`,
    words: `SIGSTOP of all of ${name}`,
    seconds: 30,
    ground: ground.usual,
    begin: act.stops(name),
  })),
  {
    name: 'postgres-killed',
    words: 'immediate stop of Postgres',
    seconds: 1,
    ground: ground.usual,
    begin: act.killsOnce('postgres', 'SIGQUIT'),
    short: true,
  },
  {
    name: 'postgres-stopped',
    words: 'SIGSTOP of Postgres',
    seconds: 30,
    ground: ground.usual,
    begin: act.stops('postgres'),
  },
  {
    name: 'redis-killed',
    words: 'SIGKILL of Redis with an append-only file, every 5 s',
    seconds: 12,
    ground: ground.withRedisDisk,
    begin: act.kills('redis'),
    short: true,
  },
  {
    name: 'redis-stopped',
    words: 'SIGSTOP of Redis',
    seconds: 30,
    ground: ground.usual,
    begin: act.stops('redis'),
  },
  {
    name: 'redis-read-only',
    words: 'Redis is a replica of nobody',
    seconds: 20,
    ground: ground.usual,
    begin: act.redisCommand(['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE']),
  },
  {
    name: 'redis-full',
    words: 'Redis has no memory left',
    seconds: 20,
    ground: ground.usual,
    begin: act.redisCommand(['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0']),
  },
  {
    name: 'scripts-flushed',
    words: 'SCRIPT FLUSH, every 0.3 s',
    seconds: 15,
    ground: ground.usual,
    begin: act.flushesScripts,
    goesOn: true,
  },
  {
    name: 'clients-killed',
    words: 'CLIENT KILL of all connections of Redis, every 2 s',
    seconds: 20,
    ground: ground.usual,
    begin: act.killsClients,
    short: true,
  },
  {
    name: 'postgres-connections',
    words: 'all connections of Postgres are taken, those of the services too',
    seconds: 20,
    ground: ground.usual,
    begin: act.takesConnections,
  },
  {
    name: 'http-connections',
    words: '2,000 idle connections to the edge and the replicas',
    seconds: 30,
    ground: ground.usual,
    begin: act.opensConnections,
    goesOn: true,
  },
  {
    name: 'postgres-answers-lost',
    words: 'one in 50 answers of Postgres is lost with its connection, after its work',
    seconds: 20,
    ground: ground.behindProxy('postgres'),
    begin: act.losesAnswers((share) => ground.chance(share, 3)),
    short: true,
  },
  {
    name: 'redis-answers-lost',
    words: 'one in 50 answers of Redis is lost with its connection, after its work',
    seconds: 20,
    ground: ground.behindProxy('redis'),
    begin: act.losesAnswers((share) => ground.chance(share, 5)),
  },
  ...[300, -300].map((seconds): Row => ({
    name: `clock-${seconds > 0 ? 'ahead' : 'behind'}`,
    words: `the clock of one replica of each service is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead' : 'behind'}`,
    seconds: 30,
    ground: ground.withWrongClocks(seconds),
    begin: act.nothing,
    goesOn: true,
  })),
  {
    name: 'disk-full',
    words: 'no space is left for Postgres and for the append-only file of Redis',
    seconds: 20,
    ground: ground.onSmallDisk(600),
    begin: act.fillsDisk,
    short: true,
  },
];
