import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** How a command ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const main = join(process.cwd(), 'apps/cli/dist/main.js');

/**
 * Runs a command of `muster` to its end.
 *
 * @param onStderr is told what was said so far, and may send a signal
 */
export function muster(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  onStderr: (soFar: string, signal: (name: NodeJS.Signals) => void) => void = () => undefined,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [main, ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
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
