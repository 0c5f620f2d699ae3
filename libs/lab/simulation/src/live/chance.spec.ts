import { modelOf } from '@muster/skill';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chanceOfFirst } from './chance.js';

const sums = fc.record({
  ahead: fc.double({ min: -100, max: 100, noNaN: true }),
  players: fc.integer({ min: 2, max: 64 }),
  performance: fc.double({ min: 1, max: 20, noNaN: true }),
});

describe('the chance of the first team', () => {
  it('is even for teams of equal strength, and when nobody plays', () => {
    expect(chanceOfFirst(0, 20, 25 / 6)).toBe(0.5);
    expect(chanceOfFirst(5, 0, 25 / 6)).toBe(0.5);
  });

  it('equals the default model of a pool for two teams with the noise of their performances', () => {
    fc.assert(
      fc.property(sums, ({ ahead, players, performance }) => {
        // The model's performance is per team; the difference to one per player is added as uncertainty.
        const beta = 1e-6;
        const sigma = Math.sqrt((players * performance ** 2) / 2);
        const model = modelOf('openskill-plackett-luce', { beta });
        const [first = NaN] = model.predict({ teams: [[{ mu: 25 + ahead, sigma }], [{ mu: 25, sigma }]] });
        expect(chanceOfFirst(ahead, players, performance)).toBeCloseTo(first, 6);
      }),
    );
  });

  it('is the complement for the other team, and less certain with more noise in the game', () => {
    fc.assert(
      fc.property(sums, ({ ahead, players, performance }) => {
        const first = chanceOfFirst(ahead, players, performance);
        expect(first + chanceOfFirst(-ahead, players, performance)).toBeCloseTo(1, 12);
        expect(Math.abs(chanceOfFirst(ahead, players, 2 * performance) - 0.5)).toBeLessThanOrEqual(
          Math.abs(first - 0.5),
        );
      }),
    );
  });
});
