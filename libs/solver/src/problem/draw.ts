import { seededRandom } from '@muster/domain';
import type { SplitOptions, SplitSolution } from './problem.js';

/**
 * Draws one of some splits, each with a probability proportional to ratio^power: 0 draws uniformly, 1 in proportion, large
 * powers almost always one of the best. Without a power it is the first.
 *
 * @returns an index
 */
export function draw(
  solutions: readonly Pick<SplitSolution, 'ratio'>[],
  { power, seed = 0 }: SplitOptions,
): number {
  if (power === undefined) return 0;
  const ratios = solutions.map(({ ratio }) => ratio);
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
