import { freePort } from '@muster/embedded';
import { Redis } from 'ioredis';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CuttableProxy } from '../../support/cuttable-proxy.js';

interface Server {
  readonly port: number;
  readonly dir: string;
  child: ChildProcess;
}

/** Whether a Redis server can be started here. */
export const hasRedisServer = (): boolean =>
  spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0;

/** Real Redis servers behind one address, which lose what they acknowledged. */
export class ForgetfulRedis {
  private standby: { server: Server; link: CuttableProxy } | null = null;

  private constructor(
    private readonly folder: string,
    private readonly address: CuttableProxy,
    private primary: Server,
  ) {}

  static async start(): Promise<ForgetfulRedis> {
    const folder = await mkdtemp(join(tmpdir(), 'muster-forget-'));
    const primary = await startServer(await mkdtemp(join(folder, 'redis-')), await freePort());
    const address = await CuttableProxy.start(`http://127.0.0.1:${primary.port}`);
    return new ForgetfulRedis(folder, address, primary);
  }

  /** The address that stays the same. */
  get url(): string {
    return this.address.url.replace('http:', 'redis:');
  }

  async flush(): Promise<void> {
    await command(this.primary.port, (redis) => redis.flushall());
  }

  /** Copies the files of the running server. @returns a function that restarts it with the copy */
  async copy(): Promise<() => Promise<void>> {
    const copied = await mkdtemp(join(this.folder, 'copy-'));
    await cp(this.primary.dir, copied, { recursive: true });
    return async () => {
      const { port, child } = this.primary;
      await kill(child);
      this.address.cut();
      this.primary = await startServer(copied, port);
    };
  }

  /** Starts a replica that follows. */
  async follow(): Promise<void> {
    const link = await CuttableProxy.start(`http://127.0.0.1:${this.primary.port}`);
    const dir = await mkdtemp(join(this.folder, 'redis-'));
    const server = await startServer(dir, await freePort(), [
      '--replicaof',
      '127.0.0.1',
      new URL(link.url).port,
    ]);
    while (!(await command(server.port, (redis) => redis.info('replication'))).includes('link_status:up'))
      await sleep(50);
    this.standby = { server, link };
  }

  /** Fails over to the replica, which has missed the last writes. @param lagMs how many, in milliseconds */
  async failOver(lagMs: number): Promise<void> {
    if (!this.standby) throw new Error('there is no replica');
    const { server, link } = this.standby;
    link.mute();
    await sleep(lagMs);
    await kill(this.primary.child);
    await command(server.port, (redis) => redis.replicaof('NO', 'ONE'));
    this.address.lead(`http://127.0.0.1:${server.port}`);
    this.address.cut();
    this.primary = server;
    this.standby = null;
    await link.stop();
  }

  async stop(): Promise<void> {
    await kill(this.primary.child);
    if (this.standby) {
      await kill(this.standby.server.child);
      await this.standby.link.stop();
    }
    await this.address.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function startServer(dir: string, port: number, more: readonly string[] = []): Promise<Server> {
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', ''];
  const durable = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction'];
  const child = spawn('redis-server', [...settings, ...durable, ...more], { stdio: 'ignore' });
  process.once('exit', () => child.kill('SIGKILL'));
  for (;;) {
    if (child.exitCode !== null) throw new Error(`redis-server ended with code ${child.exitCode}`);
    const answer = await command(port, (redis) => redis.ping()).catch(() => '');
    if (answer === 'PONG') return { port, dir, child };
    await sleep(50);
  }
}

async function command<T>(port: number, run: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis({ port, retryStrategy: () => null, maxRetriesPerRequest: 0 });
  redis.on('error', () => undefined);
  try {
    return await run(redis);
  } finally {
    redis.disconnect();
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
