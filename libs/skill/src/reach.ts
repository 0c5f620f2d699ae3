import type { SkillBelief } from '@muster/domain';
import type { Reach } from './model.js';

/** So many scales from the start value nobody is: the best and the worst of a large pool are within ten. */
const mostScales = 100;
const leastScales = 1e-6;

/**
 * What may be given in a model without ends of its own.
 *
 * @param start mean of a stranger
 * @param scale what two players differ by as a rule, in rating units: the larger of a stranger's uncertainty and of the
 * difference that counts in one match
 */
export function reachAround(start: number, scale: number): Reach {
  const far = mostScales * scale;
  return { mu: [start - far, start + far], sigma: [leastScales * scale, far] };
}

/**
 * What is wrong with a rating that somebody gives, and what would be right, as the end of a sentence that begins with the field;
 * null when nothing is.
 *
 * @param belief the uncertainty may be left out: then it stays as it is
 * @param model the model's name, for the sentence
 */
export function beyondReach(
  { mu, sigma }: Pick<SkillBelief, 'mu'> & { readonly sigma?: number | undefined },
  reach: Reach,
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

/** Six digits say where the end is. */
function rounded(value: number): string {
  return String(Number(value.toPrecision(6)));
}
