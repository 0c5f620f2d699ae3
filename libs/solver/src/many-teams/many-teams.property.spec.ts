import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  contradictions,
  shortOfBest,
  shortOfLeastVariance,
  shortOfRanking,
  solved,
} from '../../test-support/verdicts.js';
import { constrained, manySizes, named, steppingClock, weights } from '../../test-support/generators.js';
import { everySplit } from '../../test-support/partitions.js';
import { slackOf } from '../../test-support/sound.js';
import { greedy, pairSwap } from '@muster/lab-baselines';
import type { SplitProblem } from '../problem/problem.js';
import { split } from '../split.js';

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

/** The reference solution's best ratios of a problem with bots, once `shift` is added to all weights. */
function bestRatios(problem: SplitProblem, shift: number, best: number): number[] {
  const { players, bots } = problem;
  const raised: SplitProblem = {
    ...problem,
    players: players.map((player) => ({ ...player, weight: player.weight + shift })),
    bots: bots && { ...bots, weight: bots.weight + shift },
  };
  return everySplit(raised)
    .slice(0, best)
    .map(({ value }) => 1 - value);
}

describe('a split of more than two teams', { timeout: 60_000 }, () => {
  it('equals the reference solution, then has the least variance', () => {
    fc.assert(
      fc.property(problems(5, 8, 4), (problem) => {
        const all = everySplit(problem);
        const answer = split(problem);

        expect(shortOfBest(problem, answer, all)).toEqual([]);
        expect(shortOfLeastVariance(problem, answer, all)).toEqual([]);
      }),
      { numRuns: 40 },
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

  it('satisfies parties, avoided pairs and roles, or reports infeasibility', () => {
    fc.assert(
      fc.property(problems(5, 7, 4).chain(constrained), (problem) => {
        expect(shortOfBest(problem, split(problem), everySplit(problem))).toEqual([]);
      }),
      { numRuns: 45 },
    );
  });

  it('has the least difference of means, where requested', () => {
    fc.assert(
      fc.property(problems(5, 7, 3), (plain) => {
        const problem: SplitProblem = { ...plain, objective: { kind: 'mean' } };

        expect(shortOfBest(problem, split(problem), everySplit(problem))).toEqual([]);
      }),
      { numRuns: 30 },
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
      { numRuns: 30 },
    );
  });

  it('has the best ratios with bots where a sum is not positive, with the same number added to all weights', () => {
    // Around zero, so that teams of some sizes can have a sum of at most zero and teams of others cannot.
    const light = fc.oneof(fc.integer({ min: -1, max: 12 }), fc.constant(0));
    const players = fc.array(light, { minLength: 4, maxLength: 6 }).map(named);
    const bots = fc.record({
      weight: fc.integer({ min: -5, max: 30 }),
      fillTo: fc.nat({ max: 8 }),
      maxSizeDifference: fc.nat({ max: 3 }),
    });
    const withBots = fc
      .tuple(players, bots)
      .chain(([list, rules]) =>
        manySizes(list.length, 3).map((teamSizes) => ({ players: list, teamSizes, bots: rules })),
      );
    fc.assert(
      fc.property(withBots, fc.integer({ min: 1, max: 5 }), (problem, best) => {
        // The soundness check includes that the shift is the same for all sizes.
        const { shift, solutions, ranked } = solved(problem, { best });
        const wanted = bestRatios(problem, shift, best);

        expect(ranked).toBe(true);
        expect(solutions).toHaveLength(wanted.length);
        solutions.forEach(({ ratio }, i) => expect(ratio).toBeCloseTo(wanted[i] ?? NaN, 9));
      }),
      { numRuns: 40 },
    );
  });

  it('adds the same number to weights for all sizes: two players of zero fill a team of [2, 2, 1], none of [3, 1, 1]', () => {
    const players = [0, 5, 13, 0, 1].map((weight, i) => ({ id: 'abcde'[i] ?? '', weight }));
    const bots = { weight: 23, fillTo: 0, maxSizeDifference: 2 };
    const { shift, solutions } = solved({ players, teamSizes: [2, 2, 1], bots }, { best: 2 });

    expect(shift).toBeCloseTo(2.3, 12);
    // Raised, a bot weighs 25.3: b, c and e 25.9 against a or d and two bots 52.9; then b, c and a 24.9 against e's 53.9.
    const [first, second] = solutions.map(({ ratio }) => ratio);
    expect(first).toBeCloseTo(25.9 / 52.9, 12);
    expect(second).toBeCloseTo(24.9 / 53.9, 12);
  });

  it('ranks teams of one size by ratio, not by difference, where there are bots', () => {
    const players = named([-1, 0, 0, 0, -1, 0]);
    const bots = { weight: -2, fillTo: 3, maxSizeDifference: 0 };
    const { shift, solutions } = solved({ players, teamSizes: [2, 2, 2], bots }, { best: 3 });

    expect(shift).toBeCloseTo(2.2, 12);
    // Twelve splits separate the two of −1; raised, their teams weigh 3.4, the third 4.4.
    for (const { ratio } of solutions) expect(ratio).toBeCloseTo(3.4 / 4.4, 12);
  });

  it('includes the next best, distinct and in order', () => {
    fc.assert(
      fc.property(problems(5, 7, 4), fc.integer({ min: 2, max: 20 }), (problem, best) => {
        expect(shortOfRanking(problem, split(problem, { best }), everySplit(problem), best)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('is the same for the same seed, and equally good in any order', () => {
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

  it('is sound when time runs out, with a valid bound', () => {
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

  it('under constraints is sound when time runs out, or reports that none was found', () => {
    fc.assert(
      fc.property(problems(5, 7, 4).chain(constrained), fc.constantFrom(-1, 0, 2, 30), (problem, at) => {
        const answer = split(problem, { deadline: { now: steppingClock(), at } });
        const gaveUp = answer.outcome === 'refused' && answer.why === 'too-large';

        expect(gaveUp ? [] : contradictions(problem, answer, everySplit(problem))).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('is proven for whole numbers whose residue is reached', () => {
    const players = named(Array.from({ length: 50 }, (_, i) => 800 + ((i * i * 37) % 1_600)));
    const { certificate } = solved({ players, teamSizes: [10, 10, 10, 10, 10] });

    expect(certificate.status).toBe('proven');
  });
});
