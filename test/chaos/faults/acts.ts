import { createDb } from '@muster/db';
import { Redis } from 'ioredis';
import { open, rm, statfs } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stop } from '../stall/stopping.js';
import type { Ground } from './ground.js';

/** Starts a fault. @returns a function that ends it */
export type Act = (ground: Ground) => Promise<() => Promise<void>>;

const again = { kill: 5_000, flush: 300, clients: 2_000, connections: 1_000 };
const lostShare = 0.02;
/** More than Postgres allows. */
const mostConnections = 400;
const httpConnections = 2_000;

/** Repeats a step until it is ended. A step that fails is repeated: the stores are being disturbed. */
function repeatedly(everyMs: number, step: () => Promise<void>): () => Promise<void> {
  const ending = new AbortController();
  const running = (async () => {
    while (!ending.signal.aborted) {
      await step().catch(() => undefined);
      await sleep(everyMs, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  })();
  return async () => {
    ending.abort();
    await running;
  };
}

async function pidsOf({ stack }: Ground, name: string): Promise<number[]> {
  const pids = Object.entries(await stack.pids())
    .filter(([process]) => process === name || process.startsWith(`${name}-`))
    .map(([, pid]) => pid);
  if (pids.length === 0) throw new Error(`nothing that runs is called ${name}`);
  return pids;
}

function send(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch {
      // It ended meanwhile.
    }
}

/** Kills all processes of a name again and again; the launcher starts them anew. */
export const kills =
  (name: string, signal: NodeJS.Signals = 'SIGKILL'): Act =>
  async (ground) => {
    await pidsOf(ground, name);
    return repeatedly(again.kill, async () => send(await pidsOf(ground, name), signal));
  };

/** Kills all processes of a name once. SIGQUIT is the immediate stop of Postgres. */
export const killsOnce =
  (name: string, signal: NodeJS.Signals): Act =>
  async (ground) => {
    send(await pidsOf(ground, name), signal);
    return () => Promise.resolve();
  };

/** Stops all processes of a name, and lets them go on. */
export const stops =
  (name: string): Act =>
  async (ground) => {
    const goOn = stop(await pidsOf(ground, name));
    return async () => goOn();
  };

/** Nothing happens beside what the ground is. */
export const nothing: Act = () => Promise.resolve(() => Promise.resolve());

async function redisDoes({ stack }: Ground, [command = '', ...args]: readonly string[]): Promise<void> {
  const redis = new Redis(stack.run.redisUrl);
  try {
    await redis.call(command, ...args);
  } finally {
    redis.disconnect();
  }
}

/** A command to Redis, and one that undoes it. */
export const redisCommand =
  (fault: readonly string[], undo: readonly string[]): Act =>
  async (ground) => {
    await redisDoes(ground, fault);
    return () => redisDoes(ground, undo);
  };

export const flushesScripts: Act = (ground) =>
  Promise.resolve(repeatedly(again.flush, () => redisDoes(ground, ['SCRIPT', 'FLUSH'])));

export const killsClients: Act = (ground) =>
  Promise.resolve(
    repeatedly(again.clients, async () => {
      await redisDoes(ground, ['CLIENT', 'KILL', 'TYPE', 'pubsub']);
      await redisDoes(ground, ['CLIENT', 'KILL', 'TYPE', 'normal']);
    }),
  );

/** A proxy that loses answers of what was done, such as a commit. */
export const losesAnswers =
  (isLost: (share: number) => () => boolean): Act =>
  ({ proxy }) => {
    if (!proxy) throw new Error('this row needs a ground with a proxy');
    proxy.loseAnswers(isLost(lostShare));
    return Promise.resolve(async () => proxy.loseAnswers(() => false));
  };

/** Takes all connections of Postgres, and those of the services as well. */
export const takesConnections: Act = async ({ stack }) => {
  const first = createDb(stack.run.databaseUrl, { maxConnections: 1 });
  const others = Array.from({ length: mostConnections - 1 }, () =>
    createDb(stack.run.databaseUrl, { maxConnections: 1 }),
  );
  const taken = [first, ...others];
  const end = repeatedly(again.connections, async () => {
    // Each holds the connection that it has, and takes one when there is one.
    await Promise.allSettled(
      taken.map((db) => db.$queryRaw`SELECT set_config('application_name', 'taker', false)`),
    );
    await first.$queryRaw`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE backend_type = 'client backend' AND application_name <> 'taker'`;
  });
  return async () => {
    await end();
    await Promise.allSettled(taken.map((db) => db.$disconnect()));
  };
};

/** Opens idle connections to the edge and to every replica. */
export const opensConnections: Act = async ({ stack }) => {
  const ports = [Number(new URL(stack.url).port), ...stack.run.replicas.map(({ httpPort }) => httpPort)];
  const sockets: Socket[] = [];
  for (let i = 0; i < httpConnections; i++) {
    const socket = connect({ host: '127.0.0.1', port: ports[i % ports.length] ?? 0 });
    socket.on('error', () => undefined);
    sockets.push(socket);
  }
  await sleep(1_000);
  return async () => sockets.forEach((socket) => socket.destroy());
};

/** Fills the file system of all data. */
export const fillsDisk: Act = async ({ disk }) => {
  if (disk === undefined) throw new Error('this row needs a ground with a disk');
  const path = join(disk, 'filler');
  const chunk = Buffer.alloc(1 << 20);
  const fill = async (): Promise<void> => {
    const file = await open(path, 'a');
    try {
      for (let { bavail } = await statfs(disk); bavail > 0; { bavail } = await statfs(disk))
        await file.write(chunk);
    } catch (error) {
      // The last chunk does not fit.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    } finally {
      await file.close();
    }
  };
  await fill();
  const end = repeatedly(again.connections, fill);
  return async () => {
    await end();
    await rm(path);
  };
};
