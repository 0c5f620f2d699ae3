import { normalBelow, normalDensity } from '../maths/normal.js';
import type { TeamTotal } from '../gaussian-team.js';

/** Performances beyond this many standard deviations are ignored. */
const reach = 7;
const step = 1 / 8;

/**
 * The chance that the first of two independent normal performances is the higher one, draws being half to each.
 *
 * @param gap difference of the means
 * @param spread standard deviation of the difference; at 0 the higher mean always wins
 */
export function chanceAhead(gap: number, spread: number): number {
  if (spread > 0) return normalBelow(gap / spread);
  return gap > 0 ? 1 : gap < 0 ? 0 : 0.5;
}

/**
 * The chance of each of several independent normal performances to be the highest: the integral, over its value, of the
 * chance that every other is lower. Draws are ignored. The trapezoidal rule is good to 1e-9 for spreads of the same order;
 * the results are scaled to add up to 1.
 */
export function chancesToBeFirst(performances: readonly TeamTotal[]): number[] {
  const spreads = performances.map(({ variance }) => Math.sqrt(variance));
  const chances = performances.map(({ mu }, i) => {
    const spread = spreads[i] ?? 0;
    let chance = 0;
    for (let z = -reach; z <= reach; z += step) {
      let allLower = normalDensity(z);
      for (let j = 0; j < performances.length && allLower > 1e-15; j++)
        if (j !== i) allLower *= chanceAhead(mu + spread * z - (performances[j]?.mu ?? 0), spreads[j] ?? 0);
      chance += allLower;
    }
    return chance;
  });
  const total = chances.reduce((sum, each) => sum + each, 0);
  return chances.map((each) => each / total);
}
