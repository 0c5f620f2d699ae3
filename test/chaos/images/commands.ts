import { spawn } from 'node:child_process';

/** The end of a command. */
export interface Ended {
  readonly code: number;
  /** Standard output. */
  readonly out: string;
  /** Standard output and error, in order of arrival. */
  readonly all: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** After this time the command is killed and counts as failed. */
  readonly limitMs?: number;
  /** Kills the command. */
  readonly signal?: AbortSignal;
}

/** Runs a command in namespaces that end with this process, with all of its processes and mounts, however it ends. */
export const apart = (...namespaces: readonly string[]): [command: string, args: string[]] => [
  'setpriv',
  ['--pdeathsig', 'KILL', 'unshare', ...namespaces, '--pid', '--fork', '--kill-child', '--mount-proc'],
];

const usualLimitMs = 120_000;

/** Runs a command to its end. It never rejects: a command that cannot be started ends with code 127. */
export function attempt(
  command: string,
  args: readonly string[],
  { env = {}, cwd, limitMs = usualLimitMs, signal }: RunOptions = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let all = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      all += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (all += text));
    const timer = setTimeout(() => {
      all += `\n(killed after ${limitMs / 1000} s)`;
      child.kill('SIGKILL');
    }, limitMs);
    const kill = (): void => void child.kill('SIGKILL');
    signal?.addEventListener('abort', kill, { once: true });
    if (signal?.aborted) kill();
    child.once('error', (error) => {
      clearTimeout(timer);
      resolve({ code: 127, out, all: `${all}${error.message}` });
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code: code ?? 137, out, all });
    });
  });
}

/** Runs a command. @returns its standard output @throws Error with the end of its output if it fails */
export async function run(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const { code, out, all } = await attempt(command, args, options);
  if (code === 0) return out;
  throw new Error(`${command} ${args.join(' ')} ended with code ${code}:\n${all.slice(-4_000)}`);
}
