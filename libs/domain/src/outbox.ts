/** A job enqueued in a commit, to be sent afterwards. */
export interface OutboxEntry {
  readonly id: string;
  readonly queue: string;
  readonly jobId: string;
  readonly payload: unknown;
}
