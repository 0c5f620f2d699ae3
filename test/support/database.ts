import { migrate, roleOf, type RoleService } from '@muster/db';
import {
  embeddedPostgres,
  freePort,
  Supervisor,
  type EmbeddedPostgres,
  type ManagedProcess,
} from '@muster/embedded';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { removeGates, until } from './gate.js';
import { rolePassword } from './pgbouncer.js';
import { createDb, type Db } from './prisma.js';

export const migrationsDir = resolve('prisma/migrations');
export const schemaPath = resolve('prisma/schema.prisma');

const START_WITHIN_MS = 60_000;

/** While all workers load their files, the processor is taken for longer than a service waits for a connection. */
const connectMs = 60_000;

/** The data need not survive a power failure. */
const CARELESS = [
  '-c',
  'fsync=off',
  '-c',
  'full_page_writes=off',
  '-c',
  'synchronous_commit=off',
  '-c',
  'autovacuum=off',
  '-c',
  'jit=off',
  // Of passwords set from now on. Each connection of a test computes them twice, in the server and in the test.
  '-c',
  'scram_iterations=1',
];

/** A PostgreSQL for tests, started as `muster up` starts it, with its migrated database. */
export class TestPostgres {
  private constructor(
    private readonly dataDir: string,
    private readonly server: EmbeddedPostgres,
    private readonly supervisor: Supervisor,
    private readonly abandon: () => void,
  ) {}

  /**
   * @param standby starts a replica that refuses all connections; the start is not awaited
   * @param migrated whether the database has the tables, and the server the roles
   * @param settings of the server, such as `work_mem=64MB`
   */
  static async start({
    standby = false,
    migrated = true,
    settings = [] as readonly string[],
  } = {}): Promise<TestPostgres> {
    const dataDir = await mkdtemp(join(tmpdir(), 'muster-stores-'));
    const server = await embeddedPostgres({ dataDir, port: await freePort(), log: () => undefined });
    const supervisor = new Supervisor(dataDir, () => undefined);
    // An aborted test run must not leave a server running.
    const abandon = (): void => supervisor.killAll();
    process.once('exit', abandon);
    const spec: ManagedProcess = {
      ...server.process,
      args: [...server.process.args, ...CARELESS, ...settings.flatMap((setting) => ['-c', setting])],
      // "Immediate" shutdown: unwritten data are discarded.
      stopSignal: 'SIGQUIT',
    };
    if (standby) {
      await writeFile(join(server.directory, 'data', 'standby.signal'), '');
      spec.args = [...spec.args, '-c', 'hot_standby=off'];
      spec.ready = () => Promise.resolve();
    }
    const postgres = new TestPostgres(dataDir, server, supervisor, abandon);
    try {
      await supervisor.start(spec, AbortSignal.timeout(START_WITHIN_MS));
      if (!standby) await setPassword(server.url);
      if (!standby && migrated) await migrate(server.url, migrationsDir);
      return postgres;
    } catch (error) {
      await postgres.stop();
      throw error;
    }
  }

  /** The address of the migrated database; {@link migratedDatabase} copies it. */
  get url(): string {
    return this.server.url;
  }

  /** The prepared server: its process and its files. */
  get embedded(): EmbeddedPostgres {
    return this.server;
  }

  /** Stops it and keeps its data. */
  halt(): Promise<void> {
    return this.supervisor.stop(this.server.process.name);
  }

