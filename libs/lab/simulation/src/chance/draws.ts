import { seededRandom, type Random } from '@muster/domain';
import { normalAt } from './normal.js';

/** A separate generator for each kind of draw, so that draws of one kind do not affect another. */
export function randomOf(seed: number, kind: number, number: number): Random {
  return seededRandom(mixed(mixed(mixed(seed) ^ kind) ^ number));
}

/** Spreads the bits of a whole number over 32 bits. @see https://github.com/skeeto/hash-prospector */
function mixed(value: number): number {
  let x = value >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}

/** A standard normal draw from one number, so that later draws do not shift. */
export function drawNormal(random: Random): number {
  return normalAt(Math.min(1 - 1e-10, Math.max(1e-10, random())));
}

/** @param mean above 0, or 0 for always 0 */
export function drawExponential(random: Random, mean: number): number {
  return -mean * Math.log(1 - random());
}

/** @param median above 0 @param spread standard deviation of the logarithm */
export function drawLogNormal(random: Random, median: number, spread: number): number {
  return median * Math.exp(spread * drawNormal(random));
}

/** An index, drawn in proportion to its weight. @param weights not negative, one above 0 */
export function drawIndex(random: Random, weights: readonly number[]): number {
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
  let last = 0;
  for (const [i, weight] of weights.entries()) {
    if (weight <= 0) continue;
    last = i;
    left -= weight;
    if (left < 0) return i;
  }
  return last;
}
