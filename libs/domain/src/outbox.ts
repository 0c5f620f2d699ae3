/** A promise made in a commit: a job to be sent. */
export interface OutboxEntry {
  readonly id: string;
  readonly queue: string;
  readonly jobId: string;
  readonly payload: unknown;
}

/** What commits promised and is not sent yet. */
export interface Outbox {
  /**
   * Sends the oldest entries of an owner and forgets those that `send` took; entries that another relay holds are passed over.
   * An entry may be sent twice (if the process dies in between), never not at all.
   *
   * @returns how many were sent
   */
  relay(
    owner: string,
    limit: number,
    send: (entries: readonly OutboxEntry[]) => Promise<void>,
  ): Promise<number>;
}
