import { Unsolvable } from '@muster/domain';
import { anyNumber, anyPositive, contestsOf } from '@muster/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelOf } from '../models.js';
import type { GlickoState } from './state.js';

const wild: fc.Arbitrary<GlickoState> = fc.record(
  {
    rating: anyNumber,
    deviation: anyPositive,
    volatility: anyPositive,
    open: fc.record({ since: anyNumber, information: anyPositive, surplus: anyNumber }),
  },
  { requiredKeys: ['rating', 'deviation', 'volatility'] },
);
const bounded = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const accepted: fc.Arbitrary<GlickoState> = fc.record(
  {
    rating: bounded(-1e15, 1e15),
    deviation: bounded(5e-324, 1e15),
    volatility: bounded(1e-9, 1e15),
    open: fc.record({ since: anyNumber, information: bounded(0, 1e15), surplus: bounded(-1e15, 1e15) }),
  },
  { requiredKeys: ['rating', 'deviation', 'volatility'] },
);
const large: fc.Arbitrary<GlickoState> = fc.record({
  rating: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  deviation: fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
  volatility: fc.double({ min: 1e-6, max: 1, noNaN: true }),
});
const parameters = fc.record({
  tau: fc.constantFrom(0.1, 0.5, 2),
  periodDays: fc.constantFrom(0, 1e-9, 7, 3650),
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

describe('R6 Glicko-2 at the ends of the scale', () => {
  it('has a finite belief for every valid state', () => {
    fc.assert(
      fc.property(accepted, parameters, (state, given) => {
        const model = modelOf('glicko2', given);
        expect(model.flaw(state)).toBe(null);
        const { mu, sigma } = model.belief(state);
        expect(Number.isFinite(mu) && sigma > 0 && sigma < Infinity).toBe(true);
      }),
      { numRuns: 750 },
    );
  });

  it('is finite or refuses, for any input', () => {
    fc.assert(
      fc.property(
        fc.oneof(contestsOf(wild), contestsOf(accepted)),
        parameters,
        ({ ranks, ...contest }, given) => {
          const model = modelOf('glicko2', given);
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
        },
      ),
      { numRuns: 750 },
    );
  });

  it('answers for every rating and deviation up to a million, and winners never fall', () => {
    fc.assert(
      fc.property(contestsOf(large), parameters, ({ teams, ranks }, given) => {
        const model = modelOf('glicko2', given);
        expect(answered(() => model.rate({ teams, at: 1e12 }, ranks))).toBe(true);
        expect(answered(() => model.predict({ teams }))).toBe(true);
        const two = teams.slice(0, 2);
        model.rate({ teams: two, at: 1e12 }, [1, 2]).forEach((team, t) =>
          team.forEach((state, p) => {
            const moved = model.belief(state).mu - (two[t]?.[p]?.rating ?? NaN);
            expect(moved * (t === 0 ? 1 : -1)).toBeGreaterThanOrEqual(0);
          }),
        );
      }),
      { numRuns: 250 },
    );
  });
});
