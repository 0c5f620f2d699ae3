import { Unsolvable } from '@muster/domain';
import { anyNumber, anyPositive, contestsOf } from '@muster/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelOf } from '../models.js';
import { openskillKinds } from './openskill.js';

const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const wild = fc.record({ mu: anyNumber, sigma: anyPositive });
const large = fc.record({ mu: between(-1e6, 1e6), sigma: between(1e-3, 1e6) });
const parameters = fc.record({
  beta: fc.constantFrom(1e-6, 25 / 6, 1e6),
  tau: fc.constantFrom(0, 25 / 300, 1e6),
  epsilon: fc.constantFrom(0, 0.1, 1e6),
});

type Outcome = 'answered' | 'refused' | 'nonsense';

/** The outcome of an evaluation: sound, or not. An error that is not a refusal is rethrown. */
function outcomeOf(isSane: () => boolean): Outcome {
  try {
    return isSane() ? 'answered' : 'nonsense';
  } catch (error) {
    if (error instanceof Unsolvable) return 'refused';
    throw error;
  }
}

describe.each(openskillKinds.map((kind) => kind.name))('R1 %s at the ends of the scale', (name) => {
  /** The outcomes of rating and of predicting. */
  const outcomes = (
    contest: Parameters<ReturnType<typeof modelOf>['predict']>[0],
    ranks: readonly number[],
    model = modelOf(name),
  ): Outcome[] => [
    outcomeOf(() =>
      model
        .rate(contest, ranks)
        .flat()
        .map((state) => model.belief(state))
        .every(({ mu, sigma }) => Number.isFinite(mu) && sigma > 0 && sigma < Infinity),
    ),
    outcomeOf(() => Math.abs(model.predict(contest).reduce((sum, each) => sum + each, 0) - 1) < 1e-9),
  ];
  const bothAnswered = ['answered', 'answered'];

  it('is finite or refuses, for any input', () => {
    fc.assert(
      fc.property(contestsOf(wild), parameters, ({ ranks, ...contest }, given) => {
        expect(outcomes(contest, ranks, modelOf(name, given))).not.toContain('nonsense');
      }),
      { numRuns: 250 },
    );
  });

  it('answers two teams for every mean and every uncertainty up to a million, and winners never fall', () => {
    fc.assert(
      fc.property(contestsOf(large), ({ teams: all, ranks }) => {
        const teams = all.slice(0, 2);
        expect(outcomes({ teams }, ranks.slice(0, 2))).toEqual(bothAnswered);
        const model = modelOf(name);
        model.rate({ teams }, [1, 2]).forEach((team, t) =>
          team.forEach((state, p) => {
            const moved = model.belief(state).mu - (teams[t]?.[p]?.mu ?? NaN);
            expect(moved * (t === 0 ? 1 : -1)).toBeGreaterThanOrEqual(0);
          }),
        );
      }),
      { numRuns: 250 },
    );
  });

  it('is finite or refuses, for several teams of that size', () => {
    fc.assert(
      fc.property(contestsOf(large), ({ teams, ranks }) => {
        const found = outcomes({ teams }, ranks);
        expect(found).not.toContain('nonsense');
        if (name !== 'openskill-plackett-luce') expect(found).toEqual(bothAnswered);
      }),
      { numRuns: 250 },
    );
  });

  it('answers eight against eight on a scale of 1500 with uncertainties of 3 and less', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ mu: between(1000, 2000), sigma: between(0.1, 3) }), {
          minLength: 16,
          maxLength: 16,
        }),
        fc.constantFrom([1, 2], [2, 1], [1, 1]),
        (players, ranks) => {
          expect(outcomes({ teams: [players.slice(0, 8), players.slice(8)] }, ranks)).toEqual(bothAnswered);
        },
      ),
    );
  });
});
