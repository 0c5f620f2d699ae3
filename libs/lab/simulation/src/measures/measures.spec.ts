import type { Meeting } from '@muster/skill';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NewcomerTrack } from '../world/newcomer.js';
import { newcomerFigures } from './newcomers.js';
import { Quantiles } from './quantiles.js';
import { Tally } from './tally.js';

describe('quantiles', () => {
  it('are within a hundredth of those of the sorted values', () => {
    const values = fc.array(fc.double({ min: 0.01, max: 1e7, noNaN: true }), {
      minLength: 1,
      maxLength: 200,
    });
    fc.assert(
      fc.property(values, fc.constantFrom(0.01, 0.25, 0.5, 0.9, 0.99, 1), (given, share) => {
        const quantiles = new Quantiles(0.01);
        for (const value of given) quantiles.add(value);
        const sorted = given.toSorted((a, b) => a - b);
        const exact = sorted[Math.max(0, Math.ceil(share * given.length - 1e-6) - 1)] ?? NaN;
        expect(Math.abs(quantiles.at(share) / exact - 1)).toBeLessThan(0.01);
      }),
    );
  });

  it('count small values as none, and are NaN without values', () => {
    const quantiles = new Quantiles(1);
    expect(quantiles.at(0.5)).toBeNaN();
    quantiles.add(0.5, 3);
    quantiles.add(100);
    expect(quantiles.at(0.75)).toBe(0);
    expect(quantiles.at(0.9)).toBeGreaterThan(99);
    expect(quantiles.mean()).toBe(25.375);
  });
});

describe('a tally', () => {
  it('counts matched and unmatched players', () => {
    const tally = new Tally();
    tally.matched(1_000, { predicted: 0.05, actual: 0.15 }, 2, 2);
    tally.matched(3_000, { predicted: 0.15, actual: 0.05 }, 2, 2);
    tally.gaveUp();
    tally.gaveUp();
    const figures = tally.figures();
    expect(figures.matched).toBe(2);
    expect(figures.gaveUp).toBe(0.5);
    expect(figures.waitMs.mean).toBe(2_000);
    expect(figures.unfairness.predicted).toBeCloseTo(0.1, 12);
    expect(figures.lopsided).toEqual({ predicted: 0.5, actual: 0.5 });
  });
});

describe('newcomers', () => {
  const wonAgainst = (mu: number): Meeting => ({
    matchId: `m${mu}`,
    teams: [[{ playerId: 'ann', mu: 25, sigma: 8 }], [{ playerId: `rival-${mu}`, mu, sigma: 1 }]],
    ranks: [1, 2],
  });
  const course = (beliefs: readonly number[]): NewcomerTrack => {
    const followed = new NewcomerTrack('ann', false, 0, { mu: 25, sigma: 8 }, 35);
    for (const mu of beliefs) followed.count(wonAgainst(25), { mu, sigma: 2 });
    return followed;
  };

  it('need as many matches as it takes until they stay within half a sigma', () => {
    // Within 4 of 35: from the second on; from the third on, since the first time was too soon; never.
    const figures = newcomerFigures([course([27, 32, 36]), course([32, 40, 34]), course([26, 26, 26])], 3, 8);
    expect(figures.players).toBe(3);
    expect(figures.settled).toEqual([0, 0, 1 / 3, 2 / 3]);
    expect(figures.matchesNeeded).toBe(3);
    expect(figures.error[0]).toBeCloseTo(10 / 8, 12);
  });

  it('are excluded when they have not played all matches', () => {
    expect(newcomerFigures([course([27, 32])], 3, 8)).toMatchObject({ players: 0, matchesNeeded: null });
  });

  it('are tried at the level of a search, and seeded with the result', () => {
    const searched = new NewcomerTrack('ann', false, 2, { mu: 25, sigma: 8 }, 35);
    expect(searched.probe).toEqual({ level: 25, match: 1, of: 2 });
    expect(searched.count(wonAgainst(25), { mu: 26, sigma: 7 })).toBeNull();
    expect(searched.probe?.level).toBeGreaterThan(25);
    const found = searched.count(wonAgainst(31), { mu: 27, sigma: 6 });
    expect(found?.mu).toBeGreaterThan(28);
    expect(found?.sigma).toBeLessThan(8);
    expect(searched.probe).toBeNull();
    expect(searched.wasCalibrated).toBe(true);
  });
});
