import {
  embeddedPostgres,
  embeddedRedis,
  freePort,
  Supervisor,
  type EmbeddedPostgres,
  type EmbeddedRedis,
} from '@muster/embedded';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type StoreName = 'postgres' | 'redis';

const startsWithinMs = 60_000;
const log = (): void => undefined;

/** Both stores, apart from the system that uses them. */
export class Stores {
  private constructor(
    readonly redis: EmbeddedRedis,
    readonly postgres: EmbeddedPostgres,
    private readonly dataDir: string,
    private readonly supervisor: Supervisor,
  ) {}

  static async start(): Promise<Stores> {
    const dataDir = await mkdtemp(join(tmpdir(), 'muster-stores-'));
    const supervisor = new Supervisor(dataDir, log, log);
    const redis = await embeddedRedis({ dataDir, port: await freePort(), log });
    const postgres = await embeddedPostgres({ dataDir, port: await freePort(), log });
    const stores = new Stores(redis, postgres, dataDir, supervisor);
    for (const name of ['redis', 'postgres'] as const) await stores.run(name);
    return stores;
  }

  /** Replaces Postgres by an empty one at the same address. */
  async replacePostgres(): Promise<void> {
    await this.supervisor.stop(this.postgres.process.name);
    await rm(this.postgres.directory, { recursive: true, force: true });
    await embeddedPostgres({ dataDir: this.dataDir, port: Number(new URL(this.postgres.url).port), log });
    await this.run('postgres');
  }

  async remove(): Promise<void> {
    await this.supervisor.stopAll([['redis', 'postgres']]);
    await rm(this.dataDir, { recursive: true, force: true });
    await rm(this.postgres.directory, { recursive: true, force: true });
  }

  private run(name: StoreName): Promise<void> {
    return this.supervisor.start(this[name].process, AbortSignal.timeout(startsWithinMs));
  }
}
