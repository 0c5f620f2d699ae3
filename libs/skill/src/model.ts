import type { Json, PlayerFacts, SkillBelief, Stretch } from '@muster/domain';
import type { ParameterSpecs, ValuesOf } from './parameters.js';

export type { Json, PlayerFacts } from '@muster/domain';

/** A model's state of one player in one pool: an immutable value that is opaque to callers. `write` converts it to JSON. */
export type SkillState = object;

/** The teams of a match in the form for a model. All fields except `teams` are optional. */
export interface Contest<S extends SkillState = SkillState> {
  /** At least two teams, none empty. */
  readonly teams: readonly (readonly S[])[];
  /**
   * The weight of each player, in the shape of `teams`: the share of the match played, times the pool's correction for
   * teams of different size. Not negative; 1 when absent; a player with 0 is unchanged.
   */
  readonly weights?: readonly (readonly number[])[] | undefined;
  /**
   * The weight of each player at the start, in the shape of `teams`: 0 for a late joiner. For models whose source uses the
   * initial teams; as `weights` when absent.
   */
  readonly opening?: readonly (readonly number[])[] | undefined;
  /** Log-odds of each team from factors other than skill (side, venue, party). Only differences count; 0 when absent. */
  readonly odds?: readonly number[] | undefined;
  /** When it is or was played, in milliseconds since the epoch: for models in which uncertainty grows with time. */
  readonly at?: number | undefined;
  /** In the shape of `teams`. */
  readonly facts?: readonly (readonly PlayerFacts[])[] | undefined;
}

/** The outcome of a match: rank by team, 1 is best, equal ranks are a tie. Whole numbers. */
export type Ranks = readonly number[];

/** Valid means and uncertainties in a model, in its units; both ends are included. */
export interface ValidRange {
  readonly mu: readonly [least: number, most: number];
  /** Above 0. */
  readonly sigma: readonly [least: number, most: number];
}

/** The facts beyond ranks that a model requires of a recorded match. */
export type Need = 'places' | 'kills' | 'team-scores' | 'command' | 'performance';

/**
 * A rating model with its parameters. Pure: equal inputs give equal outputs to the bit, so a pool can be rebuilt from its
 * ledger. `modelOf` returns guarded models: invalid input is refused with `Unsolvable`, and so is an answer that is not
 * finite. A model itself may assume valid input.
 */
export interface RatingModel<S extends SkillState = SkillState> {
  readonly name: string;
  /** A newcomer. */
  initial(): S;
  /** A state with this mean and uncertainty, in the model's units: for an operator's set, or the end of a calibration. */
  seed(belief: SkillBelief): S;
  /**
   * The state with this mean, and its other content unchanged: uncertainty, recent rounds. A model whose means are whole
   * numbers, or bounded, takes the nearest possible one.
   */
  moved(state: S, mu: number): S;
  /**
   * The state with this uncertainty, which is larger, and its other content unchanged. Models whose uncertainty follows
   * from the number of games, or grows by their own rules, do not have this method.
   */
  widened?(state: S, sigma: number): S;
  /**
   * The state at the start of a season: with this belief, or as near to its uncertainty as the model can be. Another
   * skill or trait keeps the share `keep` of its distance from a newcomer's. A record of recent games stays, moved as a
   * whole, as far back as the uncertainty allows.
   *
   * @param belief the mean between that of the state and that of a newcomer; the uncertainty at least that of the state
   * @param keep 0 to 1
   */
  restarted(state: S, belief: SkillBelief, keep: number): S;
  /** The valid range for set ratings: values beyond it are mistakes, and cannot be reached by playing. */
  readonly range: ValidRange;
  /** A player's mean and uncertainty, in the model's own units. `sigma` is above 0. */
  belief(state: S): SkillBelief;
  /** One conservative number for lists. */
  display(state: S): number;
  /** What is wrong with a state, as the end of a sentence that begins with the player; null when nothing is. */
  flaw(state: S): string | null;
  /** Why the model cannot rate this contest, in a sentence that names the model; null when it can. */
  contestFlaw(contest: Contest<S>): string | null;
  /** Which fact of which player is missing, in a sentence; null when none is. For models that need facts. */
  missingFact?(contest: Contest<S>): string | null;
  /**
   * The weight of stretches of a match, as a share of all of it, 0 to 1. Without this method every moment has equal weight.
   *
   * @param lengthMs length of the match, above 0
   */
  timeShare?(stretches: readonly Stretch[], lengthMs: number): number;
  /** The chance of each team to come first, in team order, adding up to 1; of two teams, a draw is half to each. */
  predict(contest: Contest<S>): number[];
  /** The states after the match, in the shape of `teams`, as new values. */
  rate(contest: Contest<S>, ranks: Ranks): S[][];
  write(state: S): Json;
  /** Parses the output of `write`. @throws TypeError on anything else */
  read(json: unknown): S;
  /**
   * The state without its history, for people and for the rows of a ledger. Most states have none: then it equals `write`.
   */
  brief(state: S): Json;
}

/** A kind of model, of which pools choose one. */
export interface ModelKind<S extends SkillState = SkillState, Specs extends ParameterSpecs = ParameterSpecs> {
  /** Stable; pools refer to it. */
  readonly name: string;
  readonly title: string;
  /** Its purpose and caveats, in a sentence or two. */
  readonly about: string;
  readonly parameters: Specs;
  /** Required facts of a match. */
  readonly needs: readonly Need[];
  /**
   * Whether the sum of all means is constant when two teams meet, with default parameters: teams of equal size, with full
   * presence.
   */
  readonly zeroSum: boolean;
  open(parameters: ValuesOf<Specs>): RatingModel<S>;
}
