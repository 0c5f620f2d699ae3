import type { BoosterRules } from './booster.js';
import type { IntegrityRules } from './integrity.js';
import type { AspectRules } from './aspect.js';
import type { PlacementRules } from './placement-fit.js';
import type { Season, SeasonRules } from './season.js';

/** How a pool's model treats teams of different size. */
export type Aggregation =
  /** The larger team counts as if it were of mean size: skill per head decides. */
  | 'mean'
  /** Every player adds to the team. */
  | 'sum'
  /** As `mean`, and the value of a surplus player is learned from results. */
  | 'learned';

/** The additional strength of a party. */
export type PartyBonus = 'none' | 'fixed' | 'learned';

/** Features beside skill whose value a pool may learn. */
export type Circumstance = 'side' | 'map' | 'venue';

/** The rating rules of a pool. */
export interface RatingRules {
  /** Name of the model. */
  readonly model: string;
  /** The model's parameters; absent ones have their default. */
  readonly parameters: Readonly<Record<string, number | string>>;
  readonly aggregation: Aggregation;
  readonly circumstances: readonly Circumstance[];
  readonly partyBonus: PartyBonus;
  /** What players are rated by beside their common skill. Absent or null: nothing. */
  readonly aspects?: AspectRules | null | undefined;
  /**
   * What fewer players mean, and who answers for it. Absent or null, as of pools from before the rule: teams of different
   * size are even until results say otherwise, and who stays answers for who left.
   */
  readonly shortHanded?: ShortHandedRules | null | undefined;
}

/** Teams with fewer players than their opponents, from the start or because some left. */
export interface ShortHandedRules {
  /**
   * Log-odds of a team, for a difference of 1 in the natural logarithm of the team's size, until results tell more. 5 is
   * 75 % for five against four. It counts where the pool learns the effect of size (`aggregation`: `learned`).
   */
  readonly odds: number;
  /**
   * What a player who left early loses: `full` as if everybody had stayed, `share` by the part of the match that was
   * played.
   */
  readonly leavers: 'full' | 'share';
  /** Share of their loss that mates keep whom a leaver left short-handed, 0 to 1; 1: all of it. */
  readonly mates: number;
}

/** A step of the ladder that players see instead of a number. */
export interface Division {
  readonly name: string;
  /** The lowest mean rating of the division; null for the lowest, which has no bound. */
  readonly from: number | null;
}

/** The part of their rating that players see. */
export interface StandingRules {
  /** Number of matches for which a rating is hidden from its player, and fully trusted meanwhile. */
  readonly shadowMatches: number;
  /** The highest mean of a player when the shadow ends; null for no cap. */
  readonly shadowCap: number | null;
  /** In ascending order; empty means seven of the start uncertainty's width around the start value. */
  readonly divisions: readonly Division[];
  /** How far past a border a mean must be before the division changes; null for a tenth of the start uncertainty. */
  readonly divisionMargin: number | null;
  /** A rating without a match for this many days is flagged as stale. */
  readonly staleAfterDays: number;
  /** A player is converged when their uncertainty is below this fraction of a newcomer's. */
  readonly convergedBelow: number;
}

/** What time without a match does to ratings. It is computed when a rating is read or rated, never stored. */
export interface InactivityRules {
  /** Days without a match before anything changes, at least 0. */
  readonly afterDays: number;
  /** Days in which the variance of a fully certain rating grows to that of a newcomer; absent: it stays. */
  readonly forgottenAfterDays?: number | undefined;
  /** Ratings above the lower border of a division fall to it; absent: no mean falls. */
  readonly decay?:
    | {
        /** Name of the lowest division that is affected. */
        readonly division: string;
        /** Fall of the mean per day, in start uncertainties; above 0. */
        readonly perDay: number;
      }
    | undefined;
}

/** What changes ratings beside matches. */
export interface TimeRules {
  /** What happens to ratings of players who do not play. Absent or null: nothing. */
  readonly inactivity?: InactivityRules | null | undefined;
  /** What the start of a season does. Absent or null: the pool has no seasons. */
  readonly season?: SeasonRules | null | undefined;
}

/** Bounds of a number; an absent one is the default of its name. */
export interface StatBounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** What results of a pool's matches must fit. */
export interface ResultRules {
  /** Which teams scores put ahead; `any`: they say nothing about ranks. */
  readonly scores: 'higher-wins' | 'lower-wins' | 'any';
  /** Bounds of players' stats, by name. */
  readonly stats: Readonly<Record<string, StatBounds>>;
}

/** Who may report matches to a pool that the coordinator did not form, and what results must fit. */
export interface ReportRules {
  /** Absent or null: the defaults. */
  readonly results?: ResultRules | null | undefined;
  /**
   * Whether servers may report to the pool although a queue uses it; absent is no. To a pool without a queue they always
   * may, and operators to every pool.
   */
  readonly serverResults?: boolean | undefined;
}

