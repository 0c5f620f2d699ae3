/** The limit of a baseline. */
export interface BaselineLimit {
  /** Called once in 4,096 steps. Once it returns true, the best answer so far is returned. */
  readonly stop?: () => boolean;
}

/** The work of a baseline. */
export interface BaselineWork {
  /** Steps of the inner loop: proportional to time, but the same on every machine. */
  readonly operations: number;
  /** False when the limit ended the search. */
  readonly finished: boolean;
}

const interval = 4_096;

/** Counts steps and calls the limit seldom enough that the call costs nothing. */
export class Steps {
  taken = 0;
  stopped = false;
  readonly #stop: () => boolean;

  constructor(limit: BaselineLimit) {
    this.#stop = limit.stop ?? (() => false);
  }

  /** Counts a step. @returns false when it has to be the last */
  take(): boolean {
    this.taken++;
    if (this.taken % interval === 0 && this.#stop()) this.stopped = true;
    return !this.stopped;
  }

  work(): BaselineWork {
    return { operations: this.taken, finished: !this.stopped };
  }
}
