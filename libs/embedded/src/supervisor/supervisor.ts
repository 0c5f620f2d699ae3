import { misconfiguredExit } from '@muster/domain';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ManagedProcess } from './managed-process.js';
import { LogFile, type LogLimits } from './log-file.js';

interface Child {
  readonly spec: ManagedProcess;
  readonly log: LogFile;
  process: ChildProcess;
  /** Its last output since it was started. */
  tail: string;
  /** Whether it has answered. */
  isUp: boolean;
  /** Recent exits of this child, for the back-off. */
  restarts: number;
  stopping: boolean;
  exited: Promise<void>;
}

/** Ends that follow a start within this time, in milliseconds, are crashes in a row. */
const atOnceMs = 10_000;
/** A process that never answered is given up after so many crashes in a row. */
const mostCrashes = 5;
/** The longest pauses before a restart, of a process that was killed and of one that ended itself, in milliseconds. */
const longestPauseMs = { killed: 5_000, ended: 30_000 };
/** The characters of a process's last output that are kept, and the lines that are told. */
const tailLength = 4_096;
const tailLines = 8;

/** The default time limit of a clean stop. */
const defaultGraceMs = 12_000;
const logLimits: LogLimits = { maxBytes: 10 * 1024 * 1024, keep: 3 };

/** Starts processes, restarts them when they exit unless they cannot run, and stops them in order. */
export class Supervisor {
  private readonly children = new Map<string, Child>();
  private readonly logDir: string;
  /** Logs that cannot be written now: only the first one is reported. */
  private readonly unwritten = new Set<string>();
  private readonly failing = new AbortController();

  constructor(
    dataDir: string,
    /** Receives messages about restarts. */
    private readonly said: (line: string) => void,
    /** Called after a process was restarted. */
    private readonly restarted: () => void = () => undefined,
    private readonly limits: LogLimits = logLimits,
  ) {
    this.logDir = join(dataDir, 'logs');
    mkdirSync(this.logDir, { recursive: true });
  }

  /** Aborts when a process cannot run, with the error: its settings are wrong, or it crashes before it ever answers. */
  get failure(): AbortSignal {
    return this.failing.signal;
  }

  /** Starts a process and waits until it answers. @throws Error with its last output if it does not */
  async start(spec: ManagedProcess, signal: AbortSignal): Promise<void> {
    const log = new LogFile(join(this.logDir, `${spec.name}.log`), this.limits, (error) =>
      this.logChanged(spec.name, error),
    );
    const child: Child = {
      spec,
      log,
      process: this.spawn(spec),
      tail: '',
      isUp: false,
      restarts: 0,
      stopping: false,
      exited: Promise.resolve(),
    };
    this.children.set(spec.name, child);
    this.watch(child);
    try {
      await spec.ready(AbortSignal.any([signal, this.failure]));
      child.isUp = true;
    } catch (error) {
      this.failure.throwIfAborted();
      const words = error instanceof Error ? error.message : String(error);
      throw new Error(`${spec.name} did not start: ${words} ${this.lastWords(child)}`, { cause: error });
    }
  }

  /** The process ids by name. */
  pids(): Record<string, number> {
    return Object.fromEntries(
      [...this.children].flatMap(([name, child]) => (child.process.pid ? [[name, child.process.pid]] : [])),
    );
  }

  /** Stops a process cleanly; kills it after the time limit. */
  async stop(name: string): Promise<void> {
    const child = this.children.get(name);
    if (!child) return;
    child.stopping = true;
    child.process.kill(child.spec.stopSignal);
    const timer = setTimeout(() => child.process.kill('SIGKILL'), child.spec.graceMs ?? defaultGraceMs);
    await child.exited;
    clearTimeout(timer);
    child.log.close();
    this.children.delete(name);
  }

  /** Stops groups of processes, one group after the other. */
  async stopAll(order: readonly (readonly string[])[]): Promise<void> {
    for (const group of order) await Promise.all(group.map((name) => this.stop(name)));
    await Promise.all([...this.children.keys()].map((name) => this.stop(name)));
  }

  /** Kills all processes immediately. */
  killAll(): void {
    for (const child of this.children.values()) {
      child.stopping = true;
      child.process.kill('SIGKILL');
    }
  }

  private logChanged(name: string, error: Error | null): void {
    const before = this.unwritten.size;
    if (error) this.unwritten.add(name);
    else this.unwritten.delete(name);
    if (before === 0 && error)
      this.said(`Logs cannot be written (${error.message}): lines are dropped until they can.`);
    if (before > 0 && this.unwritten.size === 0) this.said('Logs are written again.');
  }

  private spawn({ command, args, env, cwd, uid, gid }: ManagedProcess): ChildProcess {
    return spawn(command, args, {
      env: { ...process.env, ...env },
      cwd,
      uid,
      gid,
      // A process group of its own: Ctrl-C in a terminal reaches only the launcher, which then stops all in order.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  private listen(child: Child): void {
    const { stdout, stderr } = child.process;
    // Always read to the end, also if the log fails: a process with a full output pipe blocks.
    for (const stream of [stdout, stderr])
      stream?.on('data', (chunk: Buffer) => {
        child.log.write(chunk);
        child.tail = (child.tail + chunk.toString()).slice(-tailLength);
      });
    if (child.spec.onLine && stdout) createInterface({ input: stdout }).on('line', child.spec.onLine);
  }

  /** The last output of a process, and where all of it is. */
  private lastWords({ spec, tail }: Child): string {
    const lines = tail.trimEnd().split('\n').slice(-tailLines).join('\n');
    const log = `Its log is ${join(this.logDir, `${spec.name}.log`)}.`;
    return lines === '' ? log : `Its last output:\n${lines}\n${log}`;
  }

  private watch(child: Child): void {
    const started = performance.now();
    this.listen(child);
    child.exited = new Promise((resolve) => {
      child.process.once('error', (error) => child.log.write(`${error.message}\n`));
      child.process.once('close', (code, signal) => {
        resolve();
        if (child.stopping) return;
        if (performance.now() - started > atOnceMs) child.restarts = 0;
        this.ended(child, code, signal);
      });
    });
  }

  /** Restarts a process that ended, unless it cannot run. */
  private ended(child: Child, code: number | null, signal: NodeJS.Signals | null): void {
    const { name } = child.spec;
    const how = signal ?? `code ${code}`;
    const crashes = ++child.restarts;
    // One that has answered ran with the same settings.
    if (code === misconfiguredExit && !child.isUp)
      return this.fail(`${name} cannot run with its settings. ${this.lastWords(child)}`);
    if (!child.isUp && code !== null && crashes >= mostCrashes)
      return this.fail(`${name} ended ${crashes} times in a row (${how}). ${this.lastWords(child)}`);
    const pauseMs = Math.min(longestPauseMs[code === null ? 'killed' : 'ended'], 100 * 2 ** (crashes - 1));
    this.said(
      crashes === 1
        ? `${name} ended (${how}); restarting it`
        : `${name} ended (${how}) ${crashes} times in a row; restarting it in ${pauseMs / 1_000} s. ${this.lastWords(child)}`,
    );
    setTimeout(() => {
      if (child.stopping) return;
      child.tail = '';
      child.process = this.spawn(child.spec);
      this.watch(child);
      this.restarted();
    }, pauseMs);
  }

  private fail(why: string): void {
    this.failing.abort(new Error(why));
  }
}
