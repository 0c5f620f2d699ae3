import { MusterProblem } from '@muster/sdk';
import { Redis } from 'ioredis';
import { request, type ClientRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '../../support/stack.js';
import type { Crowd } from '../crowd.js';
import type { FaultName } from './plan.js';
import { build } from '../servers.js';
import { stop } from './stopping.js';
import { createDb } from '../../support/prisma.js';

/** Starts a fault. @returns a function that ends it */
type Fault = (stack: Stack, crowd: Crowd) => Promise<() => Promise<void>>;

const flapStopMs = 9_000;
const flapOnMs = 3_000;
const streams = 1_024;
const polls = 510;
const slowConnections = 500;
/** The pause before an answered or refused waiting call is repeated. */
const retryMs = 5_000;
/** Names that every object has. */
const oddNames = ['toString', 'constructor', '__proto__', 'hasOwnProperty', 'valueOf', 'isPrototypeOf'];

export const faults: Readonly<Record<FaultName, Fault>> = {
  'postgres-flaps': async (stack) => {
    const ending = new AbortController();
    const flapping = (async () => {
      while (!ending.signal.aborted) {
        const goOn = stop(await pidsOf(stack, ['postgres']));
        await sleep(flapStopMs);
        goOn();
        await sleep(flapOnMs);
      }
    })();
    return () => {
      ending.abort();
      return flapping;
    };
  },
  'stores-stall': async (stack) => {
    const goOn = stop(await pidsOf(stack, ['postgres', 'redis']));
    return async () => goOn();
  },
  'postgres-read-only': async (stack) => {
    await postgresSays(stack, 'ALTER SYSTEM SET default_transaction_read_only = on');
    return () => postgresSays(stack, 'ALTER SYSTEM RESET default_transaction_read_only');
  },
  'redis-read-only': async (stack) => {
    // A replica of an unreachable primary: it keeps its data and accepts no writes.
    await redisDoes(stack, ['REPLICAOF', '127.0.0.1', '1']);
    return () => redisDoes(stack, ['REPLICAOF', 'NO', 'ONE']);
  },
  'redis-full': async (stack) => {
    await redisDoes(stack, ['CONFIG', 'SET', 'maxmemory', '1']);
    return () => redisDoes(stack, ['CONFIG', 'SET', 'maxmemory', '0']);
  },
  'many-streams': async (stack, crowd) => {
    const ticketId = await oneTicket(stack, crowd, 'flooder');
    const token = await stack.token('flooder');
    return flood(stack, streams, token, `/v1/tickets/${ticketId}/events`);
  },
  'many-polls': async (stack, crowd) => {
    const ticketId = await oneTicket(stack, crowd, 'poller');
    const token = await stack.token('poller');
    return flood(stack, polls, token, `/v1/tickets/${ticketId}?waitSeconds=25&after=1000`);
  },
  'slow-bodies': async (stack) => {
    const { hostname, port } = new URL(stack.url);
    const sockets = Array.from({ length: slowConnections }, () => halfARequest(hostname, Number(port)));
    return async () => sockets.forEach((socket) => socket.destroy());
  },
  'odd-names': async (stack, crowd) => {
    for (const name of oddNames)
      await oneTicket(stack, crowd, name, '5v5').catch((error: unknown) => {
        // A refused name is acceptable.
        if (!(error instanceof MusterProblem) || ![400, 401].includes(error.status)) throw error;
      });
    return async () => undefined;
  },
};

async function pidsOf(stack: Stack, names: readonly string[]): Promise<number[]> {
  return Object.entries(await stack.pids())
    .filter(([name]) => names.includes(name))
    .map(([, pid]) => pid);
}

async function postgresSays(stack: Stack, statement: string): Promise<void> {
  const db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
  try {
    await db.$executeRawUnsafe('SET default_transaction_read_only = off');
    await db.$executeRawUnsafe(statement);
    await db.$executeRawUnsafe('SELECT pg_reload_conf()');
  } finally {
    await db.$disconnect();
  }
}

async function redisDoes(stack: Stack, [command = '', ...args]: readonly string[]): Promise<void> {
  const redis = new Redis(stack.run.redisUrl);
  try {
    await redis.call(command, ...args);
  } finally {
    redis.disconnect();
  }
}

/** Queues a player outside the crowd, whose ticket counts in the audit. */
async function oneTicket(stack: Stack, crowd: Crowd, name: string, queue = '1v1'): Promise<string> {
  const player = await stack.player(name);
  const { ticketId } = await player.enqueue({ queue, build, latencyMs: { local: 20 } });
  crowd.acknowledged.add(ticketId);
  return ticketId;
}

async function flood(stack: Stack, count: number, token: string, path: string): Promise<() => Promise<void>> {
  const { hostname, port } = new URL(stack.url);
  const open: ClientRequest[] = [];
  let over = false;
  const ask = (): void => {
    const call = request({
      hostname,
      port,
      path,
      agent: false,
      headers: { authorization: `Bearer ${token}` },
    });
    open.push(call);
    call.on('response', (response) => {
      response.resume();
      response.once('end', () => {
        if (!over) setTimeout(ask, retryMs);
      });
    });
    call.on('error', () => undefined);
    call.end();
  };
  for (let i = 0; i < count; i++) ask();
  await sleep(1_000);
  return async () => {
    over = true;
    open.forEach((call) => call.destroy());
  };
}

function halfARequest(host: string, port: number): Socket {
  const socket = connect({ host, port });
  socket.on('error', () => undefined);
  socket.write(
    'POST /v1/tickets HTTP/1.1\r\nhost: muster\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"queue":',
  );
  return socket;
}
