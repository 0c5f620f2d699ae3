import type { MatchEvent, RatingPool } from '@muster/domain';
import { defaultPoolRules, discountRate, refitSteps, timeShare, uncalibrated } from '@muster/skill';
import { describe, expect, it } from 'vitest';
import { refitEvents } from './refit.js';

const lengthMs = 1_200_000;
const poolOf = (parameters: Record<string, number>): RatingPool => ({
  name: 'marines',
  gameMode: null,
  modifiers: [],
  rules: { ...defaultPoolRules, model: 'hive', parameters },
  calibration: uncalibrated,
  version: 1,
  generation: 1,
});

/** Ann joined at half time in every round but the last, and her team won them all. */
const history = Array.from({ length: 6 }, (_, i): MatchEvent => {
  const stretches = { ann: [{ fromMs: lengthMs / 2, toMs: lengthMs }] };
  return {
    kind: 'match',
    eventId: `m${i}`,
    at: i,
    teams: [
      ['ann', 'ben'],
      ['cat', 'dan'],
    ],
    ranks: [1, 2],
    played: i < 5 ? { shares: { ann: 0.5 }, times: { lengthMs, stretches } } : { shares: { ann: 0.5 } },
  };
});

describe('skills fitted to a whole history', () => {
  it.each([
    ['by default', {}, discountRate(lengthMs)],
    ['by the pool’s own parameters', { timeRatio: 6, medianMinutes: 10 }, discountRate(600_000, 6)],
    ['without discounting', { timeRatio: 1 }, 0],
  ])('weigh moments as the model does, %s', async (_, parameters, lambda) => {
    const share = timeShare(lengthMs / 2, lengthMs, lengthMs, lambda);
    const steps = refitSteps(
      history.map((_event, i) => ({
        teams: [
          ['ann', 'ben'],
          ['cat', 'dan'],
        ],
        // The last round has a share but no times.
        weights: [
          [i < 5 ? share : 0.5, 1],
          [1, 1],
        ],
        outcome: 1,
      })),
    );
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    const { skills } = step.value;
    const given = await refitEvents(poolOf(parameters), history, new Map(), 'rbd', 7, async () => undefined);
    for (const { playerId, mu } of given) expect(mu).toBeCloseTo(skills.get(playerId) ?? NaN, 9);
    expect(given).toHaveLength(4);
  });
});
