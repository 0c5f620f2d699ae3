import { errorCodes } from '@muster/domain';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql, Statements } from './sql.js';

/**
 * SQLSTATEs of retryable conflicts: serialization failure, deadlock, and a unique violation lost to a concurrent insert.
 */
const conflictCodes = new Set(['40001', '40P01', '23505']);

/** The number of attempts and the pauses between them. */
export interface RetryOptions {
  readonly attempts: number;
  /** The maximum pause after the first attempt, in milliseconds; it doubles with each attempt up to `lastMs`. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** A number in [0, 1): the fraction of the maximum pause. */
  random(): number;
}

const defaults: RetryOptions = { attempts: 6, firstMs: 10, lastMs: 200, random: Math.random };

/** What runs transactions: a client, or a part of it. */
export interface Transactions {
  readonly $sql: Pick<Statements, 'transaction'>;
}

/** A transaction lost a conflict at every attempt. The last error is the cause. */
export class RetriesUsedUp extends Error {
  /** The call may be repeated. */
  readonly code = 'retries-used-up';

  constructor(
    readonly attempts: number,
    override readonly cause: unknown,
  ) {
    const state = errorCodes(cause).findLast((code) => conflictCodes.has(code)) ?? 'unknown';
    super(`A transaction lost a conflict ${attempts} times in a row (${state}); its retries are used up.`);
    this.name = 'RetriesUsedUp';
  }
}

/**
 * Runs one transaction, and repeats it after a lost conflict. It must have no effect outside the transaction. Pauses
 * are random, so that transactions in conflict do not meet again.
 *
 * @throws RetriesUsedUp if every attempt lost; any other error immediately
 */
export async function transact<T>(
  db: Transactions,
  step: (sql: Sql) => Promise<T>,
  { attempts, firstMs, lastMs, random }: RetryOptions = defaults,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.$sql.transaction(step);
    } catch (error) {
      if (!conflictCode(error)) throw error;
      if (attempt >= attempts) throw new RetriesUsedUp(attempts, error);
      await sleep(random() * Math.min(lastMs, firstMs * 2 ** (attempt - 1)));
    }
  }
}

function conflictCode(error: unknown): boolean {
  return errorCodes(error).some((code) => conflictCodes.has(code));
}
