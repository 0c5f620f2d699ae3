/** What a player did in one game. */
export interface Game {
  /** Kills per death, an assist counting a quarter of a kill. */
  readonly ratio: number;
  /** Points of the game's own measure of performance. */
  readonly power: number;
}

/** Games that count as recent. */
export const recentGames = 20;

/** Kills per death of one game. An assist counts a quarter of a kill; a game without a death counts as one with one. */
export function killRatio(kills: number, deaths: number, assists: number): number {
  return (kills + assists / 4) / Math.max(1, deaths);
}

/**
 * The lower of mean and median, so that a few outstanding games do not count against a player. The median of an even number is the
 * mean of the two in the middle.
 *
 * @param values at least one
 */
export function lowerOfMeanAndMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const mean = sorted.reduce((sum, value) => sum + value / sorted.length, 0);
  const half = sorted.length / 2;
  const median = ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2;
  return Math.min(mean, median);
}

/**
 * The weight of a player: Z = A · B · (C · D / 100 000). A and B are the lower of mean and median of kills per death over all and
 * over the last 20 games, C and D those of power points.
 *
 * @param games oldest first, at least one
 * @see the proposal for the automatic balance of a shooter among the sources of this project
 */
export function performanceWeight(games: readonly Game[]): number {
  const recent = games.slice(-recentGames);
  const ratios = lowerOfMeanAndMedian(games.map(({ ratio }) => ratio));
  const recentRatios = lowerOfMeanAndMedian(recent.map(({ ratio }) => ratio));
  const powers = lowerOfMeanAndMedian(games.map(({ power }) => power));
  const recentPowers = lowerOfMeanAndMedian(recent.map(({ power }) => power));
  return ratios * recentRatios * ((powers * recentPowers) / 100_000);
}
