interface Asked<I, O> {
  readonly item: I;
  resolve(answer: O): void;
  reject(error: unknown): void;
}

/**
 * Does in one go what is asked for while the go before is under way: as one transaction, much is hardly more work than little.
 * What is asked for under one key is done in the order in which it came, one go at a time; keys do not wait for each other.
 */
export class Together<I, O> {
  private readonly waiting = new Map<string, Asked<I, O>[]>();

  /**
   * @param most items in one go
   * @param run does all or nothing; its answers are in the order of the items
   * @param isOnes whether an error may be the fault of one item: then each is tried alone, so that nobody suffers for another.
   *   Any other, such as a lost connection, is everybody's
   */
  constructor(
    private readonly most: number,
    private readonly run: (items: readonly I[]) => Promise<readonly O[]>,
    private readonly isOnes: (error: unknown) => boolean,
  ) {}

  /** @returns what `run` answered; rejects with what it threw */
  do(key: string, item: I): Promise<O> {
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

  private async work(key: string, queue: Asked<I, O>[]): Promise<void> {
    while (queue.length > 0) await this.settle(queue.splice(0, this.most));
    this.waiting.delete(key);
  }

  private async settle(asked: readonly Asked<I, O>[]): Promise<void> {
    try {
      const answers = await this.run(asked.map(({ item }) => item));
      asked.forEach(({ resolve }, i) => resolve(answers[i] as O));
    } catch (error) {
      if (asked.length > 1 && this.isOnes(error)) for (const each of asked) await this.settle([each]);
      else for (const { reject } of asked) reject(error);
    }
  }
}
