import { programOf } from '@muster/embedded';
import { spawn } from 'node:child_process';

/** The result of a command. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The exit code of a command that failed, by what it says: 3 not reached, 2 not understood, 1 refused. */
export const failedCode = (stderr: string): number =>
  stderr.includes('No Muster answers') ? 3 : stderr.startsWith('error: ') ? 2 : 1;

/** The program of `npm run muster`. */
export const main = programOf('cli');

/** Commands that end their process, or start others that they must end. Threads are started from bundles. */
const ofTheirOwn: ReadonlySet<string | undefined> = new Set(['up', 'demo', 'backup', 'restore']);

/**
 * Runs a `muster` command to its end: in this process, which is much cheaper, unless it is sent signals or input, or ends its
 * process.
 *
 * @param onStderr receives the output so far, and may send a signal
 * @param input standard input; empty by default
 */
export function muster(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  onStderr?: (soFar: string, signal: (name: NodeJS.Signals) => void) => void,
  input?: string,
): Promise<Ended> {
  const needsOwn = onStderr ?? input ?? (ofTheirOwn.has(args[0]) || args.includes('--threads'));
  if (needsOwn !== false) return spawned(args, env, onStderr, input);
  const run = turn.then(() => inThisProcess(args, env));
  turn = run.catch(() => undefined);
  return run;
}

function spawned(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  onStderr: (soFar: string, signal: (name: NodeJS.Signals) => void) => void = () => undefined,
  input = '',
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [main, ...args], {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    // A command that does not read may exit before all is written.
    child.stdin.on('error', () => undefined).end(input);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
    child.stderr.on('data', (data: Buffer) => {
      stderr += data.toString();
      onStderr(stderr, (name) => child.kill(name));
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** The environment, the streams and the exit code belong to the process: commands take turns. */
let turn: Promise<unknown> = Promise.resolve();

async function inThisProcess(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const { runMuster } = await import('../../apps/cli/src/program.js');
  const { env: before, exitCode } = process;
  const stdout = collected(process.stdout);
  const stderr = collected(process.stderr);
  process.env = { ...before, ...env };
  process.exitCode = undefined;
  try {
    await runMuster(args);
    return { code: Number(process.exitCode ?? 0), stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    process.env = before;
    process.exitCode = exitCode;
    stdout.release();
    stderr.release();
  }
}

/** What is written to a stream until it is released. */
function collected(stream: NodeJS.WriteStream): { text(): string; release(): void } {
  const { write } = stream;
  let text = '';
  stream.write = (chunk: string | Uint8Array, ...more: unknown[]): boolean => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const done = more.at(-1);
    if (typeof done === 'function') done();
    return true;
  };
  return { text: () => text, release: () => void (stream.write = write) };
}
