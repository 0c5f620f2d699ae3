import { readFile, rm } from 'node:fs/promises';
import { commandOf } from './command-of.js';
import { howToStop } from './left-running.js';

/** Whether a process of that id runs; a zombie does not count. */
export async function isRunning(pid: number): Promise<boolean> {
  return ((await commandOf(pid)) ?? '').trim() !== '';
}

/**
 * Checks by the pid file that no process uses a directory. Removes the file of a killed process, because another
 * process may have its id by now, which would prevent the start.
 *
 * @param mark part of the command line of every process that uses the directory
 * @param dataDir where the run that started it wrote its file
 * @throws Error with how to end what runs there
 */
export async function claim(who: string, pidFile: string, mark: string, dataDir: string): Promise<void> {
  const written = await readFile(pidFile, 'utf8').catch(() => null);
  if (written === null) return;
  const pid = Number.parseInt(written, 10);
  const command = pid > 0 ? await commandOf(pid) : null;
  if (command?.includes(mark)) {
    throw new Error(`${who} already runs here as process ${pid}: ${await howToStop(dataDir, pid)}`);
  }
  await rm(pidFile, { force: true });
}
