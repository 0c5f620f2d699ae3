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
  /** Recent exits of this child, for the back-off. */
  restarts: number;
  stopping: boolean;
  exited: Promise<void>;
}

/** The default time limit of a clean stop. */
const defaultGraceMs = 12_000;
const logLimits: LogLimits = { maxBytes: 10 * 1024 * 1024, keep: 3 };

/** Starts processes, restarts them when they exit, and stops them in order. */
export class Supervisor {
  private readonly children = new Map<string, Child>();
  private readonly logDir: string;
  /** Logs that cannot be written now: only the first one is reported. */
  private readonly unwritten = new Set<string>();

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

  /** Starts a process and waits until it answers. @throws Error with its last output if it does not */
  async start(spec: ManagedProcess, signal: AbortSignal): Promise<void> {
    const log = new LogFile(join(this.logDir, `${spec.name}.log`), this.limits, (error) =>
      this.logChanged(spec.name, error),
    );
    const child: Child = {
      spec,
      log,
      process: this.spawn(spec, log),
      restarts: 0,
      stopping: false,
      exited: Promise.resolve(),
    };
    this.children.set(spec.name, child);
    this.watch(child);
    try {
      await spec.ready(signal);
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      throw new Error(
        `${spec.name} did not start: ${words} Its log is ${join(this.logDir, `${spec.name}.log`)}.`,
        { cause: error },
      );
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

  private spawn(spec: ManagedProcess, log: LogFile): ChildProcess {
    const { command, args, env, cwd, uid, gid } = spec;
    const child = spawn(command, args, {
      env: { ...process.env, ...env },
      cwd,
      uid,
      gid,
      // A process group of its own: Ctrl-C in a terminal reaches only the launcher, which then stops all in order.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // Always read to the end, also if the log fails: a process with a full output pipe blocks.
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => log.write(chunk));
    if (spec.onLine) createInterface({ input: child.stdout }).on('line', spec.onLine);
    return child;
  }

  private watch(child: Child): void {
    const started = Date.now();
    child.exited = new Promise((resolve) => {
      child.process.once('error', (error) => child.log.write(`${error.message}\n`));
      child.process.once('close', (code, signal) => {
        resolve();
        if (child.stopping) return;
        if (Date.now() - started > 10_000) child.restarts = 0;
        const delay = Math.min(5_000, 100 * 2 ** child.restarts++);
        this.said(`${child.spec.name} ended (${signal ?? `code ${code}`}); restarting it`);
        setTimeout(() => {
          if (child.stopping) return;
          child.process = this.spawn(child.spec, child.log);
          this.watch(child);
          this.restarted();
        }, delay);
      });
    });
  }
}
