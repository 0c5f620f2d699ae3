import type { Json } from './json.js';
import type { Message, Said } from './messages/message.js';
import type { Calibration, Played, PoolRules, RatingPool } from './rating-pool.js';
import type { SkillBelief } from './rating.js';

/** A match as the ledger keeps it: all that rating it needs. */
export interface MatchEvent {
  readonly kind: 'match';
  /** The match's id. */
  readonly eventId: string;
  /** When it ended, in milliseconds since the epoch. */
  readonly at: number;
  /** Player ids by team. */
  readonly teams: readonly (readonly string[])[];
  readonly ranks: readonly number[];
  readonly played?: Played | undefined;
}

/** A rating that somebody gave: an operator, or the end of a calibration. */
export interface GivenEvent {
  readonly kind: 'set' | 'seed';
  readonly eventId: string;
  readonly at: number;
  readonly playerId: string;
  /** In the units of `model`. */
  readonly mu: number;
  /** null leaves the player as unsure as they are when it takes effect. */
  readonly sigma: number | null;
  readonly model: string;
  /** The same in start uncertainties from the start value, for a rebuild under a model of other units. */
  readonly level: number;
  readonly doubt: number | null;
  readonly by: string;
  /** An operator's text, or messages. */
  readonly reason: Said;
}

/** A player becomes a stranger again. */
export interface ResetEvent {
  readonly kind: 'reset';
  readonly eventId: string;
  readonly at: number;
  readonly playerId: string;
  readonly by: string;
  readonly reason: string;
}

export type RatingEvent = MatchEvent | GivenEvent | ResetEvent;

/** One player's row in a pool. */
export interface StoredRating {
  /** As the pool's model writes it. */
  readonly state: Json;
  /** Matches rated so far. */
  readonly matches: number;
  readonly division: string | null;
  /** When the last match ended, in milliseconds since the epoch. */
  readonly lastRatedAt: number | null;
}

/** What a pool said of a match before it rated it. */
export interface Forecast {
  /** The model's own chances, and the calibrated ones, in team order. */
  readonly raw: readonly number[];
  readonly chances: readonly number[];
  readonly draw: number;
  readonly features: readonly Readonly<Record<string, number>>[];
  /** Sum over the players of what the match moved their means by. */
  readonly drift: number;
  readonly newcomers: number;
  /** How many more players are converged than before. */
  readonly converged: number;
}

/** What an event does to the ratings of its players. */
export interface Applied {
  readonly players: readonly {
    readonly playerId: string;
    readonly team: number | null;
    readonly rating: StoredRating;
    /** For the ledger: the belief with whatever else the model shows of a state. */
    readonly before: Json;
    readonly after: Json;
    readonly believed: SkillBelief;
  }[];
  readonly forecast: Forecast | null;
}

/** What a pool's rules make of an event. Pure; run inside the transaction that rates, and by rebuilds. */
export interface Rater {
  /** @throws MatchUnratable when the pool's model cannot take the match */
  apply(pool: RatingPool, event: RatingEvent, ratings: ReadonlyMap<string, StoredRating>): Applied;
}

export type RateResult =
  | {
      readonly outcome: 'rated';
      readonly event: MatchEvent;
      readonly pool: RatingPool;
      readonly applied: Applied;
    }
  /** The pool's model cannot take it: the match is void and its players are free. */
  | { readonly outcome: 'unratable'; readonly reason: string }
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
  readonly played: Played;
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

