import { describe, expect, it } from 'vitest';
import { movedBy, outcomeOf } from './played.js';

describe('how a match ended for a player', () => {
  it.each([
    ['rated', [1, 2], 0, 'won'],
    ['ended', [1, 2], 1, 'lost'],
    ['rated', [1, 1], 1, 'draw'],
    ['rated', [1, 3, 2], 1, 'place 3 of 3'],
    ['rated', [1, 2, 2], 1, 'shared place 2 of 3'],
    ['placed', [], 0, 'in progress'],
    ['void', [1, 2], 0, 'void'],
    ['rated', [1, 2], undefined, 'rated'],
  ] as const)('%s %j of team %s: %s', (state, ranks, team, words) => {
    expect(outcomeOf({ state, ranks: [...ranks] }, team)).toBe(words);
  });

  it('tells the change where both ratings are known', () => {
    expect(movedBy({ before: { mu: 25, sigma: 8 }, after: { mu: 26.5, sigma: 7 } })).toBe(1.5);
    expect(movedBy({ before: null, after: null })).toBeNull();
  });
});
