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

/** What an operator says of a booster. */
export interface NewBooster {
  readonly boosterId: string;
  readonly pool: string;
  readonly playerId: string;
  readonly division: string;
  readonly matches: number;
  /** As the pool's rules were when it was granted. */
  readonly kFactor: number;
  readonly by: string;
  readonly reason: string;
}

/** A booster of a player. Times are milliseconds since the epoch. */
export interface Booster extends NewBooster {
  /** Rated matches with it, without void ones. */
  readonly used: number;
  readonly grantedAt: number;
  readonly revokedAt: number | null;
  /** Who revoked it, and why; null while nobody has. */
  readonly revoked: { readonly by: string; readonly reason: string } | null;
}

/** Whether a booster has matches left and is not revoked. */
export function isOpen({
  used,
  matches,
  revokedAt,
}: Pick<Booster, 'used' | 'matches' | 'revokedAt'>): boolean {
  return used < matches && revokedAt === null;
}

export type GrantResult =
  /** `again`: it was granted before, and is as it is. */
  | { readonly outcome: 'granted' | 'again'; readonly booster: Booster }
  /** The player has an open one in this pool. */
  | { readonly outcome: 'has-one'; readonly booster: Booster };
