import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { named, twoSizes, twoTeamProblems, weights } from '../test-support/generators.js';
import { everySplit } from '../test-support/partitions.js';
import { shortOfBest, shortOfRanking, solved } from '../test-support/verdicts.js';
import { slackOf } from '../test-support/sound.js';
import { enumerate, greedy, pairSwap } from '@muster/lab-baselines';
import type { SplitProblem } from './problem/problem.js';
import { split } from './split.js';

describe('a split of two teams', { timeout: 60_000 }, () => {
  it('equals the reference solution, and is proven', () => {
    fc.assert(
      fc.property(twoTeamProblems(2, 10), (problem) => {
        expect(shortOfBest(problem, split(problem), everySplit(problem))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('equals enumeration, for more players', () => {
    fc.assert(
      fc.property(twoTeamProblems(11, 16), (problem) => {
        const { certificate } = solved(problem);
        const { difference } = enumerate(problem).best;
        const slack = slackOf(problem, certificate.quantum);

        expect(certificate.status).toBe('proven');
        expect(Math.abs(certificate.value - difference)).toBeLessThanOrEqual(slack);
        expect(certificate.lowerBound).toBeLessThanOrEqual(difference + slack - certificate.quantum);
      }),
      { numRuns: 60 },
    );
  });

  it('has the least difference of means, where requested', () => {
    fc.assert(
      fc.property(twoTeamProblems(2, 9), (plain) => {
        const problem: SplitProblem = { ...plain, objective: { kind: 'mean' } };

        expect(shortOfBest(problem, split(problem), everySplit(problem))).toEqual([]);
      }),
      { numRuns: 170 },
    );
  });

  it('has chances to win nearest to even, where requested', () => {
    const problems = fc
      .tuple(
        twoTeamProblems(2, 7, { rounded: false }),
        fc.double({ min: 0.1, max: 500, noNaN: true }),
        fc.double({ min: 0, max: 300, noNaN: true }),
      )
      .map(([plain, beta, sigma]): SplitProblem => ({
        ...plain,
        objective: {
          kind: 'win',
          beta,
          sigmas: Object.fromEntries(plain.players.map(({ id }, i) => [id, sigma / (i + 1)])),
        },
      }));
    fc.assert(
      fc.property(problems, (problem) => {
        expect(shortOfBest(problem, split(problem), everySplit(problem))).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});

describe('the best few splits', { timeout: 60_000 }, () => {
  it('equal those of the reference solution, in order', () => {
    fc.assert(
      fc.property(twoTeamProblems(2, 9), fc.integer({ min: 2, max: 30 }), (problem, best) => {
        expect(shortOfRanking(problem, split(problem, { best }), everySplit(problem), best)).toEqual([]);
      }),
      { numRuns: 250 },
    );
  });

  it('are the best few by the means, too', () => {
    fc.assert(
      fc.property(twoTeamProblems(3, 8), fc.integer({ min: 2, max: 12 }), (plain, best) => {
        const problem: SplitProblem = { ...plain, objective: { kind: 'mean' } };

        expect(shortOfRanking(problem, split(problem, { best }), everySplit(problem), best)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('begin with the one that is returned when one is requested', () => {
    fc.assert(
      fc.property(twoTeamProblems(2, 24), (problem) => {
        const slack = slackOf(problem, solved(problem).certificate.quantum);
        const one = solved(problem).certificate.value;
        const first = solved(problem, { best: 20 }).certificate.value;

        expect(Math.abs(one - first)).toBeLessThanOrEqual(slack);
      }),
      { numRuns: 65 },
    );
  });
});

describe('the draw', { timeout: 60_000 }, () => {
  const players = named([31, 29, 23, 17, 12, 7, 3, 2]);
  const problem: SplitProblem = { players, teamSizes: [4, 4] };
  const draws = 2_000;

  it.each([0, 1, 8, 40])('takes each with a probability proportional to ratio^%d', (power) => {
    const best = 5;
    const { solutions } = solved(problem, { best });
    const counts = solutions.map(() => 0);
    for (let seed = 0; seed < draws; seed++) {
      const { chosen } = solved(problem, { best, power, seed });
      counts[chosen] = (counts[chosen] ?? 0) + 1;
    }
    const shares = solutions.map(({ ratio }) => ratio ** power);
    const all = shares.reduce((sum, share) => sum + share, 0);
    const chiSquare = counts.reduce((sum, count, i) => {
      const expected = (draws * (shares[i] ?? NaN)) / all;
      return sum + (count - expected) ** 2 / expected;
    }, 0);

    expect(solutions).toHaveLength(best);
    // Four degrees of freedom: one in ten thousand draws is beyond.
    expect(chiSquare).toBeLessThan(23.5);
  });

  it('takes the best without a power', () => {
    for (let seed = 0; seed < 50; seed++) expect(solved(problem, { best: 5, seed }).chosen).toBe(0);
  });

  it('does not change the set of splits', () => {
    const { solutions } = solved(problem, { best: 5 });
    expect(solved(problem, { best: 5, power: 2, seed: 77 }).solutions).toEqual(solutions);
  });
});

describe('an answer', { timeout: 60_000 }, () => {
  it('is the same for the same problem and seed', () => {
    fc.assert(
      fc.property(twoTeamProblems(2, 30), fc.nat(), (problem, seed) => {
        const options = { best: 4, seed, power: 3 };

        expect(split(problem, options)).toEqual(split(problem, options));
      }),
      { numRuns: 65 },
    );
  });

  it('is equally good for any order of players', () => {
    const shuffled = twoTeamProblems(2, 24).chain((problem) =>
      fc
        .shuffledSubarray([...problem.players], {
          minLength: problem.players.length,
          maxLength: problem.players.length,
        })
        .map((players) => ({ problem, players })),
    );
    fc.assert(
      fc.property(shuffled, ({ problem, players }) => {
        const one = solved(problem).certificate;
        const other = solved({ ...problem, players }).certificate;
        const slack = slackOf(problem, one.quantum);

        expect(other.status).toBe(one.status);
        expect(Math.abs(one.value - other.value)).toBeLessThanOrEqual(slack);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a split of many players', { timeout: 60_000 }, () => {
  const integers = fc.oneof(
    fc.array(fc.integer({ min: 800, max: 2_400 }), { minLength: 17, maxLength: 100 }),
    fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 17, maxLength: 100 }),
    fc.array(fc.integer({ min: -500, max: 500 }), { minLength: 17, maxLength: 100 }),
  );

  it('is proven for whole numbers, and no worse than the baselines', () => {
    const problems = integers
      .map(named)
      .chain((players) => twoSizes(players.length).map((teamSizes) => ({ players, teamSizes })));
    fc.assert(
      fc.property(problems, (problem) => {
        const { certificate } = solved(problem);
        const byGreed = greedy(problem.players, { teamSizes: problem.teamSizes });
        const bySwaps = pairSwap(problem.players, byGreed?.teams ?? []);

        expect(certificate.status).toBe('proven');
        expect(certificate.value).toBeLessThanOrEqual(byGreed?.difference ?? NaN);
        expect(certificate.value).toBeLessThanOrEqual(bySwaps.difference);
        // For every split, the difference is odd where the sum of all is.
        const parity = Math.abs(problem.players.reduce((sum, { weight }) => sum + weight, 0)) % 2;
        expect(certificate.value % 2).toBe(parity);
      }),
      { numRuns: 65 },
    );
  });

  it('is proven for doubles up to 32 players', () => {
    const problems = weights(20, 32)
      .map(named)
      .map((players): SplitProblem => {
        const half = Math.floor(players.length / 2);
        return { players, teamSizes: [half, players.length - half] };
      });
    fc.assert(
      fc.property(problems, (problem) => {
        const { certificate } = solved(problem);
        const byGreed = greedy(problem.players, { teamSizes: problem.teamSizes });
        const bySwaps = pairSwap(problem.players, byGreed?.teams ?? []);

        expect(certificate.status).toBe('proven');
        expect(certificate.value).toBeLessThanOrEqual(
          bySwaps.difference + slackOf(problem, certificate.quantum),
        );
      }),
      { numRuns: 60 },
    );
  });
});
