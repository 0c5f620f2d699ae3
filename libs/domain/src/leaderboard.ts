import type { RatingPool } from './rating-pool.js';

/** A board of one pool: everybody with a visible rating, or those of one region. */
export interface BoardName {
  readonly pool: string;
  /** null: all regions. */
  readonly region: string | null;
}

/** A player on a board. */
export interface BoardPlace {
  readonly playerId: string;
  /** From 1; equal ratings share one. */
  readonly rank: number;
  /** The mean of the rating. */
  readonly mu: number;
}

/** Some places of a board, in its order. */
export interface BoardPage {
  /** The season that runs, from 1; 0 before the first. */
  readonly season: number;
  /** Players on the board. */
  readonly players: number;
  readonly places: readonly BoardPlace[];
}

/** Places of a board to read. */
export type BoardQuestion =
  /** From a position, counted from 1, downwards. */
  | { readonly kind: 'top'; readonly from: number; readonly limit: number }
  /** A player with neighbours: half of them above where possible. Nobody if the player is not on the board. */
  | { readonly kind: 'around'; readonly playerId: string; readonly limit: number }
  /** Those of these players who are on the board. */
  | { readonly kind: 'players'; readonly playerIds: readonly string[] };

/** Reads boards. They are copies of the ratings: a board that was lost is made again. */
export interface LeaderboardStore {
  /**
   * @param now milliseconds since the epoch; who has not played for too long by then is taken off
   * @returns null while there is no board of the pool; asking is what gets it made
   */
  read(name: BoardName, question: BoardQuestion, now: number): Promise<BoardPage | null>;
}

/** The last display names of players. Ids identify; names are for people. */
export interface PlayerNames {
  /** @returns the names that are known, by player */
  of(playerIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Stores names as the last ones seen. */
  note(names: ReadonlyMap<string, string>): Promise<void>;
}

/** A player of a board, or one who is not on it. */
export interface BoardEntry {
  readonly playerId: string;
  /** null: not on the board. */
  readonly mu: number | null;
  readonly region: string | null;
  /** When the player has not played for too long, in milliseconds since the epoch; null: never. */
  readonly leavesAt: number | null;
}

/** A board as it is made and kept. */
export interface BoardBuild {
  readonly id: string;
  /** The generation, season and rules that it was made for, as a text. */
  readonly madeFor: string;
  /** The last player who was read while it is being made. */
  readonly through: string;
  /** Every event of the ledger up to this number is in it. */
  readonly safe: string;
  /** Events after `safe` were read up to this one; others with lower numbers may be committed later. */
  readonly seen: string;
  /** Events up to the `last` of this end of the ledger are awaited; null: none. */
  readonly awaited: LedgerEnd | null;
}

/** How far a build is after some entries. */
export type BoardProgress = Partial<Pick<BoardBuild, 'through' | 'safe' | 'seen' | 'awaited'>>;

/** What one process keeps of a pool's board. */
export interface KeptBoard {
  readonly live: BoardBuild | null;
  readonly next: BoardBuild | null;
}

/**
 * Where boards are kept. One process at a time keeps the board of a pool; a stalled one can write nothing once another took
 * over.
 */
export interface BoardKeeping {
  /** The pools with a board, and when each was last asked for, to a minute. */
  asked(): Promise<readonly { readonly pool: string; readonly at: number }[]>;
  /** Takes or renews the right to keep a board. @returns null while another process has it */
  keep(pool: string): Promise<KeptBoard | null>;
  /** Begins to make a board, which is filled when what it awaits is final. @returns false when another process has taken over */
  begin(
    pool: string,
    build: Pick<BoardBuild, 'id' | 'madeFor' | 'awaited'>,
    season: number,
  ): Promise<boolean>;
  /**
   * Writes entries, and how far the build is with them. A prefix of the entries may be written when it fails.
   *
   * @returns false when another process has taken over
   */
  write(
    pool: string,
    build: BoardBuild,
    entries: readonly BoardEntry[],
    done: BoardProgress,
  ): Promise<boolean>;
  /** Puts a finished build in the place of the one that is read. */
  finish(pool: string, buildId: string): Promise<void>;
  /** Takes off some of the players who have not played for too long. @returns whether there may be more */
  sweep(pool: string, buildId: string, now: number): Promise<boolean>;
  /** Removes the board unless it was asked for since. */
  drop(pool: string, askedBefore: number): Promise<boolean>;
}

/** An end of the ledger: all events up to `last` are final when the transactions before the fence are over. */
export interface LedgerEnd {
  readonly last: bigint;
  readonly fence: bigint;
}

/** Players of events, and the last event of them. */
export interface ChangedPlayers {
  readonly playerIds: readonly string[];
  readonly last: bigint | null;
  /** Whether there may be more events. */
  readonly more: boolean;
}

/**
 * Reads which ratings the ledger changed. Events are numbered in the order in which transactions draw the numbers, and
 * committed in any order, so an event with a lower number may still appear.
 */
export interface LedgerFeed {
  /** The number of the last event that is committed, of all pools; 0 for none. */
  last(): Promise<bigint>;
  end(): Promise<LedgerEnd>;
  /** Whether all transactions before a fence are over. */
  over(fence: bigint): Promise<boolean>;
  /** The players of a pool's next events after one. */
  after(
    pool: Pick<RatingPool, 'name' | 'generation'>,
    sequence: bigint,
    limit: number,
  ): Promise<ChangedPlayers>;
}
