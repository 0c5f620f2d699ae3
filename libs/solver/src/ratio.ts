import type { SplitProblem } from './problem.js';
import type { Quantised } from './quantise.js';

/** How many places each team has: as many as the rules fill, and room for the largest team. */
export function placesOf(fillTo: number, sizes: readonly number[]): number {
  return Math.max(Math.ceil(fillTo / sizes.length), ...sizes);
}

/**
 * What to add to every weight, bots included, so that ratios of sums make sense: 0 where no team of these sizes can have a
 * sum of nought or less; otherwise what lets the lightest weigh a tenth of the range (or 1, where all weigh the same).
 *
 * @param sizes the sizes that the teams may have, a list for each choice
 * @param descending weights in quanta, heaviest first
 * @param weights where the players' come first, then a bot's
 */
export function shiftFor(
  { bots }: SplitProblem,
  sizes: readonly (readonly number[])[],
  descending: Float64Array,
  { values, quantum }: Quantised,
): number {
  const n = descending.length;
  const bot = values[n] ?? 0;
  // A sum of rounded weights is off by less than a quantum a player.
  const nought = quantum > 0 ? 2 * n + (bots?.fillTo ?? 0) : 0;
  const lightestFrom = new Float64Array(n + 1);
  for (let i = n - 1; i >= 0; i--) lightestFrom[i] = lightestFrom[i + 1]! + descending[i]!;
  const canBeNought = sizes.some((choice) => {
    const places = bots ? placesOf(bots.fillTo, choice) : 0;
    return choice.some((size) => lightestFrom[n - size]! + (bots ? bot * (places - size) : 0) <= nought);
  });
  if (!canBeNought) return 0;
  const lightest = Math.min(descending[n - 1]!, bots ? bot : Infinity);
  const heaviest = Math.max(descending[0]!, bots ? bot : -Infinity);
  return -lightest + ((heaviest - lightest) / 10 || 1);
}
