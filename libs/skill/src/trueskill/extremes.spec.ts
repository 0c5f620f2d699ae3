import { Unsolvable } from '@muster/domain';
import { anyNumber, anyPositive, contestsOf } from '@muster/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelOf } from '../models.js';

const wild = fc.record({ mu: anyNumber, sigma: anyPositive });
const large = fc.record({
  mu: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  sigma: fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
});
const parameters = fc.record({
  beta: fc.constantFrom(1e-6, 25 / 6, 1e6),
  tau: fc.constantFrom(0, 25 / 300, 1e6),
  drawProbability: fc.constantFrom(0, 0.1, 0.99),
});

/** Whether the model answered; a refusal must be the documented error. */
function answered(ask: () => void): boolean {
  try {
    ask();
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(Unsolvable);
    return false;
  }
}

describe('R7 TrueSkill at the ends of the scale', () => {
  it('is finite or refuses, for any input', () => {
    fc.assert(
      fc.property(contestsOf(wild), parameters, ({ ranks, ...contest }, given) => {
        const model = modelOf('trueskill', given);
        answered(() => {
          for (const team of model.rate(contest, ranks))
            for (const state of team) {
              const { mu, sigma } = model.belief(state);
              expect(Number.isFinite(mu) && sigma > 0 && sigma < Infinity).toBe(true);
            }
        });
        answered(() => {
          const chances = model.predict(contest);
          expect(chances.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 9);
        });
      }),
      { numRuns: 500 },
    );
  });

  it('answers for every mean up to a million and every uncertainty up to a million', () => {
    fc.assert(
      fc.property(contestsOf(large), ({ teams, ranks }) => {
        const model = modelOf('trueskill');
        expect(answered(() => model.rate({ teams }, ranks))).toBe(true);
        expect(answered(() => model.predict({ teams }))).toBe(true);
      }),
      { numRuns: 250 },
    );
  });

  it('never lowers a winner’s mean or raises an uncertainty beyond the drift of skill', () => {
    fc.assert(
      fc.property(contestsOf(large), ({ teams: all }) => {
        const teams = all.slice(0, 2);
        const model = modelOf('trueskill');
        const rated = model.rate({ teams }, [1, 2]);
        rated.forEach((team, t) =>
          team.forEach((state, p) => {
            const before = teams[t]?.[p] ?? { mu: NaN, sigma: NaN };
            const after = model.belief(state);
            expect((after.mu - before.mu) * (t === 0 ? 1 : -1)).toBeGreaterThanOrEqual(0);
            expect(after.sigma).toBeLessThanOrEqual(Math.hypot(before.sigma, 25 / 300) * (1 + 1e-12));
          }),
        );
      }),
      { numRuns: 250 },
    );
  });
});
