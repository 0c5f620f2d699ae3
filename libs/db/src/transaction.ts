import { errorCodes } from '@muster/domain';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from './client.js';
import type { Sql } from './sql.js';
import { transactionLimits } from './transaction-limits.js';

/** A transaction's client. */
export type Tx = Parameters<Parameters<Db['$transaction']>[0]>[0];

/**
 * "Try that again": serialization failure, deadlock, and a unique index that a race lost at. As SQLSTATE, which the driver
 * tells, and as Prisma's own codes, which stand for the same.
 */
const lostRaces = new Set(['40001', '40P01', '23505', 'P2002', 'P2034']);

/** How often a step is tried, and how long it pauses in between. */
export interface Retrying {
  readonly attempts: number;
  /** The longest pause after the first try, in milliseconds; it doubles with each try up to `lastMs`. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** A number in [0, 1): which part of the longest pause is taken. */
  random(): number;
}

const usual: Retrying = { attempts: 6, firstMs: 10, lastMs: 200, random: Math.random };

/** A transaction lost a race at every try. The last error is the cause. */
export class RetriesUsedUp extends Error {
  /** Callers may come again. */
  readonly code = 'retries-used-up';

  constructor(
    readonly attempts: number,
    override readonly cause: unknown,
  ) {
    const state = errorCodes(cause).findLast((code) => lostRaces.has(code)) ?? 'unknown';
    super(`A transaction lost a race ${attempts} times in a row (${state}); its retries are used up.`);
    this.name = 'RetriesUsedUp';
  }
}

/**
 * Runs one atomic step, again if it lost a race. The step must do nothing outside the transaction. Those that lost to each
 * other pause for different times, so that they do not meet again.
 *
 * @throws RetriesUsedUp when every try lost; whatever else the step throws, at once
 */
export function atomically<T>(db: Db, step: (tx: Tx) => Promise<T>, retrying?: Retrying): Promise<T> {
  return retried(() => db.$transaction(step, transactionLimits), retrying);
}

/** The same for a step of statements alone. It costs less than half of the processor time: Prisma takes no part in it. */
export function transact<T>(db: Db, step: (sql: Sql) => Promise<T>, retrying?: Retrying): Promise<T> {
  return retried(() => db.$sql.transaction(step), retrying);
}

async function retried<T>(
  transaction: () => Promise<T>,
  { attempts, firstMs, lastMs, random }: Retrying = usual,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction();
    } catch (error) {
      if (!lostRace(error)) throw error;
      if (attempt >= attempts) throw new RetriesUsedUp(attempts, error);
      await sleep(random() * Math.min(lastMs, firstMs * 2 ** (attempt - 1)));
    }
  }
}

function lostRace(error: unknown): boolean {
  return errorCodes(error).some((code) => lostRaces.has(code));
}
