/** An operator keeps a player from all queues for a time. Times are milliseconds since the epoch. */
export interface Ban {
  readonly playerId: string;
  /** The operator's words, for the player. */
  readonly reason: string;
  readonly since: number;
  readonly until: number;
  readonly by: string;
}
