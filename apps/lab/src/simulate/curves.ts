import type { Trial } from './trials.js';

/** The result of a contender whose window opening times are multiplied by a factor. */
export interface CurvePoint {
  readonly factor: number;
  /** The p90 wait. */
  readonly waitSeconds: number;
  /** Mean |P − ½| by the ratings, and by the true skills. */
  readonly predicted: number;
  readonly actual: number;
  readonly gaveUp: number;
}

export interface Curve {
  readonly contender: string;
  /** In ascending order of the factor. */
  readonly points: readonly CurvePoint[];
}

export function curvesOf(trials: readonly Trial[]): Curve[] {
  const contenders = [...new Set(trials.map(({ contender }) => contender))];
  return contenders.map((contender) => ({
    contender,
    points: trials
      .filter((trial) => trial.contender === contender)
      .map(({ factor, result: { all } }) => ({
        factor,
        waitSeconds: all.waitMs.p90 / 1000,
        predicted: all.unfairness.predicted,
        actual: all.unfairness.actual,
        gaveUp: all.gaveUp,
      })),
  }));
}

/**
 * The value of a curve at a wait, interpolated linearly over the logarithm of the wait.
 *
 * @returns null outside the curve
 */
export function unfairnessAt(
  { points }: Curve,
  waitSeconds: number,
  by: 'predicted' | 'actual',
): number | null {
  const sorted = points.toSorted((a, b) => a.waitSeconds - b.waitSeconds);
  for (const [i, right] of sorted.entries()) {
    const left = sorted[i - 1];
    if (right.waitSeconds < waitSeconds) continue;
    if (right.waitSeconds === waitSeconds) return right[by];
    if (!left || left.waitSeconds <= 0) return null;
    const part = Math.log(waitSeconds / left.waitSeconds) / Math.log(right.waitSeconds / left.waitSeconds);
    return left[by] + part * (right[by] - left[by]);
  }
  return null;
}