/** One line of a player's history in a pool. */
/** From a time, which is in it, to another, which is not; without one of them it has no such end. */
export interface TimeRange {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface RatingHistoryRow {
  readonly sequence: number;
  readonly kind: 'match' | 'void' | 'set' | 'reset' | 'season' | 'decay' | 'seed';
  readonly eventId: string;
  readonly at: number;
  readonly by: string | null;
  readonly reason: string | null;
  /** The messages of `reason`; absent where it is an operator's text, or a release before wrote it. */
  readonly messages?: readonly Message[] | undefined;
  readonly version: number;
  readonly before: Json;
  readonly after: Json;
}

export interface NewPool {
  readonly name: string;
  readonly gameMode: string | null;
  readonly modifiers: readonly string[];
  readonly rules: PoolRules;
  readonly calibration: Calibration;
}

export type VoidResult =
  /** It counted, and counts no more once the pool is rebuilt. */
  | { readonly outcome: 'void'; readonly pool: string }
  /** It was over and not rated yet: nothing is to be undone. */
  | { readonly outcome: 'dropped' }
  | { readonly outcome: 'again'; readonly pool: string }
  | { readonly outcome: 'not-over'; readonly state: string }
  | { readonly outcome: 'unknown' };

/** Who declares a match void, why, and the id of the rebuild that this asks for. */
export interface VoidSaid {
  readonly by: string;
  readonly reason: string;
  readonly rebuildId: string;
}

/** A rated match as pool health and calibration see it. */
export interface RatedMatch {
  readonly sequence: number;
  readonly at: number;
  readonly ranks: readonly number[];
  readonly raw: readonly number[];
  readonly chances: readonly number[];
  readonly features: readonly Readonly<Record<string, number>>[];
  readonly drift: number;
  readonly newcomers: number;
  readonly converged: number;
}

/** What happened before the matches of a page, added up. */
export interface RatedBefore {
  readonly matches: number;
  readonly drift: number;
  readonly newcomers: number;
  readonly converged: number;
}

/** Pools, their ratings and the append-only ledger. Each method is one transaction. */
export interface LedgerStore {
  pools(): Promise<RatingPool[]>;
  /** @throws UnknownPool */
  pool(name: string): Promise<RatingPool>;
  /** Creates a pool; one that is there already is left as it is. */
  createPool(pool: NewPool): Promise<{ pool: RatingPool; created: boolean }>;
  /**
   * Puts a new version of a pool's rules or calibration in force, if `from` is still the one in force and no rebuild runs.
   *
   * @returns the pool after it, or null when another was faster or a rebuild runs
   */
  changePool(
    from: RatingPool,
    rules: PoolRules,
    calibration: Calibration,
    why: Said,
  ): Promise<RatingPool | null>;

  /** A pool with the ratings of some players; those without one are left out. @throws UnknownPool */
  ratings(
    pool: string,
    playerIds: readonly string[],
  ): Promise<{ pool: RatingPool; ratings: ReadonlyMap<string, StoredRating> }>;
  /** Ratings in the order of player ids, after an id. */
  page(pool: RatingPool, after: string, limit: number): Promise<(StoredRating & { playerId: string })[]>;
  /** Ratings of bots, by player id; `limit` of them at the most. */
  bots(pool: RatingPool, limit: number): Promise<ReadonlyMap<string, StoredRating>>;
  changes(matchIds: readonly string[]): Promise<LedgerRow[]>;
  /** Changes of a player's rating, newest first; of those of a time range where one is given. */
  history(pool: RatingPool, playerId: string, limit: number, range?: TimeRange): Promise<RatingHistoryRow[]>;

  /** Rates an ended match, closes it and frees its players; exactly once. */
  rateMatch(matchId: string, rater: Rater, now: number): Promise<RateResult>;
  /** Rates a reported match; exactly once for its external id. @throws MatchUnratable, and then nothing is stored */
  rateReported(match: ReportedMatch, rater: Rater, now: number): Promise<ReportedRated>;
  /** Sets, seeds or resets a rating; exactly once for its event id. @returns whether it counted now */
  record(pool: string, event: GivenEvent | ResetEvent, rater: Rater, now: number): Promise<boolean>;
  /** Takes a match out. What it did to the ratings goes with a rebuild, asked for in the same step unless one runs already. */
  voidMatch(matchId: string, said: VoidSaid, now: number): Promise<VoidResult>;
  /** Ended matches that still are not rated, for a reconciler. */
  endedBefore(time: number, limit: number): Promise<string[]>;

  /** The latest rated matches of the pool's generation, oldest first, and what came before them. */
  rated(pool: RatingPool, limit: number): Promise<{ before: RatedBefore; matches: RatedMatch[] }>;
  /** How many matches were rated in this generation, and how many of them under this version. */
  ratedCount(pool: RatingPool): Promise<{ matches: number; underVersion: number }>;
}
