import type { Json } from './json.js';
import type { Played } from './rating-pool.js';
import type { PlacementRules } from './schemas/pool-rules.js';

/** The last fit of a pool. */
export interface PlacementFitRecord {
  /** The generation of the ratings that it was fitted to; that of another one has other ratings. */
  readonly generation: number;
  readonly rules: PlacementRules;
  /** Rated matches of the pool at that time. */
  readonly matches: number;
  /** Those that it was made from, the latest with stats. */
  readonly statsMatches: number;
  /** In the form of libs/skill; null where none could be made. */
  readonly fit: Json | null;
  /** Why newcomers are not placed by it, in words; null: they are. */
  readonly refusal: string | null;
  /** In milliseconds since the epoch. */
  readonly fittedAt: number;
}

/** What a placement reads of a rated match. */
export interface StatsMatch {
  readonly sequence: bigint;
  readonly matchId: string;
  readonly teams: readonly (readonly string[])[];
  readonly ranks: readonly number[];
  readonly facts: Played['facts'];
  readonly stats: Played['stats'];
}

/** The fits of pools, and the matches with stats that they are made from. */
export interface PlacementFitStore {
  /** Null: none was made yet. */
  fit(pool: string): Promise<PlacementFitRecord | null>;
  /** Claims the fit of a pool, for one replica at a time. @returns false if another one has it */
  claim(pool: string, holder: string, leaseMs: number, now: number): Promise<boolean>;
  /** Stores a fit and ends the claim. @returns false if the claim was lost */
  save(pool: string, holder: string, record: PlacementFitRecord): Promise<boolean>;
  /**
   * A page of a pool's ledger before a sequence, latest first.
   *
   * @param before null for the latest
   * @returns its matches with facts or stats that are not void, and where the next page begins; null after the last
   */
  matchesBefore(
    pool: string,
    before: bigint | null,
    limit: number,
  ): Promise<{ readonly matches: readonly StatsMatch[]; readonly next: bigint | null }>;
  /** The same of a player's latest matches. */
  matchesOf(
    pool: string,
    generation: number,
    playerId: string,
    limit: number,
  ): Promise<readonly StatsMatch[]>;
  /** Whether the rules in force of any queue calibrate newcomers of the pool. */
  isCalibrated(pool: string): Promise<boolean>;
}

/** How often the rules of pools were tuned on their own history. */
export interface TuneStore {
  /** Rated matches of the pool at the last tuning; null: it was never tuned. */
  tunedAt(pool: string): Promise<number | null>;
  tuned(pool: string, matches: number, now: number): Promise<void>;
}
