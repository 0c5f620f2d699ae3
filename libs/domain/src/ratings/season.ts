import type { SeasonRules } from '../schemas/pool-rules.js';

/** A season that has begun. */
export interface Season extends SeasonRules {
  /** From 1. The time before the first season counts as season 0. */
  readonly number: number;
  readonly name: string;
  /** In milliseconds since the epoch. */
  readonly startedAt: number;
  /** Its place in the ledger: events with a higher sequence belong to this season or a later one. */
  readonly sequence: number;
  /**
   * Whether it resets every part of a state. Absent of a season that began under an earlier release: it could lose what a
   * model keeps beside the mean and the uncertainty, and a rebuild finds the same ratings.
   */
  readonly everyPart?: true | undefined;
}

/** A player's last standing in a season. Bots and erased players have none. */
export interface FinalStanding {
  readonly season: number;
  readonly playerId: string;
  readonly mu: number;
  readonly sigma: number;
  /** The conservative number of the pool's model. */
  readonly display: number;
  /** Rated matches in the season. */
  readonly matches: number;
  readonly division: string;
  /** Whether the division was still hidden at the end; a hidden standing has no rank. */
  readonly hidden: boolean;
  /** Whether the player had not played for too long at the end, and was off the leaderboard; such a standing has no rank. */
  readonly away: boolean;
}

/** A final standing with its rank. */
export interface RankedStanding extends Omit<FinalStanding, 'season' | 'display' | 'away'> {
  readonly rank: number | null;
}
