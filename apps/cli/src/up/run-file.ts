import type { Keys, Replica, Stores } from '@muster/embedded';
import { readRunFile } from '@muster/command-line/operator/run-file';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A system that runs. */
export interface Running {
  readonly url: string;
  readonly keys: Keys;
  readonly stores: Stores;
  readonly replicas: readonly Replica[];
}

const pathIn = (dataDir: string): string => join(dataDir, 'run.json');

/**
 * Tells other commands, and whoever wants to look, where everything is.
 *
 * @param launcher the id of the process that started it
 */
export async function writeRunFile(
  dataDir: string,
  { url, keys, stores, replicas, pids }: Running & { readonly pids: Readonly<Record<string, number>> },
  launcher = process.pid,
): Promise<void> {
  const { serverKey, operatorKey } = keys;
  const run = { url, serverKey, operatorKey, ...stores, replicas, launcher, pids };
  // Written beside and moved over, so that a reader never sees half of it.
  const path = pathIn(dataDir);
  await writeFile(`${path}.new`, JSON.stringify(run, null, 2), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/**
 * Removes the file that this launcher wrote. One of another launcher stays: a start that failed because a system runs here must
 * not hide that system.
 */
export async function removeOwnRunFile(dataDir: string, launcher = process.pid): Promise<void> {
  if ((await readRunFile(dataDir)).get('launcher') === launcher) await rm(pathIn(dataDir), { force: true });
}
