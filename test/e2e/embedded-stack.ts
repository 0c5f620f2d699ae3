import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stack } from '../support/stack.js';

let dataDir: string | undefined;
let latest: Promise<Stack> | undefined;

/** The system that a reader of the README starts, in a directory that lasts; the first caller starts it. */
export function embeddedStack(): Promise<Stack> {
  latest ??= startAgain();
  return latest;
}

/** Starts it once more in its directory. @throws as long as it runs */
export async function startAgain(args: readonly string[] = []): Promise<Stack> {
  dataDir ??= await mkdtemp(join(tmpdir(), 'muster-restart-'));
  const stack = await Stack.start(args, { dataDir });
  latest = Promise.resolve(stack);
  return stack;
}

/** Stops it and deletes its directory. */
export async function removeEmbeddedStack(): Promise<void> {
  await (await latest?.catch(() => undefined))?.stop();
  if (dataDir === undefined) return;
  // Started by root, Postgres keeps its data elsewhere.
  const note = await readFile(join(dataDir, 'postgres-is-at.txt'), 'utf8').catch(() => null);
  for (const directory of [dataDir, ...(note === null ? [] : [note.trim()])])
    await rm(directory, { recursive: true, force: true });
}
