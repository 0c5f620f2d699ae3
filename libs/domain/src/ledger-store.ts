import type { PlayerRating, RatingPool, SkillBelief } from './rating.js';

/** Beliefs by team, in team order. */
export type Beliefs = readonly (readonly SkillBelief[])[];

/** What a pool's model makes of a match. Pure; run inside the transaction that rates. */
export interface RateMatch {
  /** What is believed of a stranger. */
  initial(pool: RatingPool): SkillBelief;
  predict(pool: RatingPool, teams: Beliefs): number[];
  rate(pool: RatingPool, teams: Beliefs, ranks: readonly number[]): SkillBelief[][];
}

export type RateResult =
  | { readonly outcome: 'rated' }
  /** It was rated, abandoned or voided before: nothing happened now. */
  | { readonly outcome: 'closed' }
  | { readonly outcome: 'not-ended' };

/** A result of a match that the coordinator did not form. */
export interface ReportedMatch {
  readonly matchId: string;
  readonly externalId: string;
  readonly pool: string;
  readonly playedAt: number;
  readonly teams: readonly (readonly string[])[];
  readonly ranks: readonly number[];
  readonly digest: string;
  readonly reportedBy: string;
}

export interface ReportedRated {
  readonly outcome: 'rated' | 'again' | 'contradicts';
  readonly matchId: string;
  readonly prediction: readonly number[];
}

export interface LedgerRow {
  readonly matchId: string;
  readonly playerId: string;
  readonly before: SkillBelief;
  readonly after: SkillBelief;
}

/** Ratings and their append-only ledger. Each method is one transaction. */
export interface LedgerStore {
  pools(): Promise<RatingPool[]>;
  /** @throws UnknownPool */
  pool(name: string): Promise<RatingPool>;
  /** Creates a pool; one that is there already is left as it is. */
  createPool(
    name: string,
    model: string,
    parameters: Readonly<Record<string, number>>,
  ): Promise<{ pool: RatingPool; created: boolean }>;
  /** A pool with the ratings of some players; those without one are left out. @throws UnknownPool */
  ratings(pool: string, playerIds: readonly string[]): Promise<{ pool: RatingPool; ratings: PlayerRating[] }>;
  /** Ratings in the order of player ids, after an id. */
  page(pool: RatingPool, after: string, limit: number): Promise<PlayerRating[]>;
  changes(matchIds: readonly string[]): Promise<LedgerRow[]>;
  /** Rates an ended match, closes it and frees its players; exactly once. */
  rateMatch(matchId: string, model: RateMatch, now: number): Promise<RateResult>;
  /** Rates a reported match; exactly once for its external id. */
  rateReported(match: ReportedMatch, model: RateMatch, now: number): Promise<ReportedRated>;
  /** Ended matches that still are not rated, for a reconciler. */
  endedBefore(time: number, limit: number): Promise<string[]>;
}
