import { describe, expect, it } from 'vitest';
import { scorePredictions } from './score.js';

describe('scorePredictions', () => {
  it('gives a coin flip its known figures', () => {
    const score = scorePredictions([
      { chance: 0.5, outcome: 1 },
      { chance: 0.5, outcome: 0 },
      { chance: 0.5, outcome: 0.5 },
    ]);
    expect(score.accuracy).toBe(0.5);
    expect(score.logLoss).toBeCloseTo(Math.LN2, 12);
    expect(score.brier).toBeCloseTo((0.25 + 0.25 + 0) / 3, 12);
    expect(score).toMatchObject({ matches: 3, decided: 2 });
  });

  it('stays finite after a confident miss, and has figures for no predictions', () => {
    expect(scorePredictions([{ chance: 1, outcome: 0 }]).logLoss).toBeLessThan(30);
    expect(scorePredictions([])).toEqual({ matches: 0, decided: 0, accuracy: 0, logLoss: 0, brier: 0 });
  });
});
