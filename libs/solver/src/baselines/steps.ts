/** What a baseline may spend. */
export interface BaselineLimit {
  /** Asked once in 4,096 steps. Once it is true, the answer is what was found until then. */
  readonly stop?: () => boolean;
}

/** What every baseline says about its work. */
export interface BaselineWork {
  /** Steps of the inner loop: grows with the work as time does, but is the same on every machine. */
  readonly operations: number;
  /** False when the limit ended it before it had looked at everything. */
  readonly finished: boolean;
}

const interval = 4_096;

/** Counts steps and asks the limit, seldom enough that asking costs nothing. */
export class Steps {
  taken = 0;
  stopped = false;
  readonly #stop: () => boolean;

  constructor(limit: BaselineLimit) {
    this.#stop = limit.stop ?? (() => false);
  }

  /** One step. False when it is to be the last. */
  take(): boolean {
    this.taken++;
    if (this.taken % interval === 0 && this.#stop()) this.stopped = true;
    return !this.stopped;
  }

  work(): BaselineWork {
    return { operations: this.taken, finished: !this.stopped };
  }
}
