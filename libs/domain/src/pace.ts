/** Time that passes, as a parameter. */
export interface ElapsedTime {
  /** Milliseconds on a monotonic clock. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Resolves once the requests that have arrived by now are submitted. */
  arrived(): Promise<void>;
}

/**
 * Limits how often batches begin. The interval counts from the beginning of the batch before, so the first batch of a
 * quiet time begins at once. Without a pace a batch begins as soon as the one before ended: the less there is to do, the
 * smaller the batches are, and the more each request costs.
 */
export class Pace {
  private began = -Infinity;

  /** @param intervalMs the minimum time between the beginnings of two batches that are not full */
  constructor(
    private readonly intervalMs: number,
    private readonly time: ElapsedTime,
  ) {}

  /** @returns the step; each of its runs counts as the beginning of a batch */
  readonly counting =
    <A extends readonly unknown[], O>(run: (...asked: A) => Promise<O>): ((...asked: A) => Promise<O>) =>
    (...asked) => {
      this.began = this.time.now();
      return run(...asked);
    };

  /** Resolves when the next batch may begin. */
  readonly next = async (): Promise<void> => {
    const restMs = this.began + this.intervalMs - this.time.now();
    if (restMs >= 1) await this.time.sleep(restMs);
    await this.time.arrived();
  };
}
