import type { SkillBelief } from '@muster/domain';
import { readNumbers } from './contest.js';
import type { Json, RatingModel } from './model.js';

/** The methods of models whose state is only a mean and a standard deviation. */
export const gaussianState = {
  seed: ({ mu, sigma }) => ({ mu, sigma }),
  moved: ({ sigma }, mu) => ({ mu, sigma }),
  widened: ({ mu }, sigma) => ({ mu, sigma }),
  restarted: (_state, { mu, sigma }) => ({ mu, sigma }),
  belief: (state) => state,
  display: ({ mu, sigma }) => mu - 3 * sigma,
  flaw: ({ mu, sigma }) =>
    Number.isFinite(mu - 3 * sigma) && sigma > 0
      ? null
      : `has mu ${mu} and sigma ${sigma}; both must be finite, and so mu − 3 sigma, and sigma above 0`,
  write: ({ mu, sigma }): Json => ({ mu, sigma }),
  read: (json) => readNumbers(json, ['mu', 'sigma'], 'a mean and a standard deviation'),
  brief: ({ mu, sigma }): Json => ({ mu, sigma }),
} as const satisfies Partial<RatingModel<SkillBelief>>;
