import type { Course } from '../world/newcomer.js';

/** How a kind of newcomer was found out, match by match. */
export interface NewcomerFigures {
  /** Those who played all the matches that are followed. */
  readonly players: number;
  /**
   * Matches until what is believed of a newcomer stays within half a sigma (half the standard deviation of the population's true
   * skill) of the truth, to the end of the matches followed: the median, null when half of them do not get there.
   */
  readonly matchesNeeded: number | null;
  /** Part of them for whom it stays within half a sigma from so many matches on, by the number of matches from 0. */
  readonly settled: readonly number[];
  /** Root mean square of what is believed less the truth, in sigmas, by the number of matches from 0. */
  readonly error: readonly number[];
}

/** @param sigma standard deviation of the population's true skill */
export function newcomerFigures(courses: readonly Course[], matches: number, sigma: number): NewcomerFigures {
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
