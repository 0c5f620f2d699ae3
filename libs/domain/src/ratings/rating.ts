import type { AspectWorth } from './aspect.js';

/**
 * A player's skill as a Gaussian belief, in the units of the pool's model. Immutable: rating a match returns new values.
 */
export interface SkillBelief {
  /** The mean: the estimated skill. */
  readonly mu: number;
  /** The standard deviation: the uncertainty. Always above 0. */
  readonly sigma: number;
}

/** A player's rating in one pool, as the rating service returns it. */
export interface PlayerRating extends SkillBelief {
  readonly playerId: string;
  /** Matches rated so far; 0 for a newcomer, who has the pool's start value. */
  readonly matches: number;
  /** The pool's start value; absent unless requested. */
  readonly start?: SkillBelief;
  /** What the player counts in a match beside the rating; absent or null unless asked for, and where the pool does not know. */
  readonly worth?: AspectWorth | null | undefined;
}
