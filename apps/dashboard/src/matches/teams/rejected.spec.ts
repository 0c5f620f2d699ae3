import { describe, expect, it } from 'vitest';
import { matchOf } from '../match.fixture.js';
import type { Match } from '../match.js';
import { alternativeOf } from './rejected.js';

const rejecting = (teams: string[][], sums: number[]): Match => {
  const match = matchOf();
  return { ...match, split: match.split && { ...match.split, rejected: { teams, sums, difference: 4 } } };
};

describe('the best rejected split', () => {
  it('names those who would have been in the other team', () => {
    const match = rejecting(
      [
        ['ann', 'cid'],
        ['bob', 'dan'],
      ],
      [52, 48],
    );
    expect(alternativeOf(match)).toMatchObject({ sums: [52, 48], moved: new Set(['cid', 'bob']) });
  });

  it('is numbered as the teams that were played', () => {
    const match = rejecting([['cid', 'dan', 'bob'], ['ann']], [70, 30]);
    const turned = { teams: [['ann'], ['cid', 'dan', 'bob']], sums: [30, 70], moved: new Set(['bob']) };
    expect(alternativeOf(match)).toMatchObject(turned);
    expect(alternativeOf(match, true)?.sums).toEqual([70, 30]);
  });

  it('is none, where there was none', () => {
    expect(alternativeOf(matchOf())).toBeNull();
    expect(alternativeOf(matchOf({ split: null }))).toBeNull();
  });
});
