import { Unsolvable } from '@muster/domain';
import { normalBelow, normalDensity } from '@muster/skill';

/** A match of two teams of equal size, about one of its players. Figures are in the pool's units. */
export interface InformedMatch {
  /** Players per side, at least 1. */
  readonly teamSize: number;
  /** Standard deviation of a performance about its player's skill, above 0. */
  readonly performance: number;
  /** Standard deviation of what is believed of each of the others, at least 0. */
  readonly doubt: number;
}

/**
 * The Fisher information of a result, won or lost, about one player's skill: φ(z)² / (s² Φ(z) (1 − Φ(z))), where the side's
 * sum of performances exceeds the other's with chance Φ(z), z = gap / s and s² = 2nβ² + (2n − 1)τ². An even match has the
 * most, 2 / (π s²): in five a side a fifth of a duel's.
 *
 * @param gap how far the player is above the level at which the match would be even
 * @returns in 1 / units²
 * @throws Unsolvable when a figure is out of range
 */
export function informationOf({ teamSize: n, performance, doubt }: InformedMatch, gap = 0): number {
  if (!(Number.isInteger(n) && n >= 1 && performance > 0 && doubt >= 0 && performance + doubt < Infinity))
    throw new Unsolvable(
      `A match has at least one player a side, and performances that vary; this is ${n} a side, ${performance} and ${doubt}.`,
    );
  const variance = 2 * n * performance ** 2 + (2 * n - 1) * doubt ** 2;
  const z = Math.abs(gap) / Math.sqrt(variance);
  const [won, lost] = [normalBelow(z), normalBelow(-z)];
  // Far out both vanish, the density faster.
  return lost === 0 ? 0 : normalDensity(z) ** 2 / (variance * won * lost);
}

/**
 * The least root mean square error of any estimate of a skill that is drawn from a normal distribution.
 *
 * @param spread standard deviation of that distribution, above 0
 * @param information of all observations together, on average over it
 * @see Van Trees (1968), Detection, Estimation, and Modulation Theory, part I, section 2.4.3
 */
export function leastError(spread: number, information: number): number {
  return 1 / Math.sqrt(1 / spread ** 2 + information);
}

/** What is asked of {@link leastMatches}. */
export interface SettlingBound {
  /** Standard deviation of newcomers' skills. */
  readonly spread: number;
  /** Information of each match, in their order. */
  readonly perMatch: readonly number[];
  /** The estimate is to stay this near to the truth, to the last match. */
  readonly within: number;
}

/** Points of the grid of errors. */
const points = 241;

/**
 * The chance, by the number of matches from 0, that an estimate which attains {@link leastError} after every match stays
 * near the truth from then to the last match.
 *
 * The errors of such estimates are normal, and what a later one has learned is independent of what is still wrong with it:
 * Cov(eⱼ, eₖ) = Var(eₖ) for j ≤ k. Seen from the last match backwards they are a random walk, whose mass within the bounds is
 * followed on a grid.
 */
export function settledByBound({ spread, perMatch, within }: SettlingBound): number[] {
  const step = (2 * within) / (points - 1);
  const grid = Float64Array.from({ length: points }, (_, i) => i * step - within);
  const followed = perMatch.length;
  const sums = perMatch.reduce((before, each) => [...before, (before.at(-1) ?? 0) + each], [0]);
  const varianceAfter = (matches: number): number => leastError(spread, sums[matches] ?? 0) ** 2;
  const weight = (i: number): number => (i === 0 || i === points - 1 ? step / 2 : step);
  const massOf = (density: Float64Array): number =>
    density.reduce((sum, value, i) => sum + value * weight(i), 0);

  let density = grid.map((error) => densityOf(error, varianceAfter(followed)));
  const settled = [massOf(density)];
  for (let matches = followed - 1; matches >= 0; matches--) {
    const variance = varianceAfter(matches) - varianceAfter(matches + 1);
    // Less than the grid can tell: such a match leaves the errors as they are.
    const isStill = variance < step ** 2;
    const kernel = grid.map((_, i) => densityOf(i * step, variance));
    const walk = (i: number): number =>
      density.reduce((sum, value, j) => sum + value * weight(j) * (kernel[Math.abs(i - j)] ?? 0), 0);
    density = isStill ? density : grid.map((_, i) => walk(i));
    settled.push(massOf(density));
  }
  return settled.toReversed();
}

/**
 * Matches until an estimate that attains the bound stays near the truth for half of the newcomers; null when they are more
 * than are followed.
 */
export function leastMatches(bound: SettlingBound): number | null {
  const found = settledByBound(bound).findIndex((share) => share >= 0.5);
  return found < 0 ? null : found;
}

function densityOf(error: number, variance: number): number {
  const deviation = Math.sqrt(variance);
  return normalDensity(error / deviation) / deviation;
}