/** What a player may be granted. */
export interface GrantRules {
  /** What boosters do. Absent or null: the pool has none. */
  readonly boosters?: BoosterRules | null | undefined;
}

/** Whether and how a pool watches for cheats. */
export interface WatchRules {
  /** Absent or null: nothing is watched. */
  readonly integrity?: IntegrityRules | null | undefined;
}

/** How newcomers are placed beside their results. */
export interface NewcomerRules {
  /** Placement from stats. Absent or null: results alone place newcomers. */
  readonly placement?: PlacementRules | null | undefined;
}

/** The changeable part of a pool; each version is kept. */
export interface PoolRules
  extends RatingRules, StandingRules, ReportRules, TimeRules, GrantRules, WatchRules, NewcomerRules {}

/** A number learned from results, and its uncertainty. */
export interface Learned {
  readonly mean: number;
  readonly sd: number;
}

/** Corrects a model's own chances. A value; each one that was in force is kept with its version. */
export interface Calibration {
  /** Multiplies the log-odds of the model. Below 1: the model is overconfident. */
  readonly scale: Learned;
  /** Log-odds of each feature for the team that has it. */
  readonly offsets: Readonly<Record<string, Learned>>;
  /** Share of matches that end without a winner. */
  readonly drawRate: number;
  /** Number of matches it was learned from. */
  readonly matches: number;
}

/** A rating pool (ladder): one set of ratings under one model. */
export interface RatingPool {
  readonly name: string;
  /** The game mode and its variants: another combination is another pool. */
  readonly gameMode: string | null;
  readonly modifiers: readonly string[];
  readonly rules: PoolRules;
  readonly calibration: Calibration;
  /** Incremented with each change of rules or calibration; every ledger row names it. */
  readonly version: number;
  /** Incremented with each rebuild; ratings of an older generation are history. */
  readonly generation: number;
  /** The seasons that have begun, in order; absent: none. */
  readonly seasons?: readonly Season[] | undefined;
}

/** Facts of a match beside its players, in team order; each part may be absent. */
export interface Situation {
  /** The side each team plays: a faction, home or away. */
  readonly sides?: readonly string[] | undefined;
  readonly map?: string | undefined;
  readonly venue?: string | undefined;
  /** Sizes of the parties in each team, solos left out. */
  readonly parties?: readonly (readonly number[])[] | undefined;
}

/** Facts of one player in a match beyond winning; each model uses some of them. */
export interface PlayerFacts {
  /** Place on the scoreboard over all players of the match, from 1, the best. */
  readonly place?: number | undefined;
  readonly kills?: number | undefined;
  readonly deaths?: number | undefined;
  readonly assists?: number | undefined;
  /** Points of the game's own measure of performance. */
  readonly power?: number | undefined;
  /** Scores of the player's own team, and of the others, while the player was present. */
  readonly scoredFor?: number | undefined;
  readonly scoredAgainst?: number | undefined;
  /** Share of the match spent in command of the team, 0 to 1. */
  readonly command?: number | undefined;
  /** The role that the player had, for a pool that rates roles. */
  readonly role?: string | undefined;
}

/** What a game counts of a player in a match, by name: numbers, and categories such as a hero or a role. */
export type PlayerStats = Readonly<Record<string, number | string>>;

/** A part of a match, in milliseconds since it began. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

/** When players were present. */
export interface PlayingTimes {
  /** The length of the match, above 0. */
  readonly lengthMs: number;
  /** By player, ordered and disjoint, within the match. Players who are missing have no record. */
  readonly stretches: Readonly<Record<string, readonly Stretch[]>>;
}

/** A server's facts of a match beyond its ranks. */
export interface Played {
  readonly situation?: Situation | undefined;
  /** Share of the match that each player took part in, 0 to 1, by player. */
  readonly shares?: Readonly<Record<string, number>> | undefined;
  /** The same with times, where they were recorded: their shares are among `shares`, with every moment of equal weight. */
  readonly times?: PlayingTimes | undefined;
  /** Players who joined after the start: the outcome counts for them, but they are not part of the expectation. */
  readonly late?: readonly string[] | undefined;
  /** Players of the roster who never connected: they are not rated. */
  readonly absent?: readonly string[] | undefined;
  readonly facts?: Readonly<Record<string, PlayerFacts>> | undefined;
  /** The score of each team. It changes no rating. */
  readonly scores?: readonly number[] | undefined;
  /** By player. They change no rating by themselves; the placement of newcomers uses them. */
  readonly stats?: Readonly<Record<string, PlayerStats>> | undefined;
  /** Where it was played; leaderboards by region use it, ratings do not. */
  readonly region?: string | undefined;
}
