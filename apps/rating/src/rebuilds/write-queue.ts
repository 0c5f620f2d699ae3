/** One write after the other, while the next ones are prepared. An error ends the queue: later writes do not run. */
export class WriteQueue {
  private readonly waiting: Promise<void>[] = [];
  private last: Promise<void> = Promise.resolve();

  /** @param most the number of writes that may wait or run when {@link add} resolves */
  constructor(private readonly most: number) {}

  /**
   * @param write prepares at once, and writes after the given promise
   * @throws the error of an earlier write
   */
  async add(write: (after: Promise<void>) => Promise<void>): Promise<void> {
    this.last = write(this.last);
    this.waiting.push(this.last);
    // An error is thrown where the write is awaited, which may be later.
    this.last.catch(() => undefined);
    while (this.waiting.length > this.most) await this.waiting.shift();
  }

  /** Resolves when everything is written. @throws the error of a write */
  async drain(): Promise<void> {
    await this.last;
  }
}
