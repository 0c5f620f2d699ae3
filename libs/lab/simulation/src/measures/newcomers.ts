import type { NewcomerTrack } from '../world/newcomer.js';

/** The estimates of a kind of newcomer, match by match. */
export interface NewcomerFigures {
  /** Newcomers who played all the tracked matches. */
  readonly players: number;
  /**
   * Matches until the estimate stays within half a sigma (half the standard deviation of the population's true skill) of
   * the truth, to the end of the tracked matches: the median, null when half of them do not get there.
   */
  readonly matchesNeeded: number | null;
  /** Part of them for whom it stays within half a sigma after this many matches, by the number of matches from 0. */
  readonly settled: readonly number[];
  /** Root mean square of the estimate less the truth, in sigmas, by the number of matches from 0. */
  readonly error: readonly number[];
}

/** @param sigma standard deviation of the population's true skill */
export function newcomerFigures(
  courses: readonly NewcomerTrack[],
  matches: number,
  sigma: number,
): NewcomerFigures {
  const followed = courses.filter((course) => course.matches >= matches);
  const needed = followed.map(({ errors }) => {
    let from = matches + 1;
    while (from > 0 && (errors[from - 1] ?? Infinity) <= sigma / 2) from--;
    return from;
  });
  const counts = Array.from({ length: matches + 1 }, (_, k) => k);
  const settled = counts.map((k) => needed.filter((from) => from <= k).length / needed.length);
  const error = counts.map((k) => {
    const squares = followed.reduce((sum, { errors }) => sum + ((errors[k] ?? NaN) / sigma) ** 2, 0);
    return Math.sqrt(squares / followed.length);
  });
  const median = settled.findIndex((share) => share >= 0.5);
  return { players: followed.length, matchesNeeded: median < 0 ? null : median, settled, error };
}
