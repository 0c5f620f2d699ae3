import { describe, expect, it } from 'vitest';
import { snake } from './snake.js';

const named = (weights: readonly number[]): { id: string; weight: number }[] =>
  weights.map((weight, i) => ({ id: `p${i}`, weight }));

describe('a snake draft', () => {
  it('reverses direction at both ends', () => {
    expect(snake(named([1, 2, 3, 4, 5, 6, 7, 8, 9]), [3, 3, 3])).toMatchObject({
      teams: [
        ['p8', 'p3', 'p2'],
        ['p7', 'p4', 'p1'],
        ['p6', 'p5', 'p0'],
      ],
      sums: [16, 15, 14],
      difference: 2,
      operations: 9,
      finished: true,
    });
  });

  it('skips a full team', () => {
    expect(snake(named([9, 8, 7, 6, 5, 4]), [1, 2, 3]).teams).toEqual([
      ['p0'],
      ['p1', 'p4'],
      ['p2', 'p3', 'p5'],
    ]);
  });

  it('refuses sizes without room for all players', () => {
    expect(snake(named([3, 2, 1]), [1, 1])).toMatchObject({ teams: [['p0'], ['p1']], finished: false });
  });
});
