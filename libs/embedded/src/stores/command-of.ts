import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** The command line of a running process, or null. */
export async function commandOf(pid: number): Promise<string | null> {
  const seen = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null);
  if (seen !== null) return seen.replaceAll('\0', ' ');
  if (process.platform === 'linux') return null;
  const ps = promisify(execFile);
  return ps('ps', ['-o', 'command=', '-p', String(pid)]).then(
    ({ stdout }) => stdout,
    () => null,
  );
}
