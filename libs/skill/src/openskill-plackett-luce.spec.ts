import { Unsolvable } from '@muster/domain';
import fc from 'fast-check';
import { predictWin, rate } from 'openskill';
import { describe, expect, it } from 'vitest';
import { modelNamed } from './models.js';
import { openskillPlackettLuce as model } from './openskill-plackett-luce.js';

const belief = fc.record({
  mu: fc.double({ min: -20, max: 70, noNaN: true }),
  sigma: fc.double({ min: 0.5, max: 9, noNaN: true }),
});
const teams = fc.array(fc.array(belief, { minLength: 1, maxLength: 5 }), { minLength: 2, maxLength: 5 });

describe('R1 OpenSkill Plackett–Luce', () => {
  it('is the package’s, to the bit', () => {
    fc.assert(
      fc.property(teams, (of) => {
        const ranks = of.map((_, i) => (i % 3) + 1);
        const copy = of.map((team) => team.map((p) => ({ ...p })));
        const theirs = rate(copy, { ...model.defaults, epsilon: model.defaults['kappa'], rank: ranks });
        expect(model.rate(of, ranks, {})).toEqual(
          theirs.map((team) => team.map(({ mu, sigma }) => ({ mu, sigma }))),
        );
        if (of.length === 2) expect(model.predict(of, {})[0]).toBeCloseTo(predictWin(copy)[0] ?? NaN, 12);
      }),
    );
  });

  it('predicts chances that add up to 1 and follow strength', () => {
    fc.assert(
      fc.property(teams, (of) => {
        const chances = model.predict(of, {});
        expect(chances.reduce((sum, c) => sum + c, 0)).toBeCloseTo(1, 9);
        for (const chance of chances) expect(chance).toBeGreaterThanOrEqual(0);
      }),
    );
    const [weak, strong] = [
      { mu: 20, sigma: 2 },
      { mu: 30, sigma: 2 },
    ];
    const [first = 0, second = 0, third = 0] = model.predict([[weak], [strong], [weak]], {});
    expect(second).toBeGreaterThan(first);
    expect(first).toBeCloseTo(third, 12);
  });

  it('moves winners up and losers down in a match of two teams', () => {
    fc.assert(
      fc.property(
        fc.array(belief, { minLength: 2, maxLength: 10 }).filter((p) => p.length % 2 === 0),
        (players) => {
          const half = players.length / 2;
          const [winners = [], losers = []] = model.rate(
            [players.slice(0, half), players.slice(half)],
            [1, 2],
            {},
          );
          winners.forEach((p, i) => expect(p.mu).toBeGreaterThanOrEqual(players[i]?.mu ?? NaN));
          losers.forEach((p, i) => expect(p.mu).toBeLessThanOrEqual(players[half + i]?.mu ?? NaN));
        },
      ),
    );
  });

  it.each([
    ['one team', [[{ mu: 25, sigma: 8 }]], [1]],
    ['an empty team', [[{ mu: 25, sigma: 8 }], []], [1, 2]],
    ['ranks of the wrong length', [[{ mu: 25, sigma: 8 }], [{ mu: 25, sigma: 8 }]], [1]],
    ['a rank that is not a number', [[{ mu: 25, sigma: 8 }], [{ mu: 25, sigma: 8 }]], [1, NaN]],
    ['a sigma of 0', [[{ mu: 25, sigma: 0 }], [{ mu: 25, sigma: 8 }]], [1, 2]],
    ['an infinite mu', [[{ mu: Infinity, sigma: 1 }], [{ mu: 25, sigma: 8 }]], [1, 2]],
  ])('refuses %s', (_, of, ranks) => {
    expect(() => model.rate(of, ranks, {})).toThrow(Unsolvable);
  });

  it('is found by its name, and others are refused with the names there are', () => {
    expect(modelNamed('openskill-plackett-luce')).toBe(model);
    expect(() => modelNamed('elo-2000')).toThrow(/openskill-plackett-luce/);
  });
});
