import type { SplitOptions } from './problem.js';

/** Thrown through the methods at the deadline; the entry point then returns the best result so far. */
export class OutOfTime extends Error {}

/** Interval between reads of the clock, in steps: about a tenth of a millisecond of work. */
export const stride = 16_384;
export const defaultMemoryBytes = 256 * 1024 * 1024;

/** The budget of a solve, and the part that is used. */
export class Budget {
  /** Steps of inner loops so far. */
  operations = 0;
  readonly memoryBytes: number;
  /** The first call reads the clock. */
  private nextLook = 0;
  private readonly deadline: SplitOptions['deadline'];

  constructor({ deadline, memoryBytes = defaultMemoryBytes }: SplitOptions) {
    this.deadline = deadline;
    this.memoryBytes = memoryBytes;
  }

  /**
   * Counts `steps` of work. Call it before each piece of at most some ten thousand steps.
   *
   * @throws OutOfTime when the deadline has passed
   */
  spend(steps: number): void {
    this.operations += steps;
    if (this.operations < this.nextLook) return;
    if (this.isOver()) throw new OutOfTime();
    this.nextLook = this.operations + stride;
  }

  isOver(): boolean {
    return this.deadline !== undefined && this.deadline.now() >= this.deadline.at;
  }

  allows(bytes: number): boolean {
    return bytes <= this.memoryBytes;
  }
}
