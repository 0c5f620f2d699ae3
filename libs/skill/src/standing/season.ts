import type { Season, SkillBelief } from '@muster/domain';
import type { RatingModel, SkillState } from '../model.js';

/** What the start of a season does to a rating. */
export type SeasonReset = Pick<Season, 'keep' | 'uncertainty' | 'everyPart'>;

/**
 * A rating at the start of a season: its mean moves toward the start value, and its uncertainty rises to at least a share
 * of the start uncertainty. The order of any two means stays: ranks do not swap.
 *
 * @param belief, start the rating and that of a newcomer, both in the model's units
 * @param reset shares from 0 to 1
 */
export function softReset(belief: SkillBelief, start: SkillBelief, reset: SeasonReset): SkillBelief {
  return {
    // At 1 the sum could differ from the mean in its last bit, and a season that keeps means must change none.
    mu: reset.keep === 1 ? belief.mu : start.mu + reset.keep * (belief.mu - start.mu),
    sigma: Math.max(belief.sigma, reset.uncertainty * start.sigma),
  };
}

/**
 * A state at the start of a season: its belief as `softReset`, and every other part by `RatingModel.restarted`. A model
 * whose uncertainty follows from the number of games counts from fewer, as near to the wanted uncertainty as it can be.
 */
export function atSeasonStart<S extends SkillState>(
  model: RatingModel<S>,
  state: S,
  start: SkillBelief,
  reset: SeasonReset,
): S {
  const before = model.belief(state);
  const { mu, sigma } = softReset(before, start, reset);
  if (!reset.everyPart) return seededAtStart(model, state, before, { mu, sigma });
  if (reset.keep === 1 && sigma === before.sigma) return state;
  return model.restarted(state, { mu, sigma }, reset.keep);
}

/** What a season did that began under an earlier release: what a model keeps beside the belief could be lost. */
function seededAtStart<S extends SkillState>(
  model: RatingModel<S>,
  state: S,
  before: SkillBelief,
  { mu, sigma }: SkillBelief,
): S {
  if (sigma === before.sigma) return model.moved(state, mu);
  return model.widened ? model.moved(model.widened(state, sigma), mu) : model.seed({ mu, sigma });
}
