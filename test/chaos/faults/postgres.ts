import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Stack } from '../../support/stack.js';
import { pidsOf } from './processes.js';
import type { Row } from './row.js';
import { createDb } from '../../support/prisma.js';

/** The interval of attempts to take the connections that services give back, in milliseconds. */
const takeAgainMs = 200;

/** Faults of Postgres that SIGSTOP does not cover. */
export const postgresFaults: readonly Row[] = [
  {
    name: 'postgres-immediate',
    what: 'an immediate stop of Postgres, and its crash recovery',
    seconds: 0,
    begin: async ({ stack }) => {
      const pids = await pidsOf(stack, ['postgres']);
      await whileDropped(stack, () => {
        for (const pid of pids) process.kill(pid, 'SIGQUIT');
        return Promise.resolve();
      });
      return () => Promise.resolve();
    },
  },
  {
    name: 'postgres-backend-kill',
    what: 'SIGKILL of a backend of Postgres, so that all of them restart',
    seconds: 0,
    begin: async ({ stack }) => {
      await whileDropped(stack, async (db) => {
        const { rows } = await db.query<{ pid: number }>(
          `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() LIMIT 1`,
        );
        const [backend] = rows;
        if (!backend) throw new Error('no service is connected to Postgres');
        process.kill(backend.pid, 'SIGKILL');
      });
      return () => Promise.resolve();
    },
  },
  {
    name: 'postgres-read-only',
    what: 'Postgres takes no writes for 20 s, as a standby',
    seconds: 20,
    begin: async ({ stack }) => {
      await configure(stack, 'ALTER SYSTEM SET default_transaction_read_only = on');
      return () => configure(stack, 'ALTER SYSTEM RESET default_transaction_read_only');
    },
  },
  {
    name: 'postgres-terminate',
    what: 'all connections to Postgres are ended ten times a second for 10 s',
    seconds: 10,
    begin: async ({ stack }) => {
      const ending = new AbortController();
      const going = (async () => {
        while (!ending.signal.aborted) {
          await asAdmin(stack, (db) =>
            db.query(
              `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
            ),
          );
          await sleep(100);
        }
      })();
      return () => {
        ending.abort();
        return going;
      };
    },
  },
  {
    name: 'postgres-connections',
    what: 'strangers take all connections of Postgres for 20 s',
    seconds: 20,
    begin: async ({ stack }) => {
      const ending = new AbortController();
      const taken: Client[] = [];
      const going = (async () => {
        // Services give their connections back as they are ended, so that strangers get them all.
        await asAdmin(stack, (db) =>
          db.query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
          ),
        );
        while (!ending.signal.aborted) {
          const client = new Client({ connectionString: stack.run.databaseUrl });
          client.on('error', () => undefined);
          try {
            await client.connect();
            taken.push(client);
          } catch {
            await sleep(takeAgainMs);
          }
        }
      })();
      return async () => {
        ending.abort();
        await going;
        await Promise.all(taken.map((client) => client.end().catch(() => undefined)));
      };
    },
  },
];

/** Harms Postgres, and waits until it has dropped its connections: a query right after a signal may still be answered. */
async function whileDropped(stack: Stack, harm: (db: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: stack.run.databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  const dropped = new Promise((resolve) => void client.once('end', resolve));
  await harm(client);
  await dropped;
}

async function asAdmin<T>(stack: Stack, work: (db: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: stack.run.databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function configure(stack: Stack, statement: string): Promise<void> {
  const db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
  try {
    await db.$executeRawUnsafe('SET default_transaction_read_only = off');
    await db.$executeRawUnsafe(statement);
    await db.$executeRawUnsafe('SELECT pg_reload_conf()');
  } finally {
    await db.$disconnect();
  }
}
