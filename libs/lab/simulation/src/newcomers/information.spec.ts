import { seededRandom, type Random } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalBelow } from '@muster/skill';
import { informationOf, leastError, leastMatches, settledByBound } from './information.js';
import { simulatePlacement } from './simulate-placement.js';
import { boundOf, evenBoundOf, simulateSpeed } from './speed.js';
import { normal } from './world.js';

const duel = { teamSize: 1, performance: 25 / 6, doubt: 1.5 };
const fives = { ...duel, teamSize: 5 };

const range = (length: number): number[] => Array.from({ length }, (_, i) => i);

/** Matches with the spread of their difference. */
const anyMatch = fc.record({
  teamSize: fc.integer({ min: 1, max: 20 }),
  performance: fc.double({ min: 0.1, max: 100, noNaN: true }),
  doubt: fc.double({ min: 0, max: 100, noNaN: true }),
});

const spreadOf = ({ teamSize: n, performance, doubt }: typeof duel): number =>
  Math.sqrt(2 * n * performance ** 2 + (2 * n - 1) * doubt ** 2);

describe('the information of a result', () => {
  it('is the mean square of the slope of its log-likelihood', () => {
    fc.assert(
      fc.property(anyMatch, fc.double({ min: -4, max: 4, noNaN: true }), (match, z) => {
        const spread = spreadOf(match);
        const step = 1e-4 * spread;
        const slope = (sign: 1 | -1): number => {
          const logAt = (gap: number): number => Math.log(normalBelow((sign * gap) / spread));
          return (logAt(z * spread + step) - logAt(z * spread - step)) / (2 * step);
        };
        const mean = normalBelow(z) * slope(1) ** 2 + normalBelow(-z) * slope(-1) ** 2;
        expect(informationOf(match, z * spread) / mean).toBeCloseTo(1, 4);
      }),
    );
  });

  it('is largest in an even match, the same for both sides, and never NaN', () => {
    fc.assert(
      fc.property(anyMatch, fc.double({ min: -1e6, max: 1e6, noNaN: true }), (match, gap) => {
        const information = informationOf(match, gap);
        expect(information).toBeGreaterThanOrEqual(0);
        expect(information).toBeLessThanOrEqual(informationOf(match) * (1 + 1e-12));
        expect(informationOf(match, -gap)).toBe(information);
      }),
    );
    expect(informationOf(duel)).toBeCloseTo(2 / (Math.PI * spreadOf(duel) ** 2), 12);
  });

  it('of a duel is that of more than five matches of five a side', () => {
    expect(informationOf(duel) / informationOf(fives)).toBeCloseTo(5.24, 2);
  });

  it('refuses a match without players or without chance', () => {
    for (const wrong of [
      { ...duel, teamSize: 0 },
      { ...duel, teamSize: 1.5 },
      { ...duel, performance: 0 },
      { ...duel, doubt: NaN },
      { ...duel, doubt: Infinity },
    ])
      expect(() => informationOf(wrong)).toThrow(/at least one player a side/);
  });
});

/** The mean of the exact posterior on a grid, after each of some matches against a level at the mean before. */
function posteriorMeans(truth: number, matches: number, spread: number, random: Random): number[] {
  const grid = Array.from({ length: 121 }, (_, i) => (i - 60) / 12);
  let weights = grid.map((x) => Math.exp(-0.5 * x * x));
  let level = 0;
  return Array.from({ length: matches }, () => {
    const side = random() < normalBelow((truth - level) / spread) ? 1 : -1;
    weights = weights.map((weight, i) => weight * normalBelow((side * ((grid[i] ?? 0) - level)) / spread));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    level = weights.reduce((mean, weight, i) => mean + (weight / sum) * (grid[i] ?? 0), 0);
    return level;
  });
}

describe('the bound on the error', () => {
  it('is nearly reached by the exact posterior of matches at its mean, and not passed', () => {
    const random = seededRandom(4);
    const spread = 0.75;
    const players = 1_200;
    const squares = Array.from({ length: 20 }, () => 0);
    for (let i = 0; i < players; i++) {
      const truth = normal(random, 0, 1);
      posteriorMeans(truth, 20, spread, random).forEach((mean, k) => {
        squares[k] = (squares[k] ?? 0) + (mean - truth) ** 2;
      });
    }
    for (const matches of [1, 5, 20]) {
      const error = Math.sqrt((squares[matches - 1] ?? NaN) / players);
      const bound = leastError(1, (matches * 2) / (Math.PI * spread ** 2));
      expect(error).toBeGreaterThan(0.94 * bound);
      expect(error).toBeLessThan(1.25 * bound);
    }
  });

  it('is below what each method of the trials reaches', () => {
    for (const method of ['search', 'openskill'] as const)
      for (const teamSize of [1, 5]) {
        const trial = { method, matches: 10, teamSize, players: 1_000 };
        const { errorAfterTen } = evenBoundOf(teamSize, 20);
        expect(simulatePlacement(trial, seededRandom(7)).error).toBeGreaterThan(0.97 * errorAfterTen);
      }
  });
});

describe('the bound on the matches', () => {
  it('is that of estimates with the least error, walked forward by chance', () => {
    const [random, players, followed, perMatch] = [seededRandom(9), 20_000, 25, 0.4];
    const settled = Array.from({ length: followed + 2 }, () => 0);
    for (let i = 0; i < players; i++) {
      const truth = normal(random, 0, 1);
      // Normal observations of so much information each: their posterior mean reaches the bound exactly.
      let [weighted, last] = [0, Math.abs(truth) > 0.5 ? 0 : -1];
      for (let k = 1; k <= followed; k++) {
        weighted += perMatch * normal(random, truth, 1 / Math.sqrt(perMatch));
        if (Math.abs(weighted / (1 + k * perMatch) - truth) > 0.5) last = k;
      }
      for (let k = last + 1; k <= followed; k++) settled[k] = (settled[k] ?? 0) + 1 / players;
    }
    const bound = settledByBound({
      spread: 1,
      perMatch: range(followed).map(() => perMatch),
      within: 0.5,
    });
    expect(bound).toHaveLength(followed + 1);
    for (let k = 0; k <= followed; k++) expect(bound[k]).toBeCloseTo(settled[k] ?? NaN, 1.5);
  });

  it('grows with the size of teams, and is null beyond the matches followed', () => {
    const matchesOf = (match: typeof duel): number | null =>
      leastMatches({ spread: 25 / 3, perMatch: range(100).map(() => informationOf(match)), within: 25 / 6 });
    expect([matchesOf(duel), matchesOf(fives)]).toEqual([3, 16]);
    expect(leastMatches({ spread: 1, perMatch: range(10).map(() => 1e-3), within: 0.5 })).toBeNull();
  });

  it('is below what calibration and OpenSkill need', () => {
    for (const calibration of [0, 10]) {
      const speed = simulateSpeed({ teamSize: 1, calibration, followed: 40 }, 600, seededRandom(3));
      const bound = boundOf(speed.information);
      expect(bound.errorAfterTen).toBeGreaterThan(evenBoundOf(1, 40).errorAfterTen);
      expect(speed.errorAfterTen).toBeGreaterThan(0.97 * bound.errorAfterTen);
      expect(speed.matches).toBeGreaterThanOrEqual(bound.matches ?? Infinity);
      expect(speed.matches).toBeLessThanOrEqual(12);
    }
  });
});