  /** Stops it and deletes its data. */
  async stop(): Promise<void> {
    await this.supervisor.stop(this.server.process.name);
    process.off('exit', this.abandon);
    await rm(this.server.directory, { recursive: true, force: true });
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** Stores the password of an address anew, by the settings in force. */
async function setPassword(url: string): Promise<void> {
  const { username, password } = new URL(url);
  const db = createDb(url, { maxConnections: 1 });
  try {
    // A server whose commits wait for a standby may have none yet.
    await db.$executeRawUnsafe(
      `SET synchronous_commit = local; ALTER ROLE ${username} PASSWORD '${password}'`,
    );
  } finally {
    await db.$disconnect();
  }
}

/** Creates an empty database. @param url of any database of the server @returns its address */
export function emptyDatabase(url: string): Promise<string> {
  return createDatabase(url, 'template0');
}

/** Copies the migrated database, which must have no connections. @param url of that one @returns the copy's address */
export function migratedDatabase(url: string): Promise<string> {
  return createDatabase(url, new URL(url).pathname.slice(1));
}

async function createDatabase(url: string, template: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = createDb(urlOf(url, 'postgres'), { maxConnections: 1, connectMs });
  try {
    await admin.$executeRawUnsafe(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY wal_log`);
  } finally {
    await admin.$disconnect();
  }
  return urlOf(url, name);
}

/** Free connection pools of a service that stay open: many files share the connections of one server. */
const mostFree = 4;

/** A migrated database, for one test at a time. */
export class TestDatabase {
  private readonly pools: Db[] = [];
  /** Of services, in use and free: they serve the next test, because opening them costs more than most tests. */
  private readonly used = new Map<string, Db[]>();
  private readonly free = new Map<string, Db[]>();
  private counted = 0;
  /** Stays open between tests. */
  readonly db: Db;

  /** @param poolerPort of a pooler in transaction mode that the connections of tests go through; 0: none */
  constructor(
    readonly url: string,
    private readonly poolerPort = 0,
  ) {
    this.db = this.open(8);
    openedBy.set(this.db, { database: this, maxConnections: 8 });
  }

  /** Empties it for the next test. */
  async reset(): Promise<void> {
    await this.disconnect();
    await removeGates(this.db);
    // DELETE is ten times as fast as TRUNCATE on small tables. Replica mode skips triggers: those of foreign keys and
    // the one that protects the ledger. The scans are counted at once: by default up to ten seconds later, when a test
    // may be counting its own.
    await this.db.$executeRaw`
      DO $$ DECLARE name text; BEGIN
        PERFORM set_config('session_replication_role', 'replica', true);
        FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' LOOP
          EXECUTE format('DELETE FROM %I', name);
        END LOOP;
        PERFORM pg_stat_force_next_flush(); END $$`;
  }

  /**
   * The number of deadlocks since the last call. Closes all connections, because a session reports its count at its
   * end.
   */
  async deadlocks(): Promise<number> {
    await this.close();
    const db = createDb(this.url, { maxConnections: 1 });
    try {
      await until(async () => {
        const [row] = await db.$queryRaw<{ others: bigint }[]>`
          SELECT count(*) AS others FROM pg_stat_activity
          WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`;
        return Number(row?.others ?? 0) === 0;
      });
      const [row] = await db.$queryRaw<{ deadlocks: bigint }[]>`
        SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`;
      const before = this.counted;
      this.counted = Number(row?.deadlocks ?? 0);
      return this.counted - before;
    } finally {
      await db.$disconnect();
    }
  }

  /** Closes all connections; those of {@link db} reopen on use. */
  async close(): Promise<void> {
    await this.disconnect();
    await Promise.all([...this.free.values()].flat().map((db) => db.$disconnect()));
    this.free.clear();
    await this.db.$disconnect();
  }

  /** Separate connections, like those of another process; closed at the end of the test. */
  connect(maxConnections: number): Db {
    const db = this.open(maxConnections);
    this.pools.push(db);
    openedBy.set(db, { database: this, maxConnections });
    return db;
  }

  /** Connections with the rights of a service, for one test. */
  as(service: RoleService, maxConnections = 8): Db {
    const key = `${service} ${maxConnections}`;
    const db = this.free.get(key)?.pop() ?? this.open(maxConnections, service);
    this.used.set(key, [...(this.used.get(key) ?? []), db]);
    return db;
  }

  /** Through a pooler, a service connects as a user of its own: taking a role would reach other clients. */
  private open(maxConnections: number, service?: RoleService): Db {
    const url = new URL(this.url);
    if (this.poolerPort > 0) {
      url.port = String(this.poolerPort);
      if (service) {
        url.username = roleOf(service);
        url.password = rolePassword;
      }
    }
    return createDb(url.href, {
      maxConnections,
      connectMs,
      prepare: this.poolerPort === 0,
      ...(service ? { role: { service, mode: 'required', warn: unexpected } } : {}),
    });
  }

  private async disconnect(): Promise<void> {
    const spare = this.pools.splice(0);
    for (const [key, pools] of this.used) {
      const free = [...(this.free.get(key) ?? []), ...pools];
      spare.push(...free.splice(mostFree));
      this.free.set(key, free);
    }
    this.used.clear();
    await Promise.all(spare.map((db) => db.$disconnect()));
  }
}

/** The database and the size of connection pools. */
const openedBy = new WeakMap<Db, { database: TestDatabase; maxConnections: number }>();

/** Equally many connections to the same database with the rights of a service, for its stores. */
export function as(service: RoleService, db: Db): Db {
  const opened = openedBy.get(db);
  if (!opened) throw new Error('these connections are of no TestDatabase');
  return opened.database.as(service, opened.maxConnections);
}

function unexpected(message: string): never {
  throw new Error(message);
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}
