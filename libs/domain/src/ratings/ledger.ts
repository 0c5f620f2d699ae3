import type { Boost } from './booster.js';
import type { AspectSkill } from './aspect.js';
import type { Json } from '../json.js';
import type { Message, Explanation } from '../messages/message.js';
import type { Calibration, Played, RatingPool } from './rating-pool.js';
import type { PoolRules, SeasonRules } from '../schemas/pool-rules.js';
import type { SkillBelief } from './rating.js';
import type { FinalStanding } from './season.js';

/** What every event of the ledger has. */
interface Recorded {
  /** Of a match its id. */
  readonly eventId: string;
  /** When it took place, of a match when it ended; milliseconds since the epoch. */
  readonly at: number;
}

/** A match in the ledger's form: all inputs of its rating. */
export interface MatchEvent extends Recorded {
  readonly kind: 'match';
  /** Player ids by team. */
  readonly teams: readonly (readonly string[])[];
  readonly ranks: readonly number[];
  readonly played?: Played | undefined;
  /** Boosters whose matches this one was, by player; absent: nobody's. */
  readonly boosted?: Readonly<Record<string, Boost>> | undefined;
}

/** A rating set by an operator, or by the end of a calibration. */
export interface GivenEvent extends Recorded {
  readonly kind: 'set' | 'seed';
  readonly playerId: string;
  /** In the units of `model`. */
  readonly mu: number;
  /** null keeps the player's uncertainty at the time when it takes effect. */
  readonly sigma: number | null;
  readonly model: string;
  /** The same in start uncertainties from the start value, for a rebuild under a model with other units. */
  readonly level: number;
  readonly doubt: number | null;
  readonly by: string;
  /** An operator's text, or messages. */
  readonly reason: Explanation;
}

/** Resets a player to a newcomer. */
export interface ResetEvent extends Recorded {
  readonly kind: 'reset';
  readonly playerId: string;
  readonly by: string;
  readonly reason: string;
}

/** A signal of integrity raises the uncertainty of a player. It changes no mean. */
export interface SignalEvent extends Recorded {
  readonly kind: 'signal';
  readonly playerId: string;
  /** The least uncertainty afterwards, as a share of a newcomer's, 0 to 1. */
  readonly uncertainty: number;
  readonly by: string;
  readonly reason: Explanation;
}

/** A season begins for all players of the pool. */
export interface SeasonEvent extends Recorded {
  readonly kind: 'season';
  readonly number: number;
  readonly name: string;
  readonly rules: SeasonRules;
  /** As `everyPart` of a season. */
  readonly everyPart?: true | undefined;
  readonly by: string;
  readonly reason: Explanation;
}

/** An event that changes the ratings of the players in it. */
export type PlayerEvent = MatchEvent | GivenEvent | ResetEvent | SignalEvent;

export type RatingEvent = PlayerEvent | SeasonEvent;

/** One player's row in a pool. */
export interface StoredRating {
  /** In the format of the pool's model. */
  readonly state: Json;
  /** Matches rated so far. */
  readonly matches: number;
  readonly division: string | null;
  /** When the last match ended, in milliseconds since the epoch. */
  readonly lastRatedAt: number | null;
  /** When it was last set, or found by a calibration, in milliseconds since the epoch; absent: never. */
  readonly setAt?: number | null | undefined;
  /** The season in which it was last changed; absent: before the first. */
  readonly season?: number | undefined;
  /** Matches rated in that season; absent before the first, when all were. */
  readonly seasonMatches?: number | undefined;
  /** Where the last match was played, of those with a region; absent: none had. */
  readonly region?: string | undefined;
  /** Skill by side, map, venue or role, the one played longest ago first; absent: the pool rates none, or none was played. */
  readonly aspects?: readonly AspectSkill[] | undefined;
}

/** A pool's prediction for a match before rating it. */
export interface Forecast {
  /** The model's own chances, and the calibrated ones, in team order. */
  readonly raw: readonly number[];
  readonly chances: readonly number[];
  readonly draw: number;
  readonly features: readonly Readonly<Record<string, number>>[];
  /** Sum over the players of the change of their means. */
  readonly drift: number;
  readonly newcomers: number;
  /** Increase in the number of converged players. */
  readonly converged: number;
}

/** The effect of an event on the ratings of its players. */
export interface Applied {
  readonly players: readonly {
    readonly playerId: string;
    readonly team: number | null;
    readonly rating: StoredRating;
    /** For the ledger: the belief with the model's other visible state. */
    readonly before: Json;
    readonly after: Json;
    readonly believed: SkillBelief;
    /** The player's standing in an earlier season, which this is the first event after. */
    readonly ended?: FinalStanding | undefined;
  }[];
  readonly forecast: Forecast | null;
}

export type RateResult =
  | {
      readonly outcome: 'rated';
      readonly event: MatchEvent;
      readonly pool: RatingPool;
      readonly applied: Applied;
    }
  /** The pool's model cannot rate it: the match is void and its players are released. */
  | { readonly outcome: 'unratable'; readonly reason: string }
  /** It was rated, abandoned or voided before: this call had no effect. */
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

/** A time range: `from` inclusive, `to` exclusive; an absent bound is open. */
export interface TimeRange {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** One line of a player's history in a pool. */
export interface RatingHistoryRow {
  readonly sequence: number;
  readonly kind: 'match' | 'void' | 'rebuild' | 'set' | 'reset' | 'season' | 'decay' | 'seed' | 'signal';
  readonly eventId: string;
  readonly at: number;
  readonly by: string | null;
  readonly reason: string | null;
  /** The messages of `reason`; absent where it is an operator's text, or the previous release wrote it. */
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
  /** It counted, and no longer counts once the pool is rebuilt. */
  | { readonly outcome: 'void'; readonly pool: string }
  /** It was over and not rated yet: nothing has to be undone. */
  | { readonly outcome: 'dropped' }
  /** `pool`: null when it was void without having been rated. */
  | { readonly outcome: 'again'; readonly pool: string | null }
  | { readonly outcome: 'not-over'; readonly state: string }
  | { readonly outcome: 'unknown' };

/** Who declares a match void, why, and the id of the rebuild that this requests. */
export interface VoidRequest {
  /** Whether players stay penalised for the match; `drop` when absent. */
  readonly penalties?: 'keep' | 'drop' | undefined;
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

/** Totals over the matches before a page. */
export interface RatedBefore {
  readonly matches: number;
  readonly drift: number;
  readonly newcomers: number;
  readonly converged: number;
}
