import { describe, expect, it } from 'vitest';
import { healthWord, meanError, type Health } from './health-word.js';

const score = (decided: number, logLoss = 0.6): Health['overall']['raw'] => ({
  matches: decided,
  decided,
  accuracy: 0.6,
  logLoss,
  brier: 0.2,
});
const health = (
  decided: number,
  happened: number,
  more: { readonly logLoss?: number; readonly drift?: number } = {},
): Pick<Health, 'overall' | 'deciles' | 'periods'> => ({
  overall: { raw: score(decided), calibrated: score(decided, more.logLoss) },
  deciles: [
    { predicted: 0.65, happened, count: decided },
    { predicted: 0.35, happened: 1 - happened, count: decided },
  ],
  periods: [
    { from: 0, to: 1, calibrated: score(decided), drift: more.drift ?? 0, converged: 1, players: 9 },
    { from: 1, to: 2, calibrated: score(0), drift: 9, converged: 1, players: 9 },
  ],
});

describe('the health of a pool in a word', () => {
  it.each([
    ['new', health(20, 0.1)],
    ['good', health(5_000, 0.66)],
    ['good', health(150, 0.6)],
    ['miscalibrated', health(5_000, 0.5)],
    ['drifting', health(5_000, 0.65, { drift: -0.7 })],
    ['poor', health(5_000, 0.65, { logLoss: 0.72 })],
  ])('%s', (word, figures) => {
    expect(healthWord(figures).word).toBe(word);
  });

  it('forgives what the number of predictions explains', () => {
    expect(meanError([{ predicted: 0.5, happened: 0.6, count: 25 }])).toBe(0);
    expect(meanError([{ predicted: 0.5, happened: 0.6, count: 10_000 }])).toBeCloseTo(0.09);
    expect(meanError([])).toBe(0);
  });
});
