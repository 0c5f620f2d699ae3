/** A booster in a match: where its player plays in place of the own division. */
export interface BoosterInUse {
  readonly boosterId: string;
  readonly division: string;
  /** Whether the division is above the player's own: the player is an apprentice there. */
  readonly higher: boolean;
}

/** A booster that can be used now. */
export interface UsableBooster extends BoosterInUse {
  /** The level at which opponents are sought, in the units of the pool's model. */
  readonly level: number;
}

/** The effect of a booster on a rated match: an input of its rating, and what counts its matches. */
export interface Boost {
  readonly boosterId: string;
  readonly kFactor: number;
}
