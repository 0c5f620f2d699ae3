import { embeddedRedis, freePort, Supervisor } from '@muster/embedded';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const START_WITHIN_MS = 60_000;

/** A Redis for tests, of the kind that `muster up` starts. */
export class TestRedis {
  private constructor(
    readonly url: string,
    readonly stop: () => Promise<void>,
  ) {}

  static async start(): Promise<TestRedis> {
    const dataDir = await mkdtemp(join(tmpdir(), 'muster-redis-'));
    const redis = await embeddedRedis({ dataDir, port: await freePort(), log: () => undefined });
    const supervisor = new Supervisor(dataDir, () => undefined);
    const abandon = (): void => supervisor.killAll();
    process.once('exit', abandon);
    await supervisor.start(redis.process, AbortSignal.timeout(START_WITHIN_MS));
    return new TestRedis(redis.url, async () => {
      await supervisor.stop(redis.process.name);
      process.off('exit', abandon);
      await rm(dataDir, { recursive: true, force: true });
    });
  }
}
