import { inject } from 'vitest';
import { auditedWhereItAnswers } from '../support/audited.js';
import { migratedDatabase } from '../support/database.js';
import { Stack } from '../support/stack.js';

/**
 * The system shared by the files of this folder that neither kill nor slow down a part of it. The queues are the
 * default ones, `brief` (1v1, tickets live for 1 s) and `pairs` (5v5, parties of at most two).
 *
 * Other files use it concurrently: use builds, players, servers and rating pools of your own, and select your own
 * entries from lists.
 */
export const sharedStack = (): Promise<Stack> => Stack.at(inject('sharedStack'));

/**
 * Starts a system for one file that needs its own settings or kills services. It has its own database in the PostgreSQL
 * of the shared system, and one solver thread.
 */
export async function ownStack(args: readonly string[], env: Record<string, string> = {}): Promise<Stack> {
  const databaseUrl = await migratedDatabase(inject('postgresUrl'));
  return Stack.start(args, {
    env: { DATABASE_URL: databaseUrl, SOLVER_THREADS: '1', ...env },
    beforeEnd: auditedWhereItAnswers,
  });
}
