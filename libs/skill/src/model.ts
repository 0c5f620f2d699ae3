import type { SkillBelief } from '@muster/domain';

export type ModelParameters = Readonly<Record<string, number>>;

/** The outcome of a match: rank by team, 1 is best, equal ranks are a tie. */
export type Ranks = readonly number[];

/** A rating model. Pure: the same inputs give the same outputs, so a pool can be rebuilt from its ledger. */
export interface RatingModel {
  readonly name: string;
  /** Parameters and their defaults; a pool may set any of them. */
  readonly defaults: ModelParameters;
  /** What is believed of a stranger. */
  initial(parameters: ModelParameters): SkillBelief;
  /** The chance of each team to win, in team order, adding up to 1. @throws Unsolvable on input that makes no sense */
  predict(teams: readonly (readonly SkillBelief[])[], parameters: ModelParameters): number[];
  /** The beliefs after the match, in the shape of `teams`. @throws Unsolvable on input that makes no sense */
  rate(
    teams: readonly (readonly SkillBelief[])[],
    ranks: Ranks,
    parameters: ModelParameters,
  ): SkillBelief[][];
  /** One cautious number for lists. */
  display(belief: SkillBelief): number;
}
