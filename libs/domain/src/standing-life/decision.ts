/** What comes of a request about the standing of players. Nothing follows that is enqueued. */
export interface StandingDecision<Outcome, Change> {
  readonly outcome: Outcome;
  /** Null: the request changes nothing. */
  readonly changes: Change | null;
}
