import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  contradictions,
  shortOfBest,
  shortOfLeastVariance,
  shortOfRanking,
  solved,
} from '../test-support/verdicts.js';
import { constrained, manySizes, named, steppingClock, weights } from '../test-support/generators.js';
import { everySplit } from '../test-support/partitions.js';
import { slackOf } from '../test-support/sound.js';
import { greedy, pairSwap } from './baselines/index.js';
import type { SplitProblem } from './problem.js';
import { split } from './split.js';

function problems(
  minPlayers: number,
  maxPlayers: number,
  mostTeams: number,
  options: { positive?: boolean; rounded?: boolean } = {},
): fc.Arbitrary<SplitProblem> {
  return fc
    .tuple(weights(minPlayers, maxPlayers, options).map(named), fc.integer({ min: 3, max: mostTeams }))
    .chain(([players, teams]) =>
      manySizes(players.length, teams).map((teamSizes) => ({ players, teamSizes })),
    );
}

describe('a split of more than two teams', { timeout: 60_000 }, () => {
  it('is the best that the oracle finds, then of the least variance', () => {
    fc.assert(
      fc.property(problems(5, 8, 4), (problem) => {
        const all = everySplit(problem);
        const answer = split(problem);

        expect(shortOfBest(problem, answer, all)).toEqual([]);
        expect(shortOfLeastVariance(problem, answer, all)).toEqual([]);
      }),
      { numRuns: 75 },
    );
  });

  it('is the best of nine players in three teams', () => {
    fc.assert(
      fc.property(weights(9, 9).map(named), (players) => {
        const problem = { players, teamSizes: [3, 3, 3] };
        const all = everySplit(problem);
        const answer = split(problem);

        expect(shortOfBest(problem, answer, all)).toEqual([]);
        expect(shortOfLeastVariance(problem, answer, all)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  it('keeps parties, avoided pairs and roles, or says that nothing can', () => {
    fc.assert(
      fc.property(problems(5, 7, 4).chain(constrained), (problem) => {
        expect(shortOfBest(problem, split(problem), everySplit(problem))).toEqual([]);
      }),
      { numRuns: 110 },
    );
  });

  it('has the least difference of means, where that is asked for', () => {
    fc.assert(
      fc.property(problems(5, 7, 3), (plain) => {
        const problem: SplitProblem = { ...plain, objective: { kind: 'mean' } };

        expect(shortOfBest(problem, split(problem), everySplit(problem))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('has the best ratio with bots', () => {
    const bots = fc.record({
      weight: fc.integer({ min: 1, max: 60 }),
      fillTo: fc.integer({ min: 0, max: 14 }),
      maxSizeDifference: fc.integer({ min: 0, max: 2 }),
    });
    fc.assert(
      fc.property(problems(5, 7, 3, { positive: true, rounded: false }), bots, (plain, rules) => {
        const problem: SplitProblem = { ...plain, bots: rules };

        expect(shortOfBest(problem, split(problem), everySplit(problem))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('comes with the next best, distinct and in order', () => {
    fc.assert(
      fc.property(problems(5, 7, 4), fc.integer({ min: 2, max: 20 }), (problem, best) => {
        expect(shortOfRanking(problem, split(problem, { best }), everySplit(problem), best)).toEqual([]);
      }),
      { numRuns: 80 },
    );
  });

  it('is the same for the same seed, and as good in any order', () => {
    fc.assert(
      fc.property(problems(5, 9, 4), fc.nat(), (problem, seed) => {
        const one = solved(problem, { seed });

        expect(split(problem, { seed })).toEqual(one);
        const other = solved({ ...problem, players: problem.players.toReversed() }, { seed });
        const slack = slackOf(problem, one.certificate.quantum);
        expect(Math.abs(other.certificate.value - one.certificate.value)).toBeLessThanOrEqual(slack);
      }),
      { numRuns: 35 },
    );
  });

  it('is no worse than greed for many players, and no swap of two makes it more even', () => {
    fc.assert(
      fc.property(problems(10, 50, 10), (problem) => {
        const byGreed = greedy(problem.players, { teamSizes: problem.teamSizes });
        const { certificate, solutions } = solved(problem);
        const swapped = pairSwap(problem.players, solutions[0]?.teams ?? []);

        expect(certificate.value).toBeLessThanOrEqual(
          Math.min(byGreed?.difference ?? NaN, swapped.difference) + slackOf(problem, certificate.quantum),
        );
      }),
      { numRuns: 20, endOnFailure: true },
    );
  });

  it('is sound when time runs out, and its bound holds', () => {
    fc.assert(
      fc.property(problems(10, 60, 10), fc.constantFrom(-1, 0, 3, 20), (problem, at) => {
        const byGreed = greedy(problem.players, { teamSizes: problem.teamSizes });
        const bySwaps = pairSwap(problem.players, byGreed?.teams ?? []);
        const { certificate } = solved(problem, { deadline: { now: steppingClock(), at } });

        expect(certificate.lowerBound).toBeLessThanOrEqual(
          bySwaps.difference + slackOf(problem, certificate.quantum),
        );
      }),
      { numRuns: 30 },
    );
  });

  it('that keeps constraints is sound when time runs out, or says that none was found', () => {
    fc.assert(
      fc.property(problems(5, 7, 4).chain(constrained), fc.constantFrom(-1, 0, 2, 30), (problem, at) => {
        const answer = split(problem, { deadline: { now: steppingClock(), at } });
        const gaveUp = answer.outcome === 'refused' && answer.why === 'too-large';

        expect(gaveUp ? [] : contradictions(problem, answer, everySplit(problem))).toEqual([]);
      }),
      { numRuns: 75 },
    );
  });

  it('is proven for whole numbers whose residue is reached', () => {
    const players = named(Array.from({ length: 50 }, (_, i) => 800 + ((i * i * 37) % 1_600)));
    const { certificate } = solved({ players, teamSizes: [10, 10, 10, 10, 10] });

    expect(certificate.status).toBe('proven');
  });
});
