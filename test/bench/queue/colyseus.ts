import { execFile, fork, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { cpuBetween, cpuSecondsOf, idleCoresOf } from './cpu.js';
import { rankOf, type Load, type ArrivalOutcome, type LoadResult } from './load.js';

/** Its packages are not part of this project: they are installed in a separate folder on first use. */
const folder = join(process.cwd(), 'test/bench/queue/colyseus');

/** The time limit of the server's start, in milliseconds. */
const startWithinMs = 30_000;

/** @returns the installed version of Colyseus */
export async function installColyseus(say: (text: string) => void): Promise<string> {
  const manifest = join(folder, 'node_modules/@colyseus/core/package.json');
  const wanted = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const installed = (): string | undefined =>
    existsSync(manifest)
      ? (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
      : undefined;
  if (installed() !== wanted.dependencies['@colyseus/core']) {
    say(`Installing Colyseus in ${folder}.`);
    // `ci` leaves the lock file as it is, and fails when it is incomplete.
    await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder });
  }
  return installed() ?? 'of an unknown version';
}

/** A Colyseus server with one queue room, in its own process. */
export class ColyseusServer {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  /** @param port 0 for any */
  static async start(playersPerMatch: number, port = 0): Promise<ColyseusServer> {
    const child = run('server.mjs', [String(port), String(playersPerMatch)]);
    const { port: taken } = await answerOf<{ port: number }>(child, AbortSignal.timeout(startWithinMs));
    return new ColyseusServer(child, taken);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** The number of players in its queue rooms. */
  async waiting(): Promise<number> {
    const answer = answerOf<{ waiting: number }>(this.child, AbortSignal.timeout(startWithinMs));
    this.child.send('waiting');
    return (await answer).waiting;
  }

  /** kill -9. @returns once it has ended */
  async kill(): Promise<void> {
    await end(this.child, 'SIGKILL');
  }
}

/** Players of Colyseus, in their own process. */
export class ColyseusPlayers {
  private constructor(
    private readonly child: ChildProcess,
    /** The start of the schedule, in milliseconds since the Unix epoch. */
    readonly origin: Promise<number>,
    /** Resolves when every player has started. */
    readonly begun: Promise<unknown>,
    readonly outcome: Promise<PlayersReport>,
  ) {}

  static start(
    port: number,
    { moments, skills, drainSeconds }: Pick<Load, 'moments' | 'skills' | 'drainSeconds'>,
  ): ColyseusPlayers {
    const child = run('players.mjs', []);
    const origin = answerOf<{ epochMs: number }>(child).then(({ epochMs }) => epochMs);
    const begun = origin.then(() => answerOf<unknown>(child));
    const outcome = begun.then(() => answerOf<PlayersReport>(child));
    child.send({
      url: `http://127.0.0.1:${port}`,
      moments,
      ranks: skills.map(rankOf),
      drainMs: drainSeconds * 1000,
    });
    return new ColyseusPlayers(child, origin, begun, outcome);
  }

  async stop(): Promise<void> {
    await end(this.child, 'SIGTERM');
  }
}

interface PlayersReport {
  readonly seen: readonly ArrivalOutcome[];
  readonly refusals: Readonly<Record<string, number>>;
  readonly cpuSeconds: number;
}

/** Starts Colyseus and applies the load to its ranked queue room. */
export async function runColyseus(load: Load, say: (text: string) => void): Promise<LoadResult> {
  const server = await ColyseusServer.start(load.playersPerMatch);
  try {
    const pids = { server: server.pid };
    const idleCores = await idleCoresOf(pids);
    say(`  Colyseus takes ${load.rate}/s of ${load.queue} for ${load.warmUpSeconds} + ${load.seconds} s`);
    const players = ColyseusPlayers.start(server.port, load);
    try {
      const cpuSeconds = await cpuOfWindow(pids, load, await players.origin);
      const { seen, refusals, cpuSeconds: loadCpuSeconds } = await players.outcome;
      return {
        system: 'colyseus',
        load,
        seen,
        refusals,
        seatMs: counted(load, seen),
        assignMs: [],
        waiting: await server.waiting(),
        cpuSeconds,
        idleCores,
        loadCpuSeconds,
        counts: null,
        results: null,
      };
    } finally {
      await players.stop();
    }
  } finally {
    await server.kill();
  }
}

/** Processor seconds of the counted seconds. */
async function cpuOfWindow(
  pids: Readonly<Record<string, number>>,
  { warmUpSeconds, seconds }: Load,
  origin: number,
): Promise<Record<string, number> | null> {
  const until = (second: number): Promise<void> => sleep(Math.max(0, origin + second * 1000 - Date.now()));
  await until(warmUpSeconds);
  const before = cpuSecondsOf(pids);
  await until(warmUpSeconds + seconds);
  return cpuBetween(before, cpuSecondsOf(pids));
}

/** A match is created together with its seats. */
function counted({ moments, warmUpSeconds }: Load, seen: readonly ArrivalOutcome[]): number[] {
  return seen.flatMap(({ matchedMs }, n) =>
    matchedMs === null || (moments[n] ?? 0) < warmUpSeconds * 1000 ? [] : [matchedMs],
  );
}

function run(program: string, args: readonly string[]): ChildProcess {
  const child = fork(join(folder, program), args, {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production' },
    // Its own output is not reported; its errors are.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const abandon = (): void => void child.kill('SIGKILL');
  process.once('exit', abandon);
  child.once('exit', () => process.off('exit', abandon));
  return child;
}

/** The next message of a child. @throws Error if it exits, or the signal aborts, first */
function answerOf<T>(child: ChildProcess, signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const told = (message: unknown): void => {
      child.off('exit', ended);
      resolve(message as T);
    };
    const ended = (code: number | null): void => {
      child.off('message', told);
      reject(new Error(`Colyseus’ process ended (${code ?? 'killed'}).`));
    };
    child.once('message', told);
    child.once('exit', ended);
    signal?.addEventListener('abort', () => reject(new Error('Colyseus’ process did not answer in time.')));
  });
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await ended;
}
