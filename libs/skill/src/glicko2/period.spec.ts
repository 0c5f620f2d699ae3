import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  certainty,
  closePeriod,
  pointsPerUnit,
  sumGames,
  volatilityAfter,
  type GlickoGame,
  type GlickoRating,
  type PeriodRules,
} from './period.js';

interface ReferencePlayer {
  getRating(): number;
  getRd(): number;
  getVol(): number;
}
interface Reference {
  Glicko2: new (settings: { tau: number; rating: number; rd: number; vol: number }) => {
    makePlayer(rating: number, deviation: number, volatility: number): ReferencePlayer;
    updateRatings(matches: [ReferencePlayer, ReferencePlayer, number][]): void;
  };
}
const { Glicko2 } = createRequire(import.meta.url)('glicko2') as Reference;

const ratePeriod = (who: GlickoRating, against: readonly GlickoGame[], by: PeriodRules): GlickoRating =>
  closePeriod(who, sumGames(who, against), by);
const rules = { tau: 0.5, mostVolatility: 2 };
const player = { rating: 1500, deviation: 200, volatility: 0.06 };
const games: GlickoGame[] = [
  { rating: 1400, deviation: 30, score: 1 },
  { rating: 1550, deviation: 100, score: 0 },
  { rating: 1700, deviation: 300, score: 0 },
];

const someone = fc.record({
  rating: fc.double({ min: 800, max: 2200, noNaN: true }),
  deviation: fc.double({ min: 30, max: 350, noNaN: true }),
  volatility: fc.double({ min: 0.03, max: 0.12, noNaN: true }),
});
const played = fc.array(
  fc.record({
    rating: fc.double({ min: 800, max: 2200, noNaN: true }),
    deviation: fc.double({ min: 30, max: 350, noNaN: true }),
    score: fc.constantFrom(0, 0.5, 1),
  }),
  { maxLength: 12 },
);

