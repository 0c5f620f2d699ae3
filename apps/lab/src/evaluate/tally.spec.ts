import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Tally } from './tally.js';

function tallyOf(...matches: [chances: number[], ranks: number[]][]): Tally {
  const tally = new Tally();
  for (const [chances, ranks] of matches) tally.add(chances, ranks);
  return tally;
}

describe('Tally', () => {
  it('scores matches of two teams as predictions of the first', () => {
    const figures = tallyOf(
      [
        [0.8, 0.2],
        [1, 2],
      ],
      [
        [0.7, 0.3],
        [2, 1],
      ],
    ).figures();
    expect(figures?.accuracy).toBe(0.5);
    expect(figures?.logLoss).toBeCloseTo(-(Math.log(0.8) + Math.log(0.3)) / 2, 12);
    expect(figures?.brier).toBeCloseTo((0.04 + 0.49) / 2, 12);
  });

  it('ignores draws, and is null without matches', () => {
    const tally = tallyOf([
      [0.8, 0.2],
      [1, 1],
    ]);
    expect([tally.matches, tally.figures(), tally.reliability()]).toEqual([0, null, []]);
  });

  it('is the mean over the untied pairs of a race', () => {
    // The pairs are 1-2 and 1-3: two and three tied.
    const figures = tallyOf([
      [0.5, 0.3, 0.2],
      [1, 2, 2],
    ]).figures();
    expect(figures?.logLoss).toBeCloseTo(-(Math.log(0.5 / 0.8) + Math.log(0.5 / 0.7)) / 2, 12);
    expect(figures?.accuracy).toBe(1);
  });

  it('counts a race as one match', () => {
    const tally = tallyOf(
      [
        [0.9, 0.1],
        [2, 1],
      ],
      [
        [0.6, 0.3, 0.1],
        [1, 2, 3],
      ],
    );
    expect(tally.matches).toBe(2);
    expect(tally.figures()?.accuracy).toBe(0.5);
    expect(tally.reliability().reduce((sum, { count }) => sum + count, 0)).toBeCloseTo(2, 12);
  });

  it('sorts predictions by tenths of the chance', () => {
    const bins = tallyOf(
      [
        [0.62, 0.38],
        [1, 2],
      ],
      [
        [0.68, 0.32],
        [2, 1],
      ],
      [
        [1, 0],
        [1, 2],
      ],
    ).reliability();
    expect(bins).toEqual([
      { count: 2, predicted: expect.closeTo(0.65, 12) as number, happened: 0.5 },
      { count: 1, predicted: 1, happened: 1 },
    ]);
  });

  it('has finite figures and bins within 0 and 1 for all chances', () => {
    const chance = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 1, 5e-324));
    const match = fc
      .array(fc.tuple(chance, fc.integer({ min: 1, max: 4 })), { minLength: 2, maxLength: 6 })
      .map((teams): [number[], number[]] => [teams.map(([p]) => p), teams.map(([, rank]) => rank)]);
    fc.assert(
      fc.property(fc.array(match, { minLength: 1, maxLength: 8 }), (matches) => {
        const tally = tallyOf(...matches);
        for (const figure of Object.values(tally.figures() ?? {})) expect(figure).toBeGreaterThanOrEqual(0);
        for (const figure of Object.values(tally.figures() ?? {})) expect(figure).toBeLessThan(30);
        for (const { predicted, happened } of tally.reliability())
          expect(Math.min(predicted, happened) >= 0 && Math.max(predicted, happened) <= 1).toBe(true);
      }),
    );
  });
});
