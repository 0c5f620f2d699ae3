/** How a pool's model meets teams of different size. */
export type Aggregation =
  /** The larger team counts as if it were of mean size: skill per head decides. */
  | 'mean'
  /** Every player adds to the team. */
  | 'sum'
  /** As `mean`, and what being more is worth is learned from results. */
  | 'learned';

/** How much stronger friends are together than alone. */
export type PartyBonus = 'none' | 'fixed' | 'learned';

/** What a pool may learn the worth of beside skill. */
export type Circumstance = 'side' | 'map' | 'venue';

/** What a pool says of how it rates. */
export interface RatingRules {
  /** Name of the model. */
  readonly model: string;
  /** The model's parameters; what is left out has its default. */
  readonly parameters: Readonly<Record<string, number | string>>;
  readonly aggregation: Aggregation;
  readonly circumstances: readonly Circumstance[];
  readonly partyBonus: PartyBonus;
}

/** A step of the ladder that players see instead of a number. */
export interface Division {
  readonly name: string;
  /** The least mean rating of the division; null for the lowest, which has no bound. */
  readonly from: number | null;
}

/** What players see of their rating. */
export interface StandingRules {
  /** So many matches a rating is hidden from its player, and fully trusted meanwhile. */
  readonly shadowMatches: number;
  /** The mean that a player has at most when the shadow ends; null for no cap. */
  readonly shadowCap: number | null;
  /** In ascending order; empty means seven of the start uncertainty's width around the start value. */
  readonly divisions: readonly Division[];
  /** How far past a border a mean must be before the division changes; null for a tenth of the start uncertainty. */
  readonly divisionMargin: number | null;
  /** A rating without a match for so many days is flagged as stale. */
  readonly staleAfterDays: number;
  /** Converged is who is less unsure than this part of a stranger's uncertainty. */
  readonly convergedBelow: number;
}

/** Who may report matches to a pool that the coordinator did not form. */
export interface ReportRules {
  /**
   * Whether servers may report to the pool although a queue matches by it; absent is no. To a pool of no queue they always may,
   * and operators to every pool.
   */
  readonly serverResults?: boolean | undefined;
}

/** Everything about a pool that may change; each version is kept. */
export interface PoolRules extends RatingRules, StandingRules, ReportRules {}

/** A number learned from results, and how sure that is. */
export interface Learned {
  readonly mean: number;
  readonly sd: number;
}

/** What turns a model's own chances into honest ones. A value; each one that was in force is kept with its version. */
export interface Calibration {
  /** Multiplies the log-odds that the model gives. Below 1: the model is too sure of itself. */
  readonly scale: Learned;
  /** Log-odds that each feature is worth to the team that has it. */
  readonly offsets: Readonly<Record<string, Learned>>;
  /** Share of matches that end without a winner. */
  readonly drawRate: number;
  /** How many matches it was learned from. */
  readonly matches: number;
}

/** A rating pool (ladder): one set of ratings under one model. */
export interface RatingPool {
  readonly name: string;
  /** What is played, and with what that changes how it plays: another set of them is another pool. */
  readonly gameMode: string | null;
  readonly modifiers: readonly string[];
  readonly rules: PoolRules;
  readonly calibration: Calibration;
  /** Counts up with each change of rules or calibration; every ledger row names it. */
  readonly version: number;
  /** Counts up with each rebuild; ratings of an older generation are history. */
  readonly generation: number;
}

/** What is known of a match beside who plays, in team order; each part may be absent. */
export interface Situation {
  /** The side each team plays: a faction, home or away. */
  readonly sides?: readonly string[] | undefined;
  readonly map?: string | undefined;
  readonly venue?: string | undefined;
  /** Sizes of the parties in each team, solos left out. */
  readonly parties?: readonly (readonly number[])[] | undefined;
}

/** What happened to one player in a match beyond winning; each model says which of it it lives on. */
export interface PlayerFacts {
  /** Place on the scoreboard over all players of the match, from 1, the best. */
  readonly place?: number | undefined;
  readonly kills?: number | undefined;
  /** Scores of the player's own team, and of the others, while the player was there. */
  readonly scoredFor?: number | undefined;
  readonly scoredAgainst?: number | undefined;
  /** Share of the match spent in command of the team, 0 to 1. */
  readonly command?: number | undefined;
}

/** A part of a match, in milliseconds since it began. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

/** When players were there. */
export interface PlayingTimes {
  /** How long the match took, above 0. */
  readonly lengthMs: number;
  /** By player, in order and apart from one another, within the match. Of who is not named nothing was recorded. */
  readonly stretches: Readonly<Record<string, readonly Stretch[]>>;
}

/** What a server said of a match beyond its ranks. */
export interface Played {
  readonly situation?: Situation | undefined;
  /** Share of the match that each player took part in, 0 to 1, by player. */
  readonly shares?: Readonly<Record<string, number>> | undefined;
  /** The same with when, as far as it was recorded: their shares are among `shares`, with every moment worth the same. */
  readonly times?: PlayingTimes | undefined;
  /** Who came when it had begun: the outcome is theirs, too, but they are no part of what was to be expected. */
  readonly late?: readonly string[] | undefined;
  readonly facts?: Readonly<Record<string, PlayerFacts>> | undefined;
}
