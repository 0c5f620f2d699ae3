import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The run.json of the system that runs on this machine, by field; empty without one, or while it is damaged. */
export async function readRunFile(dataDir: string): Promise<ReadonlyMap<string, unknown>> {
  try {
    const run: unknown = JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8'));
    return new Map(typeof run === 'object' && run !== null ? Object.entries(run) : []);
  } catch {
    return new Map();
  }
}

/** An address of that system; undefined without one, or while it starts. */
export async function addressOfRun(
  dataDir: string,
  name: 'url' | 'databaseUrl' | 'redisUrl',
): Promise<string | undefined> {
  const address = (await readRunFile(dataDir)).get(name);
  return typeof address === 'string' ? address : undefined;
}
