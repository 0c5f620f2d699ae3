import {
  edgeProcess,
  embeddedPostgres,
  embeddedRedis,
  planReplicas,
  readKeys,
  serviceProcess,
  steadyPort,
  Supervisor,
  type Keys,
  type ManagedProcess,
  type Replica,
  type ServiceName,
  type Stores,
} from '@muster/embedded';
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Stack } from '../support/stack.js';
import type { Checkout } from './release-before.js';

const run = promisify(execFile);
const startWithinMs = 110_000;
/** An orderly end takes less; then the process is killed, and jobs and calls are cut. */
const orderlyMs = 12_000;

export type Part = ServiceName | 'edge';

/** A system of real processes and stores, whose processes are of two releases. */
export class RollingSystem {
  /** Processes that did not end in time. */
  readonly killed: string[] = [];

  private constructor(
    readonly dataDir: string,
    readonly stack: Stack,
    private readonly supervisor: Supervisor,
    private readonly keys: Keys,
    private readonly stores: Stores,
    private readonly replicas: readonly Replica[],
    private readonly port: number,
    private readonly postgresDir: string,
    /** Processes that ended by themselves, and were started again. */
    readonly crashed: readonly string[],
    private readonly stopped: () => void,
  ) {}

  /** Starts stores, migrated by a release, and two replicas of each of its services. */
  static async start(release: Checkout, say: (text: string) => void): Promise<RollingSystem> {
    const dataDir = await mkdtemp(join(tmpdir(), 'muster-upgrade-'));
    const crashed: string[] = [];
    const supervisor = new Supervisor(dataDir, (line) => {
      say(`  ${line}`);
      if (line.includes('restarting')) crashed.push(line);
    });
    // Processes and data of an aborted run must not stay.
    const abandon = (): void => {
      supervisor.killAll();
      for (const directory of [dataDir, postgresDir])
        rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    };
    let postgresDir = dataDir;
    process.once('exit', abandon);
    const taken = new Set<number>();
    const log = (): void => undefined;
    const redis = await embeddedRedis({ dataDir, port: await steadyPort(taken), log });
    const postgres = await embeddedPostgres({ dataDir, port: await steadyPort(taken), log });
    postgresDir = postgres.directory;
    say(`Redis: ${redis.description}. Postgres: ${postgres.description}.`);
    const within = AbortSignal.timeout(startWithinMs);
    await Promise.all([supervisor.start(redis.process, within), supervisor.start(postgres.process, within)]);
    const stores: Stores = {
      redisUrl: redis.url,
      redisEngine: redis.engine,
      databaseUrl: postgres.url,
      databaseRole: 'required',
    };
    await migrateBy(release, postgres.url);
    const [keys, replicas, port] = [await readKeys(dataDir), await planReplicas(2), await steadyPort(taken)];
    const { serverKey, operatorKey } = keys;
    const url = `http://127.0.0.1:${port}`;
    const file = { url, serverKey, operatorKey, ...stores, replicas, launcher: process.pid, pids: {} };
    await writeFile(join(dataDir, 'run.json'), JSON.stringify(file), { mode: 0o600 });
    const system = new RollingSystem(
      dataDir,
      await Stack.at(dataDir),
      supervisor,
      keys,
      stores,
      replicas,
      port,
      postgres.directory,
      crashed,
      () => void process.off('exit', abandon),
    );
    await Promise.all(replicas.map((replica) => system.startOne(replica.name, release)));
    await system.startOne('edge', release);
    return system;
  }

  /** The names of a part's processes. */
  namesOf(part: Part): string[] {
    if (part === 'edge') return ['edge'];
    return this.replicas.filter(({ service }) => service === part).map(({ name }) => name);
  }

  migrate(release: Checkout): Promise<void> {
    return migrateBy(release, this.stores.databaseUrl);
  }

  /** Ends a process in an orderly way and starts it from another release, at its place. */
  async replace(name: string, release: Checkout): Promise<void> {
    const began = performance.now();
    await this.supervisor.stop(name);
    if (performance.now() - began > orderlyMs) this.killed.push(name);
    await this.startOne(name, release);
  }

  /** The number of lines with errors in the logs, by process. */
  async errors(): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    const logs = join(this.dataDir, 'logs');
    for (const file of await readdir(logs)) {
      const lines = (await readFile(join(logs, file), 'utf8')).split('\n');
      const count = lines.filter((line) => /"level":(50|60)\b|"level":"(error|fatal)"/.test(line)).length;
      if (count > 0) counts.set(file, count);
    }
    return counts;
  }

  /** Stops all, and deletes its data. */
  async stop({ keepData = false } = {}): Promise<void> {
    const names = this.replicas.map(({ name }) => name);
    await this.supervisor.stopAll([['edge'], names, ['redis', 'postgres']]);
    this.stopped();
    if (keepData) return;
    await rm(this.postgresDir, { recursive: true, force: true });
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private startOne(name: string, release: Checkout): Promise<void> {
    const spec = this.processOf(name);
    const program = name === 'edge' ? 'edge' : this.replicaOf(name).service;
    const args = [...spec.args.slice(0, -1), join(release.root, 'dist', `${program}.js`)];
    return this.supervisor.start({ ...spec, args }, AbortSignal.timeout(startWithinMs));
  }

  private processOf(name: string): ManagedProcess {
    if (name === 'edge') return edgeProcess(this.port, this.replicas, 'warn');
    const spec = serviceProcess(this.replicaOf(name), this.replicas, this.stores, this.keys, 'warn');
    // 0.2.0 sends no tokens: docs/upgrades.md#from-020.
    return { ...spec, env: { ...spec.env, GRPC_TOKENS: 'optional' } };
  }

  private replicaOf(name: string): Replica {
    const replica = this.replicas.find((each) => each.name === name);
    if (!replica) throw new Error(`there is no replica ${name}`);
    return replica;
  }
}

/** `muster migrate` of a release. */
async function migrateBy(release: Checkout, databaseUrl: string): Promise<void> {
  await run(process.execPath, [join(release.root, 'dist/cli.js'), 'migrate'], {
    cwd: release.root,
    env: { ...process.env, DATABASE_URL: databaseUrl },
  });
}
