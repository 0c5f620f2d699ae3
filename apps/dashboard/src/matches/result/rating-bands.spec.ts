import { describe, expect, it } from 'vitest';
import { playerOf } from '../match.fixture.js';
import { changesOf, placeOf, rangeOf } from './rating-bands.js';

const changes = changesOf({
  players: [
    playerOf('ann', 0, { before: { mu: 30, sigma: 5 }, after: { mu: 32, sigma: 4 } }),
    playerOf('bob', 1, { before: { mu: 20, sigma: 5 }, after: { mu: 18, sigma: 4 } }),
    playerOf('eve', 1),
  ],
});

describe('changes of ratings', () => {
  it('are of players whom the match rated', () => {
    expect(changes.map(({ playerId, change }) => [playerId, change])).toEqual([
      ['ann', 2],
      ['bob', -2],
    ]);
  });

  it('are drawn in one range', () => {
    const range = rangeOf(changes);
    expect(range).toEqual([10, 40]);
    expect(placeOf({ mu: 25, sigma: 7.5 }, range)).toEqual({ from: 0, at: 0.5, to: 1 });
  });

  it('have a range without uncertainty, too', () => {
    const players = [playerOf('ann', 0, { before: { mu: 5, sigma: 0 }, after: { mu: 5, sigma: 0 } })];
    expect(rangeOf(changesOf({ players }))).toEqual([4, 6]);
  });
});
