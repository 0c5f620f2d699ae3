import type { SkillBelief } from '@muster/domain';
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
  read: readGaussian,
  brief: ({ mu, sigma }): Json => ({ mu, sigma }),
} as const satisfies Partial<RatingModel<SkillBelief>>;

function readGaussian(json: unknown): SkillBelief {
  if (typeof json === 'object' && json !== null && 'mu' in json && 'sigma' in json) {
    const { mu, sigma } = json;
    if (typeof mu === 'number' && typeof sigma === 'number') return { mu, sigma };
  }
  throw new TypeError(`not a mean and a standard deviation: ${JSON.stringify(json)}`);
}
