interface Pending<I, O> {
  readonly item: I;
  resolve(answer: O): void;
  reject(error: unknown): void;
}

/** Waits for items of the same turn of the event loop that are submitted after the same number of promises. */
const microtask = (): Promise<void> => Promise.resolve();

/**
 * Batches concurrent requests: items submitted in one turn, or while a batch runs, form the next one, because a
 * statement of many items costs little more than one of a single item. Items of one key run in order, one batch at a
 * time; keys are independent.
 */
export class Batcher<I, O> {
  private readonly waiting = new Map<string, Pending<I, O>[]>();

  /**
   * @param maxItems the maximum size of a batch
   * @param run processes all items or none; its results are in the order of the items
   * @param isItemsFault whether one item may have caused the error: then the batch is halved until the faulty item is
   * alone, so that only it fails. Any other error, such as a lost connection, fails the whole batch
   * @param gather resolves when a batch may begin; items submitted meanwhile belong to it
   */
  constructor(
    private readonly maxItems: number,
    private readonly run: (items: readonly I[]) => Promise<readonly O[]>,
    private readonly isItemsFault: (error: unknown) => boolean,
    private readonly gather: () => Promise<void> = microtask,
  ) {}

  /** @returns the result of `run`; rejects with its error */
  submit(key: string, item: I): Promise<O> {
    return new Promise<O>((resolve, reject) => {
      const queue = this.waiting.get(key);
      if (queue) {
        queue.push({ item, resolve, reject });
        return;
      }
      const first = [{ item, resolve, reject }];
      this.waiting.set(key, first);
      void this.work(key, first);
    });
  }

  private async work(key: string, queue: Pending<I, O>[]): Promise<void> {
    while (queue.length > 0) {
      if (queue.length < this.maxItems) await this.gather();
      await this.settle(queue.splice(0, this.maxItems));
    }
    this.waiting.delete(key);
  }

  private async settle(asked: readonly Pending<I, O>[]): Promise<void> {
    try {
      const answers = await this.run(asked.map(({ item }) => item));
      asked.forEach(({ resolve }, i) => resolve(answers[i] as O));
    } catch (error) {
      if (asked.length === 1 || !this.isItemsFault(error)) {
        for (const { reject } of asked) reject(error);
        return;
      }
      const half = asked.length >>> 1;
      await this.settle(asked.slice(0, half));
      await this.settle(asked.slice(half));
    }
  }
}
