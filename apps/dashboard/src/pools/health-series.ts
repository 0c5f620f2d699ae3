import type { Series } from '../ui/charts/chart.js';
import { coinFlip, type Health } from './health-word.js';

/** The figures of a pool as lines of charts. */
export interface HealthSeries {
  /** Ends of the periods. */
  readonly times: readonly number[];
  readonly logLoss: readonly Series[];
  readonly drift: readonly Series[];
  readonly converged: readonly Series[];
  /** Predicted chances in percent. */
  readonly chances: readonly number[];
  readonly reliability: readonly Series[];
}

/** Fewer predictions tell nothing of a share. */
export const leastInDecile = 10;

/** A period without matches has no values; one that ends when the one before ends is left out, since times must rise. */
export function healthSeries({ periods, deciles }: Pick<Health, 'periods' | 'deciles'>): HealthSeries {
  const rising = periods.filter(({ to }, i) => to > (periods[i - 1]?.to ?? -Infinity));
  const values = (of: (period: Health['periods'][number]) => number): readonly (number | null)[] =>
    rising.map((period) => (period.calibrated.matches === 0 ? null : of(period)));
  const predicted = deciles
    .filter(({ count }) => count >= leastInDecile)
    .toSorted((a, b) => a.predicted - b.predicted);
  return {
    times: rising.map(({ to }) => to),
    logLoss: [
      { label: 'log-loss', values: values(({ calibrated }) => calibrated.logLoss) },
      { label: 'a coin flip', values: rising.map(() => coinFlip) },
    ],
    drift: [{ label: 'drift', values: values(({ drift }) => drift) }],
    converged: [{ label: 'converged', values: values(({ converged }) => converged) }],
    chances: predicted.map((decile) => 100 * decile.predicted),
    reliability: [
      { label: 'won', values: predicted.map(({ happened }) => happened) },
      { label: 'as predicted', values: predicted.map((decile) => decile.predicted) },
    ],
  };
}
