import { errorCodes } from '@muster/domain';

/** SQLSTATEs of a database that is unavailable or cancels work (08, 53, 57, 58), and the code of a lost connection. */
const unavailable = /^(?:08...|53...|57...|58...|ConnectionClosed)$/;

/**
 * Whether one item may have caused the error: the database rejected it, or code failed. An unavailable database rejects
 * all alike.
 */
export function mayBeItemsFault(error: unknown): boolean {
  return !errorCodes(error).some((code) => unavailable.test(code));
}

interface Pending<I, O> {
  readonly item: I;
  resolve(answer: O): void;
  reject(error: unknown): void;
}

/**
 * Batches concurrent requests: items submitted while a batch runs form the next one, because a transaction of many
 * items costs little more than one of a single item. Items of one key run in order, one batch at a time; keys are
 * independent.
 */
export class Batcher<I, O> {
  private readonly waiting = new Map<string, Pending<I, O>[]>();

  /**
   * @param maxItems the maximum size of a batch
   * @param run processes all items or none; its results are in the order of the items
   * @param isItemsFault whether one item may have caused the error: then each item runs alone, so that only the faulty
   * one fails. Any other error, such as a lost connection, fails the whole batch
   */
  constructor(
    private readonly maxItems: number,
    private readonly run: (items: readonly I[]) => Promise<readonly O[]>,
    private readonly isItemsFault: (error: unknown) => boolean,
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
    while (queue.length > 0) await this.settle(queue.splice(0, this.maxItems));
    this.waiting.delete(key);
  }

  private async settle(asked: readonly Pending<I, O>[]): Promise<void> {
    try {
      const answers = await this.run(asked.map(({ item }) => item));
      asked.forEach(({ resolve }, i) => resolve(answers[i] as O));
    } catch (error) {
      if (asked.length > 1 && this.isItemsFault(error)) for (const each of asked) await this.settle([each]);
      else for (const { reject } of asked) reject(error);
    }
  }
}
