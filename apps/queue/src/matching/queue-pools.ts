import type { QueuePool } from './queue-pool.js';

/** The pool of each queue in this process; one is made when it is first asked for. */
export class QueuePools {
  private readonly byQueue = new Map<string, QueuePool>();

  constructor(private readonly open: (queue: string) => QueuePool) {}

  of(queue: string): QueuePool {
    let pool = this.byQueue.get(queue);
    if (!pool) this.byQueue.set(queue, (pool = this.open(queue)));
    return pool;
  }
}
