/** What a store must know of the search for a newcomer's level. The rest is the business of whoever searches. */
export interface LevelSearch {
  /** Matches counted so far, and how many there are to be. */
  readonly matches: number;
  readonly of: number;
}

/** What a match did to a search. `ignored`: it had counted before, or no search of this player is open. */
export type SearchMoved = 'moved' | 'concluded' | 'ignored';

/** A search that has had all its matches and whose player has not been given a rating for it yet. */
export interface ConcludedSearch<S extends LevelSearch> {
  readonly pool: string;
  readonly playerId: string;
  readonly search: S;
}

/**
 * The searches for the levels of newcomers, one a player and pool, for good: who has had one gets no second. A search is
 * `open`, then `concluded` by its last match, then `seeded`, or `dropped` when no rating can be given for it. All times are
 * milliseconds since the epoch.
 */
export interface CalibrationStore<S extends LevelSearch = LevelSearch> {
  /** The open searches of some players; those who have none are left out. */
  open(pool: string, playerIds: readonly string[]): Promise<ReadonlyMap<string, S>>;
  /**
   * Begins this search for each of these players who never had one in the pool. Of several at once, one begins it.
   *
   * @returns what is open for them afterwards, as `open` does
   */
  begin(pool: string, playerIds: readonly string[], search: S, now: number): Promise<ReadonlyMap<string, S>>;
  /**
   * Counts a match, exactly once however often and in whatever order matches come. The last one concludes the search in the
   * same step.
   *
   * @param apply the search after the match; pure, for it may run again
   */
  move(
    pool: string,
    playerId: string,
    matchId: string,
    apply: (search: S) => S,
    now: number,
  ): Promise<SearchMoved>;
  /** The searches of some players, whatever became of them; those who never had one are left out. */
  searches(pool: string, playerIds: readonly string[]): Promise<ReadonlyMap<string, S>>;
  /** Searches that are concluded and no more than that, longest ago first. */
  concluded(limit: number): Promise<ConcludedSearch<S>[]>;
  /** The rating was given. No effect unless the search is concluded. */
  seeded(pool: string, playerId: string, now: number): Promise<void>;
  /** No rating can be given. No effect unless the search is concluded. */
  dropped(pool: string, playerId: string, now: number): Promise<void>;
}
