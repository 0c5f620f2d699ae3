/**
 * Writes that are prepared at once and run in turn, several beside each other. An error ends the queue: writes that would
 * follow the failed one do not run, and none is added.
 */
export class WriteQueue {
  private readonly waiting: Promise<void>[] = [];
  /** The last write of each lane. */
  private readonly lanes: Promise<void>[];
  private added = 0;

  /**
   * @param most the number of writes that may wait or run when {@link add} resolves
   * @param lanes the number of writes that run beside each other
   */
  constructor(
    private readonly most: number,
    lanes: number,
  ) {
    this.lanes = Array.from({ length: lanes }, () => Promise.resolve());
  }

  /**
   * @param write prepares at once, and writes after the given promise
   * @throws the error of an earlier write
   */
  async add(write: (after: Promise<void>) => Promise<void>): Promise<void> {
    const lane = this.added++ % this.lanes.length;
    const last = write(this.lanes[lane] ?? Promise.resolve());
    this.lanes[lane] = last;
    this.waiting.push(last);
    // An error is thrown where the write is awaited, which may be later.
    last.catch(() => undefined);
    while (this.waiting.length > this.most) await this.waiting.shift();
  }

  /** Resolves when everything is written. @throws the error of a write, once no write runs any more */
  async drain(): Promise<void> {
    await Promise.allSettled(this.lanes);
    await Promise.all(this.lanes);
  }
}
