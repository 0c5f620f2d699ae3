import { seededRandom } from '@muster/domain';

/**
 * Draws one of some splits, each with a probability proportional to ratio^power: 0 draws uniformly, 1 in proportion, large
 * powers almost always one of the best.
 *
 * @returns an index
 */
export function draw(ratios: readonly number[], power: number, seed: number): number {
  const best = Math.max(...ratios, 0);
  // Relative to the best, so that a large power cannot make all of them vanish.
  const chances = ratios.map((ratio) => (best > 0 ? (ratio / best) ** power : 1));
  let left = seededRandom(seed)() * chances.reduce((sum, chance) => sum + chance, 0);
  for (let i = 0; i < chances.length; i++) {
    left -= chances[i]!;
    if (left < 0) return i;
  }
  return 0;
}
