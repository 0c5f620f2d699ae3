import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { promisify } from 'node:util';

/** The command line of a running process, or null. */
async function commandOf(pid: number): Promise<string | null> {
  const seen = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null);
  if (seen !== null) return seen.replaceAll('\0', ' ');
  if (process.platform === 'linux') return null;
  const ps = promisify(execFile);
  return ps('ps', ['-o', 'command=', '-p', String(pid)]).then(
    ({ stdout }) => stdout,
    () => null,
  );
}

/** Whether a process of that id runs; a zombie does not count. */
export async function isRunning(pid: number): Promise<boolean> {
  return ((await commandOf(pid)) ?? '').trim() !== '';
}

/**
 * Checks by the pid file that no process uses a directory. Removes the file of a killed process, because another
 * process may have its id by now, which would prevent the start.
 *
 * @param mark part of the command line of every process that uses the directory
 */
export async function claim(who: string, pidFile: string, mark: string): Promise<void> {
  const written = await readFile(pidFile, 'utf8').catch(() => null);
  if (written === null) return;
  const pid = Number.parseInt(written, 10);
  const command = pid > 0 ? await commandOf(pid) : null;
  if (command?.includes(mark)) {
    throw new Error(
      `${who} already runs here as process ${pid}: another \`muster up\` uses this data directory, or one that was ` +
        `killed left it behind. Stop that one (or \`kill ${pid}\`), or choose another data directory.`,
    );
  }
  await rm(pidFile, { force: true });
}
