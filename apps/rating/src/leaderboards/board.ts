import type { LedgerEnd } from './ledger-feed.store.js';

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
