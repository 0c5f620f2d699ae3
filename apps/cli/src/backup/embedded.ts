import { embeddedPostgres, freePort, Supervisor } from '@muster/embedded';
import { mkdir } from 'node:fs/promises';

const startWithinMs = 60_000;

/**
 * Runs the embedded PostgreSQL of a data directory during some work. Its database is created if there is none.
 *
 * @param work receives the address
 * @throws Error with a user-facing message if a system runs in this directory
 */
export async function withEmbedded<T>(dataDir: string, work: (url: string) => Promise<T>): Promise<T> {
  await mkdir(dataDir, { recursive: true });
  const postgres = await embeddedPostgres({ dataDir, port: await freePort(), log: () => undefined });
  const supervisor = new Supervisor(dataDir, () => undefined);
  // A command that is interrupted leaves no server.
  const abandon = (): void => supervisor.killAll();
  process.once('exit', abandon);
  try {
    await supervisor.start(postgres.process, AbortSignal.timeout(startWithinMs));
    return await work(postgres.url);
  } finally {
    await supervisor.stop(postgres.process.name);
    process.off('exit', abandon);
  }
}
