/** A job enqueued in a commit, to be sent afterwards. */
export interface OutboxEntry {
  readonly id: string;
  readonly queue: string;
  readonly jobId: string;
  readonly payload: unknown;
}

/** Jobs that were enqueued in commits and are not sent yet. */
export interface Outbox {
  /**
   * Sends the oldest entries of an owner and deletes those that `send` accepted; entries that another relay holds are
   * skipped. Delivery is at least once: a crash in between repeats an entry.
   *
   * @returns how many were sent
   */
  relay(
    owner: string,
    limit: number,
    send: (entries: readonly OutboxEntry[]) => Promise<void>,
  ): Promise<number>;

  /** Whether an owner has no entries. Cheaper than `relay`. */
  isEmpty(owner: string): Promise<boolean>;
}

/** Jobs that were sent a short while ago. */
export interface SentOutbox {
  /** Some of an owner's sent jobs after an id, in the order of their ids. */
  sentAfter(owner: string, after: string, limit: number): Promise<readonly OutboxEntry[]>;
  /**
   * Deletes jobs of an owner that were sent longer ago than `olderMs`.
   *
   * @returns how many, at most `limit`
   */
  forget(owner: string, olderMs: number, limit: number): Promise<number>;
}
