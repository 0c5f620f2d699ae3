import type { Circumstance, Situation } from '@muster/domain';
import { partyFeature } from '../party/bonus.js';

/** The feature that holds the log-odds of a team's skills by aspect. What a pool learns is a factor on it, 1 at first. */
export const aspectsFeature = 'aspects';

/**
 * The feature that holds the log-odds of a team's size by the pool's rule. What a pool learns is a factor on it, 1 at first.
 */
export const shortHandedFeature = 'short';

/** The features whose learned value is a factor, of prior mean 1, on log-odds that a rule or a filter states. */
export const factorFeatures: readonly string[] = [aspectsFeature, shortHandedFeature];

/** A team of less counts as this many players: of a team that left altogether something has been seen. */
const leastSize = 0.05;

/** Features whose value a pool can learn: circumstances of a match, surplus players, friends. */
export type Learnable = Circumstance | 'size' | 'party';

/** A team's features beside its players: numbers by name. */
export type Features = Readonly<Record<string, number>>;

/**
 * The features of each team, in team order. Only differences between teams can matter, so a map or a venue counts together
 * with the side played on it: `side:home`, `side:home@venue:Gabba`.
 *
 * @param sizes effective team sizes: the sums of the time shares
 */
export function featuresOf(
  { sides, map, venue, parties }: Situation,
  sizes: readonly number[],
  counted: readonly Learnable[],
): Features[] {
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  return sizes.map((size, t) => {
    const features: Record<string, number> = {};
    const side = sides?.[t];
    if (side !== undefined) {
      if (counted.includes('side')) features[`side:${side}`] = 1;
      if (map !== undefined && counted.includes('map')) features[`side:${side}@map:${map}`] = 1;
      if (venue !== undefined && counted.includes('venue')) features[`side:${side}@venue:${venue}`] = 1;
    }
    if (counted.includes('size') && size > 0 && size !== mean) features['size'] = Math.log(size / mean);
    const friends = partyFeature(parties?.[t] ?? [], size);
    if (counted.includes('party') && friends > 0) features['party'] = friends;
    return features;
  });
}

/**
 * The log-odds of each team from its size, in team order; only differences count.
 *
 * @param sizes effective team sizes: the sums of the time shares
 * @param odds for a difference of 1 in the natural logarithm
 */
export function sizeOdds(sizes: readonly number[], odds: number): number[] {
  const mean = Math.max(leastSize, sizes.reduce((sum, size) => sum + size, 0) / sizes.length);
  return sizes.map((size) => (size === mean ? 0 : odds * Math.log(Math.max(leastSize, size) / mean)));
}
