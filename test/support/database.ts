import { createDb, migrate, type Db, type RoleService } from '@muster/db';
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

export const migrationsDir = resolve('prisma/migrations');
export const schemaPath = resolve('prisma/schema.prisma');

const START_WITHIN_MS = 60_000;

/** Nothing of it outlives the test, so it need not survive a power cut. */
const CARELESS = ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'synchronous_commit=off'];

/** One PostgreSQL of our own, as `muster up` would start it, with the database that `muster up` would use, migrated. */
export class TestPostgres {
  private constructor(
    private readonly dataDir: string,
    private readonly server: EmbeddedPostgres,
    private readonly supervisor: Supervisor,
    private readonly abandon: () => void,
  ) {}

  /**
   * @param standby starts a replica that refuses all connections, as one does that is not ready yet; it is not waited for
   * @param migrated whether its database has our tables, and the server our roles
   */
  static async start({ standby = false, migrated = true } = {}): Promise<TestPostgres> {
    const dataDir = await mkdtemp(join(tmpdir(), 'muster-stores-'));
    const server = await embeddedPostgres({ dataDir, port: await freePort(), log: () => undefined });
    const supervisor = new Supervisor(dataDir, () => undefined);
    // A test run that is cut short must not leave a server behind.
    const abandon = (): void => supervisor.killAll();
    process.once('exit', abandon);
    const spec: ManagedProcess = {
      ...server.process,
      args: [...server.process.args, ...CARELESS],
      // "Immediate": what it would write on its way out is thrown away.
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
      if (!standby && migrated) await migrate(server.url, migrationsDir);
      return postgres;
    } catch (error) {
      await postgres.stop();
      throw error;
    }
  }

  /** The address of the migrated database; {@link migratedDatabase} makes others like it. */
  get url(): string {
    return this.server.url;
  }

  /** Stops it and removes all it kept, wherever that is. */
  async stop(): Promise<void> {
    await this.supervisor.stop(this.server.process.name);
    process.off('exit', this.abandon);
    await rm(this.server.directory, { recursive: true, force: true });
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** Makes a database without tables. @param url of any database of that server @returns its address */
export function emptyDatabase(url: string): Promise<string> {
  return createDatabase(url, 'template0');
}

/** Makes a database like the migrated one, to which nobody may be connected. @param url of that one @returns its address */
export function migratedDatabase(url: string): Promise<string> {
  return createDatabase(url, new URL(url).pathname.slice(1));
}

async function createDatabase(url: string, template: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = createDb(urlOf(url, 'postgres'), { maxConnections: 1 });
  try {
    await admin.$executeRawUnsafe(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY wal_log`);
  } finally {
    await admin.$disconnect();
  }
  return urlOf(url, name);
}

/** A migrated database, for one test at a time. */
export class TestDatabase {
  private readonly pools: Db[] = [];
  private counted = 0;
  /** Stays open from test to test. */
  readonly db: Db;

  constructor(readonly url: string) {
    this.db = createDb(url, { maxConnections: 8 });
    openedBy.set(this.db, { database: this, maxConnections: 8 });
  }

  /** Makes it as good as new for the next test. */
  async reset(): Promise<void> {
    await this.disconnect();
    await removeGates(this.db);
    // Deleting is ten times as quick as TRUNCATE while the tables are small. As a replica it asks no trigger: neither those
    // of foreign keys nor the one that keeps the ledger.
    await this.db.$executeRaw`
      DO $$ DECLARE name text; BEGIN
        PERFORM set_config('session_replication_role', 'replica', true);
        FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' LOOP
          EXECUTE format('DELETE FROM %I', name);
        END LOOP; END $$`;
  }

  /**
   * How often Postgres had to end a transaction because some waited for each other in a circle, since this was asked last.
   * Closes all connections: a session tells its count when it ends.
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

  /** Closes all connections; those of {@link db} come back when it is used again. */
  async close(): Promise<void> {
    await this.disconnect();
    await this.db.$disconnect();
  }

  /** Connections of their own, as another process would have them; closed when the test is over. */
  connect(maxConnections: number): Db {
    const db = createDb(this.url, { maxConnections });
    this.pools.push(db);
    openedBy.set(db, { database: this, maxConnections });
    return db;
  }

  /** Connections with the rights of a service; closed when the test is over. */
  as(service: RoleService, maxConnections = 8): Db {
    const db = createDb(this.url, { maxConnections, role: { service, mode: 'required', warn: unexpected } });
    this.pools.push(db);
    return db;
  }

  private async disconnect(): Promise<void> {
    await Promise.all(this.pools.splice(0).map((db) => db.$disconnect()));
  }
}

/** Which database connections belong to, and how many there are at most. */
const openedBy = new WeakMap<Db, { database: TestDatabase; maxConnections: number }>();

/** Connections to the same database, and as many, with the rights of a service: its stores work with these. */
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
