import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** An address of the system that runs on this machine, from its run.json; undefined without one, or while it starts. */
export async function addressOfRun(
  dataDir: string,
  name: 'url' | 'databaseUrl' | 'redisUrl',
): Promise<string | undefined> {
  try {
    const run: unknown = JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8'));
    const addresses = new Map(typeof run === 'object' && run !== null ? Object.entries(run) : []);
    const address: unknown = addresses.get(name);
    return typeof address === 'string' ? address : undefined;
  } catch {
    return undefined;
  }
}
