import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { promisify } from 'node:util';

/** The command line of a running process, null when there is none. */
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

/** Whether a process of that number runs; one that ended and that nobody has asked after does not count. */
export async function isRunning(pid: number): Promise<boolean> {
  return ((await commandOf(pid)) ?? '').trim() !== '';
}

/**
 * Makes sure that no process uses a directory, by the pid file in it. A file that a killed one left is removed,
 * because its number may belong to somebody else by now and would keep the server from starting.
 *
 * @param mark what the command line of a process that uses the directory contains
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
