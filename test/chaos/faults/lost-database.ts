import { migrate } from '@muster/db';
import { resolve } from 'node:path';
import { until } from '../../support/gate.js';
import { pidsOf } from './processes.js';
import type { Row } from './row.js';
import { Stores } from './stores.js';

const migrationsDir = resolve('prisma/migrations');
const services = ['queue', 'assignment', 'allocator', 'rating'];

let stores: Stores | undefined;

/** Postgres comes back empty and migrated, as an operator without a backup brings it back; Redis kept its tickets. */
export const databaseLost: Row = {
  name: 'postgres-lost',
  what: 'Postgres is replaced by an empty one while Redis keeps its tickets, and services are started again',
  seconds: 0,
  losesMatches: true,
  surround: async () => {
    const started = await Stores.start();
    stores = started;
    return {
      env: { REDIS_URL: started.redis.url, DATABASE_URL: started.postgres.url },
      remove: () => started.remove(),
    };
  },
  begin: async ({ stack, crowd }) => {
    if (!stores) throw new Error('there is no Postgres to replace');
    await stores.replacePostgres();
    await migrate(stores.postgres.url, migrationsDir);
    const killed = await pidsOf(stack, services);
    for (const pid of killed) process.kill(pid, 'SIGKILL');
    // Their matches are gone.
    crowd.cancelled.clear();
    // The fault ends when an operator sees the services ready: those that were started again.
    const isReady = async (): Promise<boolean> => {
      const { status } = (await fetch(`${stack.url}/health/ready`).catch(() => null)) ?? {};
      const pids = await pidsOf(stack, services).catch(() => []);
      return status === 200 && pids.length === killed.length && !pids.some((pid) => killed.includes(pid));
    };
    return () => until(isReady);
  },
};
