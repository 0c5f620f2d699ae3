import { Batcher } from '@muster/domain';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { mayBeItemsFault } from './items-fault.js';
import type { Sql } from './sql.js';
import { RetriesUsedUp, type RetryOptions, transact, type Transactions } from './transaction.js';

/** The minimum time between the beginnings of two batches under load, in milliseconds. */
const paceMs = 25;

/** A conflict is not retried by the whole batch: the batch is halved, and a single item is processed alone. */
const once: RetryOptions = { attempts: 1, firstMs: 0, lastMs: 0, random: () => 0 };

/** How to process requests together, and one by one. */
export interface BatchedStep<I, O> {
  /** The maximum number of requests in one transaction. */
  readonly maxItems: number;
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
 * - Requests of one turn of the event loop share a transaction. While requests come together, batches begin at most
 * every 25 ms, so that the number of commits is bounded. A single caller never waits.
 * - A request that the batch leaves out is processed alone, after the batch and without delaying it.
 * - A batch that fails is halved until the faulty request is alone, so that only it fails.
 */
export class BatchedTransactions<I, O> {
  private readonly batcher: Batcher<I, O | null>;
  /** The size of the last batch, and when it began on the monotonic clock. */
  private last = { size: 0, began: -Infinity };

  constructor(
    private readonly db: Transactions,
    private readonly step: BatchedStep<I, O>,
  ) {
    this.batcher = new Batcher(
      step.maxItems,
      (items) => this.run(items),
      mayBeItemsFault,
      () => this.gather(),
    );
  }

  /** Batches of one key run one after the other; keys are independent. */
  async submit(key: string, item: I): Promise<O> {
    return (await this.batcher.submit(key, item)) ?? this.step.alone(item);
  }

  private async run(items: readonly I[]): Promise<readonly (O | null)[]> {
    this.last = { size: items.length, began: performance.now() };
    try {
      return await transact(this.db, (tx) => this.step.together(tx, items), once);
    } catch (error) {
      if (items.length > 1 || !(error instanceof RetriesUsedUp)) throw error;
      return [null];
    }
  }

  private async gather(): Promise<void> {
    const { size, began } = this.last;
    const restMs = began + paceMs - performance.now();
    if (size > 1 && restMs >= 1) await sleep(restMs);
    // The requests of all sockets that one poll found.
    await nextTurn();
  }
}
