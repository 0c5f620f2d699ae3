import { Unsolvable, type IntegrityRules, type SkillBelief } from '@muster/domain';
import type { RatingModel, SkillState } from '../model.js';

/** Checks the rules of integrity against a model. @returns the same rules @throws Unsolvable with the first that does not fit */
export function readIntegrityRules<R extends IntegrityRules>(
  rules: R,
  model: Pick<RatingModel, 'name' | 'widened'>,
): R {
  const { uncertainty, everyDays } = rules;
  if (uncertainty !== undefined && !(uncertainty >= 0 && uncertainty <= 1))
    throw new Unsolvable(
      `The share "uncertainty" that a signal raises to must be from 0 to 1; this is ${uncertainty}.`,
    );
  if (everyDays !== undefined && !(everyDays >= 1 && everyDays <= 365))
    throw new Unsolvable(`The days between two signals must be from 1 to 365; this is ${everyDays}.`);
  if (uncertainty !== undefined && !model.widened)
    throw new Unsolvable(
      `The uncertainty of ${model.name} ratings cannot be raised by signals: leave "uncertainty" out to watch only.`,
    );
  return rules;
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
