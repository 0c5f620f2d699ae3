import { describe, expect, it } from 'vitest';
import { BrokenRow } from './broken-row.js';
import { fillShares, sharesOf } from './shares.js';

const teams = [['a', 'b'], ['c']];

describe('sharesOf', () => {
  it.each([
    ['0.5|1;0', [[0.5, 1], [0]]],
    ['0.5|1|0', [[0.5, 1], [0]]],
    ['', undefined],
    [' ', undefined],
  ])('reads %j', (text, shares) => {
    expect(sharesOf(text, teams)).toEqual(shares);
  });

  it.each([
    ['1|1', 'players and shares differ in number: 3 and 2'],
    ['1|1;1|1', 'players and shares differ in number: 3 and 4'],
    ['1|;1', 'share "" is not a number from 0 to 1'],
    ['1|50;1', 'share "50" is not a number from 0 to 1'],
    ['1|-0.1;1', 'share "-0.1" is not a number from 0 to 1'],
    ['1|half;1', 'share "half" is not a number from 0 to 1'],
  ])('refuses %j', (text, reason) => {
    expect(() => sharesOf(text, teams)).toThrow(new BrokenRow(reason));
  });
});

describe('fillShares', () => {
  it('replaces unknown shares by the mean of the known ones', () => {
    expect(fillShares([[0.5, 0], [1]])).toEqual([[0.5, 0.75], [1]]);
  });

  it('are 1 if none is known', () => {
    expect(fillShares([[0, 0], [0]])).toEqual([[1, 1], [1]]);
  });
});
