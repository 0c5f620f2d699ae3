import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  constrained,
  manySizes,
  named,
  steppingClock,
  twoTeamProblems,
  weights,
} from '../test-support/generators.js';
import { slackOf } from '../test-support/sound.js';
import { solved } from '../test-support/verdicts.js';
import { pairSwap, snake } from '@muster/lab-baselines';
import type { SplitPlayer, SplitProblem } from './problem/problem.js';
import { rebalance } from './rebalance.js';
import { split } from './split.js';
import { splits } from './splits.js';

/** Reads of the clock, each after some ten thousand steps, before the deadline. */
const moments = [5, 20, 100, 1_000] as const;
const until = (at: number): { readonly deadline: { now: () => number; at: number } } => ({
  deadline: { now: steppingClock(), at },
});

/** Random-looking weights between 700 and 1,300, with many digits. */
function scattered(count: number, first = 1): SplitPlayer[] {
  return Array.from({ length: count }, (_, i) => {
    const wild = Math.sin((i + first) * 12.9898) * 43_758.545_3;
    return { id: `p${i}`, weight: 700 + 600 * (wild - Math.floor(wild)) };
  });
}

function bySnakeAndSwaps({ players, teamSizes }: SplitProblem): number {
  return pairSwap(players, snake(players, teamSizes).teams).difference;
}

/** Weights of one kind each in 3 to 10 teams of one size. */
const manyTeams = fc
  .tuple(fc.integer({ min: 3, max: 10 }), fc.integer({ min: 2, max: 10 }))
  .chain(([teams, size]) =>
    weights(teams * size, teams * size).map((list): SplitProblem => ({
      players: named(list),
      teamSizes: Array.from({ length: teams }, () => size),
    })),
  );

/** The values of the answers at some times, in order. */
function worths(problem: SplitProblem, at: readonly number[]): number[] {
  return at.map((moment) => solved(problem, until(moment)).certificate.value);
}

/** Where a later answer is worse than an earlier one. */
function rises(values: readonly number[], slack: number): number[] {
  return values.filter((value, i) => value > (values[i - 1] ?? Infinity) + slack);
}

describe('more time', { timeout: 120_000 }, () => {
  it.each([
    [3, 20],
    [10, 20],
    [4, 30],
  ])('makes %i teams of %i more even, which are never worse than a draft and swaps', (count, size) => {
    const problem = {
      players: scattered(count * size),
      teamSizes: Array.from({ length: count }, () => size),
    };
    const values = worths(problem, moments);
    const [soon = NaN] = values;

    expect(soon).toBeLessThan(bySnakeAndSwaps(problem));
    expect(rises(values, 0)).toEqual([]);
    // From about a player's hundredth to less than a millionth: the search continues from its best result.
    expect(values[3]).toBeLessThan(1e-3 * soon);
  });

  it('is not needed to be as even as a draft and swaps, which swap the first of equal pairs', () => {
    const worse = Array.from({ length: 100 }, (_, first) => {
      const problem = { players: scattered(30, first), teamSizes: Array.from({ length: 10 }, () => 3) };
      return solved(problem, until(-1)).certificate.value / bySnakeAndSwaps(problem);
    }).filter((ratio) => ratio > 1 + 1e-9);

    expect(worse).toEqual([]);
  });

  it('never makes many teams worse, and even a short time leaves them no worse than a draft and swaps', () => {
    fc.assert(
      fc.property(manyTeams, (problem) => {
        const slack = slackOf(problem, solved(problem, until(0)).certificate.quantum);
        const values = worths(problem, moments.slice(0, 3));

        expect(values[0]).toBeLessThanOrEqual(bySnakeAndSwaps(problem) + slack);
        expect(rises(values, slack)).toEqual([]);
      }),
      { numRuns: 30, endOnFailure: true },
    );
  });

  it('never makes many teams of any sizes worse under parties, avoided pairs and roles', () => {
    const problems = weights(12, 30)
      .map(named)
      .chain((players) => manySizes(players.length, 3).map((teamSizes) => ({ players, teamSizes })))
      .chain(constrained);
    fc.assert(
      fc.property(problems, (problem) => {
        const values = [-1, 3, 20, 100].flatMap((at) => {
          const answer = split(problem, until(at));
          return answer.outcome === 'split' ? [answer.certificate.value] : [];
        });

        expect(rises(values, 0)).toEqual([]);
      }),
      { numRuns: 30, endOnFailure: true },
    );
  });

  it('never makes two teams worse whose meet it interrupts: the result of swaps counts, too', () => {
    const problem = { players: scattered(34), teamSizes: [17, 17] };
    const [atOnce = NaN, ...later] = worths(problem, [-1, 10, 20, 30, 200]);

    expect(rises([atOnce, ...later], 0)).toEqual([]);
    expect(later[3]).toBeLessThan(1e-3 * atOnce);
  });

  it('never makes two teams worse', () => {
    const problems = fc.oneof(twoTeamProblems(10, 60), twoTeamProblems(10, 40).chain(constrained));
    fc.assert(
      fc.property(problems, (problem) => {
        const values = [-1, 0, 1, 2, 5, 20, 100].flatMap((at) => {
          const answer = split(problem, until(at));
          return answer.outcome === 'split' ? [answer.certificate.value] : [];
        });

        expect(rises(values, 0)).toEqual([]);
      }),
      { numRuns: 60, endOnFailure: true },
    );
  });

  it('never makes a size of a pool worse, nor retracts a proof', () => {
    fc.assert(
      fc.property(weights(8, 24).map(named), fc.constantFrom('anyone', 'top-plays'), (players, bench) => {
        const answers = [-1, 2, 20, 60].flatMap((at) => {
          const answer = splits({ players, bench }, until(at));
          return answer.outcome === 'splits' ? [answer.splits] : [];
        });
        answers[0]?.forEach((_, i) => {
          expect(
            rises(
              answers.map((sizes) => sizes[i]?.difference ?? NaN),
              0,
            ),
          ).toEqual([]);
          const proofs = answers.map((sizes) => (sizes[i]?.certificate.status === 'proven' ? 0 : 1));
          expect(rises(proofs, 0)).toEqual([]);
        });
      }),
      { numRuns: 30, endOnFailure: true },
    );
  });

  it('never makes swaps between two existing teams worse', () => {
    fc.assert(
      fc.property(weights(16, 36).map(named), (players) => {
        const half = players.length >> 1;
        const current = [players.slice(0, half), players.slice(half)].map((team) => team.map(({ id }) => id));
        const fronts = [-1, 1, 3, 10, 100].flatMap((at) => {
          const answer = rebalance({ players, current: [current[0]!, current[1]!], tolerance: 0 }, until(at));
          return answer.outcome === 'rebalanced' ? [answer] : [];
        });

        expect(
          rises(
            fronts.map(({ front }) => front[front.length - 1]?.difference ?? NaN),
            0,
          ),
        ).toEqual([]);
        expect(
          rises(
            fronts.map(({ exactUpTo }) => -exactUpTo),
            0,
          ),
        ).toEqual([]);
      }),
      { numRuns: 30, endOnFailure: true },
    );
  });
});
