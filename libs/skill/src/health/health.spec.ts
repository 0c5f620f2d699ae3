import type { RatedMatch } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decilesOf, pairsOf, poolHealth } from './health.js';

const before = { matches: 0, drift: 0, newcomers: 0, converged: 0 };
const rated = (i: number, chance: number, won: boolean, more: Partial<RatedMatch> = {}): RatedMatch => ({
  sequence: i,
  at: 1_000 * i,
  ranks: won ? [1, 2] : [2, 1],
  raw: [chance, 1 - chance],
  chances: [chance, 1 - chance],
  features: [{}, {}],
  drift: 0,
  newcomers: 0,
  converged: 0,
  ...more,
});

describe('R22 pool health', () => {
  it('gives even predictions the figures of a coin', () => {
    const even = Array.from({ length: 10 }, (_, i) => rated(i, 0.5, i % 2 === 0));
    const { overall } = poolHealth(before, even, 2, 8);
    expect(overall.calibrated).toMatchObject({ matches: 10, accuracy: 0.5, brier: 0.25 });
    expect(overall.calibrated.logLoss).toBeCloseTo(Math.LN2, 12);
  });

  it('divides the history into parts, with drift and convergence so far', () => {
    const matches = [
      rated(1, 0.6, true, { newcomers: 2, drift: 4 }),
      rated(2, 0.6, true, { drift: -2, converged: 1 }),
      rated(3, 0.6, false, { newcomers: 2, drift: 2 }),
    ];
    const { periods } = poolHealth({ ...before, newcomers: 4, drift: 8, converged: 1 }, matches, 2, 2);
    expect(
      periods.map(({ players, drift, converged, from, to }) => ({ players, drift, converged, from, to })),
    ).toEqual([
      { players: 6, drift: 10 / 6 / 2, converged: 2 / 6, from: 1_000, to: 2_000 },
      { players: 8, drift: 12 / 8 / 2, converged: 2 / 8, from: 3_000, to: 3_000 },
    ]);
  });

  it('has figures for an empty history', () => {
    const { overall, deciles, periods } = poolHealth(before, [], 30, 8);
    expect(overall.calibrated).toEqual({ matches: 0, decided: 0, accuracy: 0, logLoss: 0, brier: 0 });
    expect([deciles, periods]).toEqual([[], []]);
  });

  it('reads a race as its pairs', () => {
    expect(pairsOf({ ranks: [2, 1, 2] }, [0.2, 0.6, 0.2])).toEqual([
      { chance: 0.25, outcome: 0 },
      { chance: 0.5, outcome: 0.5 },
      { chance: 0.6 / 0.8, outcome: 1 },
    ]);
  });

  it('puts each prediction into one tenth', () => {
    const prediction = fc.record({
      chance: fc.double({ min: 0, max: 1, noNaN: true }),
      outcome: fc.constantFrom(0, 0.5, 1),
    });
    fc.assert(
      fc.property(fc.array(prediction), (predictions) => {
        const deciles = decilesOf(predictions);
        expect(deciles.reduce((sum, { count }) => sum + count, 0)).toBe(predictions.length);
        const total = deciles.reduce((sum, { predicted, count }) => sum + predicted * count, 0);
        expect(total).toBeCloseTo(
          predictions.reduce((sum, { chance }) => sum + chance, 0),
          6,
        );
      }),
    );
  });
});
