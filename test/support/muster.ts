import { programOf } from '@muster/embedded';
import { spawn } from 'node:child_process';

/** The result of a command. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program of `npm run muster`. */
export const main = programOf('cli');

/**
 * Runs a `muster` command to its end.
 *
 * @param onStderr receives the output so far, and may send a signal
 * @param input standard input; empty by default
 */
export function muster(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
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
