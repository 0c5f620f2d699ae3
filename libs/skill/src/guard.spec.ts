import { Unsolvable } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { modelOf } from './models.js';
import { amount, choice, readParameters } from './parameters.js';

const model = modelOf('openskill-plackett-luce');
const one = { mu: 25, sigma: 8 };

describe('input that a model is guarded from', () => {
  it.each([
    ['one team', { teams: [[one]] }, [1], /at least two teams; there is one/],
    ['an empty team', { teams: [[one], []] }, [1, 2], /Team 2 has no players/],
    ['ranks of the wrong length', { teams: [[one], [one]] }, [1], /2 teams but 1 ranks/],
    ['a rank that is not a number', { teams: [[one], [one]] }, [1, NaN], /rank of team 2 is NaN/],
    ['half a rank', { teams: [[one], [one]] }, [1, 1.5], /whole number/],
    ['a sigma of 0', { teams: [[{ mu: 25, sigma: 0 }], [one]] }, [1, 2], /Player 1 of team 1 .*sigma 0/],
    ['an infinite mean', { teams: [[one], [{ mu: Infinity, sigma: 1 }]] }, [1, 2], /Player 1 of team 2/],
    ['a weight below 0', { teams: [[one], [one]], weights: [[-1], [1]] }, [1, 2], /-1 among the weights/],
    ['weights of another shape', { teams: [[one], [one]], weights: [[1]] }, [1, 2], /weights of 1/],
    [
      'odds for one team alone',
      { teams: [[one], [one]], odds: [1] },
      [1, 2],
      /log-odds for each of the 2 teams/,
    ],
    ['a time that is none', { teams: [[one], [one]], at: NaN }, [1, 2], /time of the match is NaN/],
  ])('refuses %s', (_what, contest, ranks, reason) => {
    expect(() => model.rate(contest, ranks)).toThrow(Unsolvable);
    expect(() => model.rate(contest, ranks)).toThrow(reason);
  });

  it('refuses an impossible rating', () => {
    expect(() => model.seed({ mu: NaN, sigma: 1 })).toThrow(/finite mean/);
    expect(() => model.seed({ mu: 1, sigma: -1 })).toThrow(/above 0/);
  });
});

describe('parameters', () => {
  const specs = { k: amount(32, 1, 100, 'step'), curve: choice(['logistic', 'normal'], 'shape') };

  it('have defaults', () => {
    expect(readParameters(specs, { k: 20 })).toEqual({ k: 20, curve: 'logistic' });
  });

  it.each([
    [{ q: 1 }, /no parameter "q"; there is k, curve/],
    [{ k: 0 }, /"k" is 0; it must be a number from 1 to 100/],
    [{ k: NaN }, /must be a number/],
    [{ k: '20' }, /must be a number/],
    [{ curve: 'flat' }, /must be one of logistic, normal/],
  ])('refuse %j', (given, reason) => {
    expect(() => readParameters(specs, given)).toThrow(reason);
  });
});
