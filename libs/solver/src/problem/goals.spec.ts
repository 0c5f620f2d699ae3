import { describe, expect, it } from 'vitest';
import { bySecondGoals } from './goals.js';
import type { SplitProblem } from './problem.js';
import { quantise } from './quantise.js';
import { solutionOf } from './solution.js';

describe('the goal "parties"', () => {
  it('compares the largest party of a team with the largest of the other, and so on', () => {
    const sizes = { a: 3, b: 3, c: 2 };
    const inParties = Object.entries(sizes).flatMap(([party, size]) =>
      Array.from({ length: size }, (_, i) => ({ id: `${party}${i}`, weight: 10, party })),
    );
    const solos = Array.from({ length: 4 }, (_, i) => ({ id: `s${i}`, weight: 10 }));
    const problem: SplitProblem = { players: [...inParties, ...solos], teamSizes: [6, 6] };
    const weights = quantise(problem.players.map(({ weight }) => weight));
    // Threes together, against a two; and a three and a two against a three.
    const together = solutionOf(problem, weights, 0, [
      [0, 1, 2, 3, 4, 5],
      [6, 7, 8, 9, 10, 11],
    ]);
    const apart = solutionOf(problem, weights, 0, [
      [0, 1, 2, 6, 7, 8],
      [3, 4, 5, 9, 10, 11],
    ]);

    expect(bySecondGoals(problem, weights, [together, apart], ['parties'])).toEqual([apart, together]);
  });
});
