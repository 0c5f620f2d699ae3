import type { PlayerFacts } from '../schemas/player-facts.js';
import type { PoolRules } from '../schemas/pool-rules.js';
import type { Season } from './season.js';

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
