import { inject } from 'vitest';
import { migratedDatabase } from '../support/database.js';
import { Stack } from '../support/stack.js';

/**
 * The system that the files of this folder share which neither kill nor slow down any of it. The queues are the default
 * ones, `brief` (1v1, tickets live for 1 s) and `pairs` (5v5, parties of two at most).
 *
 * Others use it at the same time: take builds, players, servers and rating pools of your own, and look for what is yours in
 * lists of everybody's.
 */
export const sharedStack = (): Promise<Stack> => Stack.at(inject('sharedStack'));

/**
 * Starts a system for one file that needs settings of its own or kills services. It has a database of its own in the
 * PostgreSQL of the shared system, and one solver thread.
 */
export async function ownStack(args: readonly string[], env: Record<string, string> = {}): Promise<Stack> {
  const databaseUrl = await migratedDatabase(inject('databaseTemplate'));
  return Stack.start(args, { env: { DATABASE_URL: databaseUrl, SOLVER_THREADS: '1', ...env } });
}
