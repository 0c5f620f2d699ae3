import type { QueuePool } from './queue-pool.js';

/** The pools of this process by queue; a pool is created on first use. */
export class QueuePools {
  private readonly byQueue = new Map<string, QueuePool>();

  constructor(private readonly open: (queue: string) => QueuePool) {}

  of(queue: string): QueuePool {
    let pool = this.byQueue.get(queue);
    if (!pool) this.byQueue.set(queue, (pool = this.open(queue)));
    return pool;
  }

  /** Every pool is read as a whole at its next use. */
  forget(): void {
    for (const pool of this.byQueue.values()) pool.forget();
  }
}
