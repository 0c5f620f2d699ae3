import { Unsolvable, type IntegrityRules, type SkillBelief } from '@muster/domain';
import type { RatingModel, SkillState } from '../model.js';

/** @throws Unsolvable when the rules of integrity raise uncertainties, and the model's cannot be raised */
export function checkIntegrityRules(
  { uncertainty }: IntegrityRules,
  model: Pick<RatingModel, 'name' | 'widened'>,
): void {
  if (uncertainty !== undefined && !model.widened)
    throw new Unsolvable(
      `The uncertainty of ${model.name} ratings cannot be raised by signals: leave "uncertainty" out to watch only.`,
    );
}

/**
 * A state whose uncertainty a signal raised to at least a share of a newcomer's. The mean stays, and so does an uncertainty
 * that is larger. A model whose uncertainty follows other rules leaves the state as it is.
 *
 * @param start the rating of a newcomer, in the model's units
 * @param share from 0 to 1: the bound that the pool states
 */
export function lessCertain<S extends SkillState>(
  model: Pick<RatingModel<S>, 'belief' | 'widened'>,
  state: S,
  start: SkillBelief,
  share: number,
): S {
  const sigma = share * start.sigma;
  return model.widened && sigma > model.belief(state).sigma ? model.widened(state, sigma) : state;
}
