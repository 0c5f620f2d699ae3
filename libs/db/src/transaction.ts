import type { Db } from './client.js';

/** A transaction's client. */
export type Tx = Parameters<Parameters<Db['$transaction']>[0]>[0];

/** Long enough for a busy small machine, short enough that a stuck lock becomes an error that a retry mends. */
export const transactionLimits = { maxWait: 5_000, timeout: 15_000 };

/** Postgres' own words for "try that again": serialization failure, deadlock, and a unique index that a race lost at. */
const retryable = ['40001', '40P01', '23505'];

/** Runs one atomic step, again if it lost a race. The step must do nothing outside the transaction. */
export async function atomically<T>(db: Db, step: (tx: Tx) => Promise<T>, attempts = 6): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.$transaction(step, transactionLimits);
    } catch (error) {
      if (attempt >= attempts || !lostRace(error)) throw error;
    }
  }
}

function lostRace(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'P2002' || code === 'P2034') return true;
  return retryable.some(
    (sqlState) => error.message.includes(sqlState) || JSON.stringify(metaOf(error)).includes(sqlState),
  );
}

function metaOf(error: Error): unknown {
  return 'meta' in error ? (error.meta ?? '') : '';
}
