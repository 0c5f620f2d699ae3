import type { Json, PlayerFacts, SkillBelief, Stretch } from '@muster/domain';
import type { ModelParameters, ParameterSpecs } from './parameters.js';

export type { Json, PlayerFacts } from '@muster/domain';

/**
 * What a model knows of one player in one pool: an immutable value that only the model looks into. `write` makes JSON of it.
 */
export type SkillState = object;

/** Teams that meet, as a model sees them. Everything but `teams` may be left out. */
export interface Contest<S extends SkillState = SkillState> {
  /** Two teams at least, none empty. */
  readonly teams: readonly (readonly S[])[];
  /**
   * How much of each player counts, in the shape of `teams`: the share of the match played, times what the pool does about
   * teams of different size. Not negative; 1 when absent; who has 0 is left as they were.
   */
  readonly weights?: readonly (readonly number[])[] | undefined;
  /**
   * How much of each player counted when it began, in the shape of `teams`: 0 of who came late. For models whose source goes by
   * the teams of the beginning; as `weights` when absent.
   */
  readonly opening?: readonly (readonly number[])[] | undefined;
  /** Log-odds that each team is given by what is not skill (side, venue, party). Only differences count; 0 when absent. */
  readonly odds?: readonly number[] | undefined;
  /** When it is or was played, in milliseconds since the epoch: for models in which time makes unsure. */
  readonly at?: number | undefined;
  /** In the shape of `teams`. */
  readonly facts?: readonly (readonly PlayerFacts[])[] | undefined;
}

/** The outcome of a match: rank by team, 1 is best, equal ranks are a tie. Whole numbers. */
export type Ranks = readonly number[];

/** Means and uncertainties that make sense in a model, in its units; both ends are in it. */
export interface Reach {
  readonly mu: readonly [least: number, most: number];
  /** Above 0. */
  readonly sigma: readonly [least: number, most: number];
}

/** What a recorded match must say beyond its ranks, for a model that cannot do without. */
export type Need = 'places' | 'kills' | 'team-scores' | 'command';

/**
 * A rating model with its parameters set. Pure: the same inputs give the same outputs to the bit, so a pool can be rebuilt
 * from its ledger. What `modelOf` hands out is guarded: input that makes no sense is refused with `Unsolvable`, and so is an
 * answer that is not finite. A model itself may take good input for granted.
 */
export interface RatingModel<S extends SkillState = SkillState> {
  readonly name: string;
  /** A stranger. */
  initial(): S;
  /** A state with this mean and uncertainty, in the model's units: for an operator's set, or the end of a calibration. */
  seed(belief: SkillBelief): S;
  /**
   * The state with its mean there, and all else that it knows of the player as it was: how sure it is, what of late rounds it
   * remembers. A model whose means are whole numbers, or end somewhere, takes the nearest that it has.
   */
  moved(state: S, mu: number): S;
  /** What somebody may give: beyond it lies nothing but a slip, and nobody gets there by playing. */
  readonly reach: Reach;
  /** Where the player stands and how unsure that is, in the model's own units. `sigma` is above 0. */
  belief(state: S): SkillBelief;
  /** One cautious number for lists. */
  display(state: S): number;
  /** What is wrong with a state, as the end of a sentence that begins with the player; null when nothing is. */
  flaw(state: S): string | null;
  /** Why this contest is not for this model, in a sentence that names the model; null when it is. */
  misfit(contest: Contest<S>): string | null;
  /**
   * What stretches of a match are worth, as a share of all of it, 0 to 1. Where a model has none of its own every moment is worth
   * the same.
   *
   * @param lengthMs length of the match, above 0
   */
  timeShare?(stretches: readonly Stretch[], lengthMs: number): number;
  /** The chance of each team to come first, in team order, adding up to 1; of two teams, a draw is half to each. */
  predict(contest: Contest<S>): number[];
  /** The states after the match, in the shape of `teams`. Gives new values, leaves the old ones alone. */
  rate(contest: Contest<S>, ranks: Ranks): S[][];
  write(state: S): Json;
  /** Reads what `write` wrote. @throws TypeError on anything else */
  read(json: unknown): S;
  /** The state without its history, for people and for the rows of a ledger. Most states have none: then it is `write`. */
  brief(state: S): Json;
}

/** A kind of model: what there is to choose from. */
export interface ModelKind<S extends SkillState = SkillState> {
  /** Stable, as pools name it. */
  readonly name: string;
  readonly title: string;
  /** What it is good for and what to beware of, in a sentence or two. */
  readonly about: string;
  readonly parameters: ParameterSpecs;
  /** Facts of a match that it cannot do without. */
  readonly needs: readonly Need[];
  /**
   * Whether the sum of all means stays the same when two teams meet, with default parameters: teams of equal size, everyone
   * there for the whole match.
   */
  readonly zeroSum: boolean;
  open(parameters: ModelParameters): RatingModel<S>;
}
