import { expect, it } from 'vitest';
import { healthSeries } from './health-series.js';

it('draws what there is, by rising times and chances', () => {
  const score = (matches: number) => ({ matches, decided: matches, accuracy: 0.5, logLoss: 0.6, brier: 0.2 });
  const period = (to: number, matches: number) => ({
    from: 0,
    to,
    calibrated: score(matches),
    drift: 0.1,
    converged: 0.5,
    players: 4,
  });
  const { times, logLoss, drift, chances, reliability } = healthSeries({
    periods: [period(1, 9), period(1, 0), period(2, 0)],
    deciles: [
      { predicted: 0.7, happened: 0.6, count: 15 },
      { predicted: 0.1, happened: 0, count: 9 },
      { predicted: 0.3, happened: 0.4, count: 10 },
    ],
  });
  expect(times).toEqual([1, 2]);
  expect(logLoss.map(({ values }) => values)).toEqual([
    [0.6, null],
    [Math.LN2, Math.LN2],
  ]);
  expect(drift[0]?.values).toEqual([0.1, null]);
  expect(chances).toEqual([30, 70]);
  expect(reliability[0]?.values).toEqual([0.4, 0.6]);
});
