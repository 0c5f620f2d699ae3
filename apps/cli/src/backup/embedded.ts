import { embeddedPostgres, freePort, Supervisor } from '@muster/embedded';
import { constants } from 'node:os';
import { makeDataDirectory } from '../directory.js';

const startWithinMs = 60_000;
const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs the embedded PostgreSQL of a data directory during some work. Its database is created if there is none.
 *
 * @param work receives the address
 * @throws Error with a user-facing message if a system runs in this directory
 */
export async function withEmbedded<T>(dataDir: string, work: (url: string) => Promise<T>): Promise<T> {
  await makeDataDirectory(dataDir);
  const postgres = await embeddedPostgres({ dataDir, port: await freePort(), log: () => undefined });
  const supervisor = new Supervisor(dataDir, () => undefined);
  const { name } = postgres.process;
  const stopping: { interrupted?: Promise<void> } = {};
  // A command that is interrupted leaves no server; asked a second time, it does not wait.
  const abandon = (): void => supervisor.killAll();
  const interrupt = (signal: NodeJS.Signals): void => {
    const end = (): never => process.exit(128 + constants.signals[signal]);
    if (stopping.interrupted) end();
    stopping.interrupted = supervisor.stop(name).finally(end);
  };
  process.once('exit', abandon);
  for (const signal of signals) process.on(signal, interrupt);
  try {
    await supervisor.start(postgres.process, AbortSignal.timeout(startWithinMs));
    return await work(postgres.url);
  } finally {
    // The work fails without its server: the process ends before that is told.
    await stopping.interrupted;
    await supervisor.stop(name);
    process.off('exit', abandon);
    for (const signal of signals) process.off(signal, interrupt);
  }
}
