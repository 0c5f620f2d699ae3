import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compared, settleChain } from './chain.js';

const performance = fc.record({
  mu: fc.double({ min: -300, max: 300, noNaN: true }),
  variance: fc.double({ min: 0.01, max: 500, noNaN: true }),
});

describe('R7 the chain of comparisons', () => {
  it('of two teams is the closed form', () => {
    fc.assert(
      fc.property(
        performance,
        performance,
        fc.boolean(),
        fc.double({ min: 0, max: 20, noNaN: true }),
        (a, b, drawn, margin) => {
          const [first, second] = settleChain([a, b], [{ drawn, margin }]);
          const c = Math.sqrt(a.variance + b.variance);
          const [v, w] = compared(a.mu - b.mu, c, drawn, margin);
          const scale = Math.max(1, Math.abs(v / c));
          expect(Math.abs((first?.mean ?? NaN) - v / c)).toBeLessThan(1e-9 * scale);
          expect(Math.abs((second?.mean ?? NaN) + v / c)).toBeLessThan(1e-9 * scale);
          expect((first?.spread ?? NaN) * c * c).toBeCloseTo(w, 9);
          expect((second?.spread ?? NaN) * c * c).toBeCloseTo(w, 9);
        },
      ),
    );
  });

  it('leaves a performance of zero variance unchanged', () => {
    const shifts = settleChain(
      [
        { mu: 3, variance: 0 },
        { mu: 5, variance: 4 },
        { mu: 4, variance: 0 },
      ],
      [
        { drawn: false, margin: 0 },
        { drawn: true, margin: 1 },
      ],
    );
    expect(shifts[0]).toEqual({ mean: 0, spread: 0 });
    expect(shifts[2]).toEqual({ mean: 0, spread: 0 });
    // It came below 3 and within 1 of 4; the two nearly contradict each other, and the answer is between them.
    expect(5 + 4 * (shifts[1]?.mean ?? NaN)).toBeGreaterThan(2.5);
    expect(5 + 4 * (shifts[1]?.mean ?? NaN)).toBeLessThan(4);
  });

  it('stays finite where performances of zero variance contradict the ranking', () => {
    for (const margin of [0, 0.7, 0.74045, 0.75, 3]) {
      const [, between] = settleChain(
        [
          { mu: 0, variance: 0 },
          { mu: 25, variance: 17.5 },
          { mu: 0, variance: 0 },
        ],
        [
          { drawn: true, margin },
          { drawn: false, margin },
        ],
      );
      expect(25 + 17.5 * (between?.mean ?? NaN)).toBeGreaterThan(-1);
      expect(25 + 17.5 * (between?.mean ?? NaN)).toBeLessThan(margin + 1);
      expect(17.5 * (between?.spread ?? NaN)).toBeLessThanOrEqual(1);
    }
  });

  it('converges for a long chain of surprises, each in the order of the ranking', () => {
    const teams = Array.from({ length: 60 }, (_, k) => ({ mu: k, variance: 50 }));
    const shifts = settleChain(
      teams,
      teams.slice(1).map(() => ({ drawn: false, margin: 0.5 })),
    );
    const after = teams.map(({ mu, variance }, k) => mu + variance * (shifts[k]?.mean ?? NaN));
    for (let k = 1; k < after.length; k++) expect(after[k]).toBeLessThan(after[k - 1] ?? NaN);
    for (const { spread } of shifts) expect(50 * spread).toBeLessThan(1);
  });
});
