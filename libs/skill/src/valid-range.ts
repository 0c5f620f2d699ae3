import type { SkillBelief } from '@muster/domain';
import type { ValidRange } from './model.js';

/** No player is this many scales from the start value: the best and the worst of a large pool are within ten. */
const maxScales = 100;
const leastScales = 1e-6;

/**
 * The valid range in a model without limits of its own.
 *
 * @param start mean of a newcomer
 * @param scale typical difference of two players, in rating units: the larger of a newcomer's uncertainty and of the
 *   difference that counts in one match
 */
export function validRange(start: number, scale: number): ValidRange {
  const far = maxScales * scale;
  return { mu: [start - far, start + far], sigma: [leastScales * scale, far] };
}

/**
 * What is wrong with a set rating, and the valid values, as the end of a sentence that begins with the field; null when
 * nothing is.
 *
 * @param belief the uncertainty may be absent: then it is unchanged
 * @param model the model's name, for the sentence
 */
export function rangeFlaw(
  { mu, sigma }: Pick<SkillBelief, 'mu'> & { readonly sigma?: number | undefined },
  reach: ValidRange,
  model: string,
): { readonly what: 'mu' | 'sigma'; readonly message: string } | null {
  if (!isWithin(mu, reach.mu)) return { what: 'mu', message: messageOf(mu, reach.mu, model) };
  if (sigma !== undefined && !isWithin(sigma, reach.sigma))
    return { what: 'sigma', message: messageOf(sigma, reach.sigma, model) };
  return null;
}

function isWithin(value: number, [least, most]: readonly [number, number]): boolean {
  return value >= least && value <= most;
}

function messageOf(value: number, [least, most]: readonly [number, number], model: string): string {
  return `must be a number from ${rounded(least)} to ${rounded(most)} in this pool of ${model}, not ${value}`;
}

/** Six digits identify the limit. */
function rounded(value: number): string {
  return String(Number(value.toPrecision(6)));
}
