/**
 * A player's skill as a Gaussian belief, in the units of the pool's model.
 * Immutable: rating a match gives new values and leaves the old ones alone.
 */
export interface SkillBelief {
  /** The mean: where we think the player stands. */
  readonly mu: number;
  /** The standard deviation: how unsure we are. Always above 0. */
  readonly sigma: number;
}

/** What the rating service tells others about one player in one pool. */
export interface PlayerRating extends SkillBelief {
  readonly playerId: string;
  /** Matches rated so far; 0 for a stranger, who has the pool's start value. */
  readonly matches: number;
  /** What the pool believes of a stranger; left out where nobody asks for it. */
  readonly start?: SkillBelief;
}

/** Reads current ratings. The queue asks it at enqueue, assignment again when it splits. */
export interface RatingReader {
  /**
   * @param playerIds any number of players; strangers get the pool's start value
   * @returns one rating a player, in the order asked
   * @throws RatingUnavailable when the rating service cannot answer in time
   * @throws UnknownPool when no such pool exists
   */
  ratingsOf(pool: string, playerIds: readonly string[]): Promise<PlayerRating[]>;
}
