/** The part of a calibration search that a store uses. The rest belongs to the search algorithm. */
export interface LevelSearch {
  /** Matches counted so far, and the total. */
  readonly matches: number;
  readonly of: number;
}

/** The effect of a match on a search. `ignored`: it was counted before, or no search of this player is open. */
export type SearchMoved = 'moved' | 'concluded' | 'ignored';

/** A concluded search whose player has no rating from it yet. */
export interface ConcludedSearch<S extends LevelSearch> {
  readonly pool: string;
  readonly playerId: string;
  readonly search: S;
}

/**
 * The calibration searches of newcomers, one per player and pool, for good: a player who had one gets no second. A search
 * is
 * `open`, then `concluded` by its last match, then `seeded`, or `dropped` when no rating can be set. All times are
 * milliseconds since the epoch.
 */
export interface CalibrationStore<S extends LevelSearch = LevelSearch> {
  /** The open searches of some players; players without one are missing. */
  open(pool: string, playerIds: readonly string[]): Promise<ReadonlyMap<string, S>>;
  /**
   * Begins this search for each of these players who never had one in the pool. Of concurrent callers, one begins it.
   *
   * @returns the open searches afterwards, as `open` does
   */
  begin(pool: string, playerIds: readonly string[], search: S, now: number): Promise<ReadonlyMap<string, S>>;
  /**
   * Counts a match exactly once, for any repetition and order of matches. The last one concludes the search in the same
   * step.
   *
   * @param apply the search after the match; pure, since it may run again
   */
  move(
    pool: string,
    playerId: string,
    matchId: string,
    apply: (search: S) => S,
    now: number,
  ): Promise<SearchMoved>;
  /** The searches of some players in any state; players who never had one are missing. */
  searches(pool: string, playerIds: readonly string[]): Promise<ReadonlyMap<string, S>>;
  /** Searches that are concluded and neither seeded nor dropped, oldest first. */
  concluded(limit: number): Promise<ConcludedSearch<S>[]>;
  /** Marks a search as seeded. No effect unless it is concluded. */
  seeded(pool: string, playerId: string, now: number): Promise<void>;
  /** Marks a search as dropped. No effect unless it is concluded. */
  dropped(pool: string, playerId: string, now: number): Promise<void>;
}
