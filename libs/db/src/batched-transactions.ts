import { Batcher, type ElapsedTime, Pace } from '@muster/domain';
import { mayBeItemsFault } from './items-fault.js';
import { isAudited } from './operators/audit.js';
import { processTime } from './process-time.js';
import type { Sql } from './sql.js';
import { RetriesUsedUp, type RetryOptions, transact, type Transactions } from './transaction.js';

/** A conflict is not retried by the whole batch: the batch is halved, and a single item is processed alone. */
const once: RetryOptions = { attempts: 1, firstMs: 0, lastMs: 0, random: () => 0 };

/** How to process requests together, and one by one. */
export interface BatchedStep<I, O> {
  /** The maximum number of requests in one transaction. */
  readonly maxItems: number;
  /** The minimum time between the beginnings of two transactions that are not full, in milliseconds. */
  readonly paceMs: number;
  /**
   * Processes requests in one transaction. It waits for no lock that a slow transaction may hold.
   *
   * @returns the results in the order of the items; null for an item that is to be processed alone
   */
  together(tx: Sql, items: readonly I[]): Promise<readonly (O | null)[]>;
  /** Processes one request of any kind. It may wait for locks. */
  alone(item: I): Promise<O>;
}

/**
 * Processes concurrent requests in one transaction, because a transaction and its statements cost little more for
 * several requests than for one.
 *
 * - Requests of one turn of the event loop share a transaction. Transactions begin at a {@link Pace}, so that the number
 * of commits is bounded. A request in a quiet time does not wait.
 * - A request of an audited call is processed alone: its row of the audit log shows its own change.
 * - A request that the batch leaves out is processed alone, after the batch and without delaying it.
 * - A batch that fails is halved until the faulty request is alone, so that only it fails.
 */
export class BatchedTransactions<I, O> {
  private readonly batcher: Batcher<I, O | null>;

  /** @param time passes between batches */
  constructor(
    private readonly db: Transactions,
    private readonly step: BatchedStep<I, O>,
    time: ElapsedTime = processTime,
  ) {
    const pace = new Pace(step.paceMs, time);
    const run = pace.counting((items: readonly I[]) => this.run(items));
    this.batcher = new Batcher(step.maxItems, run, mayBeItemsFault, pace.next);
  }

  /** Batches of one key run one after the other; keys are independent. */
  async submit(key: string, item: I): Promise<O> {
    if (isAudited()) return this.step.alone(item);
    return (await this.batcher.submit(key, item)) ?? this.step.alone(item);
  }

  private async run(items: readonly I[]): Promise<readonly (O | null)[]> {
    try {
      return await transact(this.db, (tx) => this.step.together(tx, items), once);
    } catch (error) {
      if (items.length > 1 || !(error instanceof RetriesUsedUp)) throw error;
      return [null];
    }
  }
}
