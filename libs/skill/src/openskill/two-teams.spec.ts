import { rate as packageRate } from 'openskill';
import { thurstoneMostellerFull } from 'openskill/models';
import { describe, expect, it } from 'vitest';
import { modelOf } from '../models.js';
import { normalUpdate } from './two-teams.js';

describe('R1 Thurstone–Mosteller in the tails', () => {
  const beta = 25 / 6;
  const sigma = 3;
  const c = Math.sqrt(2 * sigma ** 2 + 2 * beta ** 2);
  const upset = (gap: number) => [[{ mu: 25 - gap * c, sigma }], [{ mu: 25, sigma }]];

  it('the package’s own figures break down near a gap of 8', () => {
    const sigmas = [7.5, 7.8, 8, 8.1, 8.2].map(
      (gap) =>
        packageRate(upset(gap), { rank: [1, 2], tau: 0, model: thurstoneMostellerFull })[0]?.[0]?.sigma ??
        NaN,
    );
    expect(Math.min(...sigmas)).toBeLessThan(2);
  });

  it.each([2, 3])('this implementation stays smooth, with %d teams', (count) => {
    const model = modelOf('openskill-thurstone-mosteller-full', { beta, tau: 0 });
    let before = { mu: Infinity, sigma: Infinity };
    for (let gap = 4; gap < 60; gap += 0.05) {
      // The third is far behind, so that its effect is zero.
      const teams = [...upset(gap), [{ mu: -1e6, sigma }]].slice(0, count);
      const [[winner = {}] = []] = model.rate({ teams }, [1, 2, 3].slice(0, count));
      const after = model.belief(winner);
      expect(after.sigma).toBeLessThan(before.sigma);
      expect(after.sigma).toBeGreaterThan(2.89);
      expect(after.mu).toBeLessThan(before.mu);
      before = after;
    }
  });

  it('a draw without a margin makes the teams equal', () => {
    const noise = beta ** 2;
    const update = normalUpdate(0, 1);
    const [up, down] = update({ mu: 20, variance: 9, noise }, { mu: 30, variance: 9, noise }, 0.5);
    expect(up.mean).toBeCloseTo(10 / c ** 2, 12);
    expect(down.mean).toBeCloseTo(-10 / c ** 2, 12);
  });
});