describe('R6 Glicko-2, one rating period', () => {
  it('reproduces the figures of the paper’s worked example', () => {
    const after = ratePeriod(player, games, rules);
    expect(Math.abs(after.rating - 1464.06)).toBeLessThan(0.02);
    expect(Math.abs(after.deviation - 151.52)).toBeLessThan(0.02);
    expect(Math.abs(after.volatility - 0.05999)).toBeLessThan(0.00001);
  });

  it('reproduces the paper’s intermediate figures', () => {
    const phis = games.map(({ deviation }) => deviation / pointsPerUnit);
    expect(phis.map((phi) => Number(phi.toFixed(4)))).toEqual([0.1727, 0.5756, 1.7269]);
    expect(phis.map((phi) => Number(certainty(phi).toFixed(4)))).toEqual([0.9955, 0.9531, 0.7242]);
    const { information, surplus } = sumGames(player, games);
    // The paper continues with rounded figures: 1.7785 and −0.4834.
    expect(1 / information).toBeCloseTo(1.779, 3);
    expect(Math.abs(surplus / information + 0.4834)).toBeLessThan(0.001);
    const volatility = volatilityAfter(200 / pointsPerUnit, 0.06, { information, surplus }, rules);
    expect(Math.abs(2 * Math.log(volatility) + 5.62696)).toBeLessThan(0.0005);
    expect(Math.hypot(200 / pointsPerUnit, volatility)).toBeCloseTo(1.152862, 4);
    const after = ratePeriod(player, games, rules);
    expect(after.deviation / pointsPerUnit).toBeCloseTo(0.8722, 4);
    expect((after.rating - 1500) / pointsPerUnit).toBeCloseTo(-0.2069, 3);
  });

  it('agrees with the package glicko2 on random periods', () => {
    fc.assert(
      fc.property(someone, played, fc.double({ min: 0.3, max: 1.2, noNaN: true }), (who, against, tau) => {
        const theirs = new Glicko2({ tau, rating: 1500, rd: 350, vol: 0.06 });
        const them = theirs.makePlayer(who.rating, who.deviation, who.volatility);
        theirs.updateRatings(
          against.map(({ rating, deviation, score }) => [
            them,
            theirs.makePlayer(rating, deviation, 0.06),
            score,
          ]),
        );
        const ours = ratePeriod(who, against, { tau, mostVolatility: 2 });
        fc.pre(them.getVol() < 2);
        expect(Math.abs(ours.rating - them.getRating())).toBeLessThan(1e-5);
        expect(Math.abs(ours.deviation - them.getRd())).toBeLessThan(1e-5);
        expect(Math.abs(ours.volatility - them.getVol())).toBeLessThan(1e-7);
      }),
      { numRuns: 250 },
    );
  });

  it('only widens without games', () => {
    expect(ratePeriod(player, [], rules)).toEqual({
      rating: 1500,
      deviation: expect.closeTo(Math.hypot(200, 0.06 * pointsPerUnit), 9),
      volatility: 0.06,
    });
  });

  it('limits the volatility after a series of great upsets', () => {
    const upsets = Array.from({ length: 10 }, () => ({ rating: 4000, deviation: 30, score: 1 }));
    const after = ratePeriod(player, upsets, { tau: 2, mostVolatility: 2 });
    expect(after.volatility).toBeLessThanOrEqual(2);
    expect(after.rating).toBeLessThan(12_000);
    const free = ratePeriod(player, upsets, { tau: 2, mostVolatility: Infinity });
    expect(free.rating).toBeGreaterThan(1e6);
  });

  it('terminates where a result carries no information', () => {
    const miracle = [{ rating: 1e6, deviation: 30, score: 1 }];
    expect(sumGames(player, miracle)).toEqual({ information: 0, surplus: expect.closeTo(0.995, 2) });
    for (const mostVolatility of [2, Infinity]) {
      const after = ratePeriod(player, miracle, { tau: 0.5, mostVolatility });
      expect(after.rating).toBeGreaterThan(1500);
      expect(after.rating).toBeLessThan(2000);
    }
    const wonder = volatilityAfter(
      1,
      1,
      { information: 0, surplus: 100 },
      { tau: 2, mostVolatility: Infinity },
    );
    expect(Number.isFinite(wonder)).toBe(true);
  });

  it('finds a root of the paper’s equation, or stops at the limit', () => {
    const wide = fc.double({ min: 1e-4, max: 1e4, noNaN: true });
    fc.assert(
      fc.property(
        wide,
        fc.double({ min: 1e-3, max: 2, noNaN: true }),
        wide,
        fc.double({ min: -1e3, max: 1e3, noNaN: true }),
        fc.double({ min: 0.1, max: 2, noNaN: true }),
        (phi, volatility, information, surplus, tau) => {
          const found = volatilityAfter(
            phi,
            volatility,
            { information, surplus },
            { tau, mostVolatility: 2 },
          );
          expect(found).toBeGreaterThan(0);
          expect(found).toBeLessThanOrEqual(2);
          const [v, delta] = [1 / information, surplus / information];
          const f = (x: number): number => {
            const e = Math.exp(x);
            const spread = phi * phi + v + e;
            return (
              (e * (delta * delta - spread)) / (2 * spread * spread) -
              (x - 2 * Math.log(volatility)) / (tau * tau)
            );
          };
          const x = 2 * Math.log(found);
          if (found < 2) expect(Math.sign(f(x - 2e-6)) * Math.sign(f(x + 2e-6))).toBeLessThanOrEqual(0);
        },
      ),
      { numRuns: 750 },
    );
  });

  it('does not depend on the last bit of the sums, which the order of members changes', () => {
    fc.assert(
      fc.property(
        someone,
        fc.double({ min: 0.01, max: 5, noNaN: true }),
        fc.double({ min: -3, max: 3, noNaN: true }),
        ({ deviation, volatility }, information, surplus) => {
          const [own, other] = [1, 1 + 4e-16].map((by) =>
            volatilityAfter(
              deviation / pointsPerUnit,
              volatility,
              { information: information * by, surplus: surplus * by },
              rules,
            ),
          );
          expect(Math.abs((own ?? NaN) / (other ?? NaN) - 1)).toBeLessThan(1e-10);
        },
      ),
      { numRuns: 4_000 },
    );
  });
});
