import { spawn } from 'node:child_process';
import type { Account } from './postgres-account.js';

/** Options of a short-lived program. */
export interface RunOptions {
  cwd: string;
  account?: Account | null;
  env?: Record<string, string>;
  input?: string;
}

/** Runs a program to its end; on failure rejects with its output. */
export function run(command: string, args: string[], options: RunOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      uid: options.account?.uid,
      gid: options.account?.gid,
    });
    let printed = '';
    const keep = (chunk: Buffer): void => {
      printed += chunk.toString();
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    // A program that fails early closes its input; its exit code is more informative than the broken pipe.
    child.stdin.on('error', () => undefined);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve(printed);
      else reject(new Error(`${command} ended with ${signal ?? `code ${code}`}: ${printed.trim()}`));
    });
    child.stdin.end(options.input ?? '');
  });
}
