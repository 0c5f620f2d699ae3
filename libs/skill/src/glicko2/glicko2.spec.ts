import { Unsolvable } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Contest } from '../model.js';
import { kindNamed, modelOf } from '../models.js';
import { readParameters, type ModelParameters } from '../parameters.js';
import { glicko2Kind } from './glicko2.js';
import { closePeriod, sumGames, type GlickoGame, type GlickoRating, type PeriodRules } from './period.js';
import type { GlickoState } from './state.js';

const ratePeriod = (who: GlickoRating, against: readonly GlickoGame[], by: PeriodRules): GlickoRating =>
  closePeriod(who, sumGames(who, against), by);
const day = 86_400_000;
const modelWith = (parameters: ModelParameters = {}) =>
  glicko2Kind.open(readParameters(glicko2Kind.parameters, parameters));
const model = modelWith();
const weekly = modelWith({ periodDays: 7 });
const stranger = model.initial();
const known = (rating: number, deviation: number): GlickoState => ({ rating, deviation, volatility: 0.06 });

const someone = fc.record({
  rating: fc.double({ min: 500, max: 2500, noNaN: true }),
  deviation: fc.double({ min: 20, max: 350, noNaN: true }),
  volatility: fc.double({ min: 0.02, max: 0.2, noNaN: true }),
});
const match = (most: number) =>
  fc
    .array(fc.array(someone, { minLength: 1, maxLength: 5 }), { minLength: 2, maxLength: most })
    .chain((teams) =>
      fc.record({
        teams: fc.constant(teams),
        weights: fc.tuple(
          ...teams.map((team) =>
            fc.array(fc.double({ min: 0.05, max: 1, noNaN: true }), {
              minLength: team.length,
              maxLength: team.length,
            }),
          ),
        ),
        ranks: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: teams.length, maxLength: teams.length }),
      }),
    );

const first = (rated: readonly (readonly GlickoState[])[]): GlickoState => rated[0]?.[0] ?? stranger;
const duel = (
  of: typeof model,
  own: GlickoState,
  other: GlickoState,
  ranks: [number, number],
  at?: number,
): GlickoState => first(of.rate({ teams: [[own], [other]], at }, ranks));

describe('R6 Glicko-2', () => {
  it('is registered under its name', () => {
    expect(kindNamed('glicko2')).toBe(glicko2Kind);
    expect(stranger).toEqual({ rating: 1500, deviation: 350, volatility: 0.06 });
    expect(model.seed({ mu: 1700, sigma: 90 })).toEqual(known(1700, 90));
    expect(model.belief(known(1700, 90))).toEqual({ mu: 1700, sigma: 90 });
    expect(model.display(known(1700, 90))).toBe(1520);
  });

  describe('rating periods', () => {
    const opponents = [known(1400, 30), known(1550, 100), known(1700, 300)];
    const week = 5000 * 7 * day;
    const played = opponents.reduce(
      (own, other, k) => duel(weekly, own, other, k === 0 ? [1, 2] : [2, 1], week + (k + 1) * day),
      known(1500, 200),
    );

    it('three matches of one period give the paper’s example', () => {
      const { mu, sigma } = weekly.belief(played);
      expect(Math.abs(mu - 1464.06)).toBeLessThan(0.02);
      expect(Math.abs(sigma - 151.52)).toBeLessThan(0.02);
      expect(weekly.display(played)).toBeCloseTo(mu - 2 * sigma, 9);
      // The start of the period is the basis for its next match.
      expect(played.rating).toBe(1500);
    });

    it('the period is closed by the first match of a later one', () => {
      const later = duel(weekly, played, stranger, [1, 1], week + 8 * day);
      expect(Math.abs(later.rating - 1464.06)).toBeLessThan(0.02);
      expect(Math.abs(later.deviation - 151.52)).toBeLessThan(0.02);
      expect(Math.abs(later.volatility - 0.05999)).toBeLessThan(0.00001);
      expect(later.open?.since).toBe(week + 7 * day);
    });

    it('each whole period without a game widens the deviation, up to a stranger’s', () => {
      const { deviation, volatility } = duel(weekly, played, stranger, [1, 1], week + 8 * day);
      const idle = (weeks: number) =>
        duel(weekly, played, stranger, [1, 1], week + (7 * (weeks + 1) + 1) * day);
      expect(idle(0).deviation).toBe(deviation);
      expect(idle(3).deviation).toBeCloseTo(Math.sqrt(deviation ** 2 + 3 * (volatility * 173.7178) ** 2), 9);
      expect(idle(100_000).deviation).toBe(350);
      // Prediction includes it, too: the better player is favoured less.
      const chance = (at?: number) => weekly.predict({ teams: [[played], [known(1700, 50)]], at })[0] ?? NaN;
      expect(chance(week + 200 * 7 * day)).toBeGreaterThan(chance(week + day));
      expect(chance(week + day)).toBe(chance());
    });

    it('a late result of an earlier period counts towards the open one', () => {
      const late = duel(weekly, played, stranger, [1, 2], week - 30 * day);
      expect(late.open?.since).toBe(week);
      expect(late.open?.information).toBeGreaterThan(played.open?.information ?? NaN);
    });

    it('the order of a period’s matches does not matter', () => {
      const turned = [...opponents]
        .reverse()
        .reduce(
          (own, other, k) => duel(weekly, own, other, k === 2 ? [1, 2] : [2, 1], week + (k + 1) * day),
          known(1500, 200),
        );
      expect(weekly.belief(turned).mu).toBeCloseTo(weekly.belief(played).mu, 9);
      expect(weekly.belief(turned).sigma).toBeCloseTo(weekly.belief(played).sigma, 9);
    });

    it('opponents count with their ratings at the start of the period', () => {
      const risen = duel(weekly, known(1500, 200), known(1900, 50), [1, 2], week + day);
      expect(weekly.belief(risen).mu).toBeGreaterThan(1550);
      const against = (other: GlickoState) => duel(weekly, known(1600, 100), other, [1, 2], week + 2 * day);
      expect(against(risen)).toEqual(against(known(1500, 200)));
    });

    it('requires the time of a match to rate it', () => {
      expect(() => duel(weekly, stranger, stranger, [1, 2])).toThrow(Unsolvable);
    });

    it('a pool that abandons periods closes the open one', () => {
      const { rating } = ratePeriod(
        known(1500, 200),
        [
          { rating: 1400, deviation: 30, score: 1 },
          { rating: 1550, deviation: 100, score: 0 },
          { rating: 1700, deviation: 300, score: 0 },
        ],
        { tau: 0.5, mostVolatility: 2 },
      );
      const after = duel(model, played, stranger, [1, 2]);
      expect(after.open).toBeUndefined();
      expect(after.rating).toBeGreaterThan(rating);
    });
  });

  describe('without periods', () => {
    it('a duel is a period of one game', () => {
      fc.assert(
        fc.property(someone, someone, fc.constantFrom(0, 0.5, 1), (own, other, score) => {
          const rated = duel(model, own, other, score === 1 ? [1, 2] : score === 0 ? [2, 1] : [1, 1]);
          const { rating, deviation } = other;
          const expected = ratePeriod(own, [{ rating, deviation, score }], { tau: 0.5, mostVolatility: 3 });
          expect(rated.rating).toBeCloseTo(expected.rating, 9);
          expect(rated.deviation).toBeCloseTo(expected.deviation, 9);
          expect(rated.volatility).toBeCloseTo(expected.volatility, 12);
        }),
      );
    });

    it('time has no effect', () => {
      const others = { teams: [[known(1500, 80)], [known(1600, 80)]] };
      expect(model.rate({ ...others, at: 9e12 }, [1, 2])).toEqual(model.rate(others, [1, 2]));
    });
  });

  it('a team is one opponent of mean rating and of root mean square deviation', () => {
    const teams = [
      [known(1400, 50), known(1600, 150)],
      [known(1500, 60), known(1700, 80)],
    ];
    const own = first(model.rate({ teams }, [1, 2]));
    const asMean = sumOfOne(1500, 1600, Math.sqrt((60 ** 2 + 80 ** 2) / 2));
    expect(own.rating - 1400).toBeCloseTo(asMean(50), 6);
  });

  it('more than two teams count as a game against each other one, in shares', () => {
    const four = model.rate({ teams: [1500, 1500, 1500, 1500].map((r) => [known(r, 100)]) }, [1, 2, 2, 2]);
    const two = duel(model, known(1500, 100), known(1500, 100), [1, 2]);
    expect(first(four).rating).toBeCloseTo(two.rating, 9);
    const chances = model.predict({ teams: [1400, 1500, 1600].map((r) => [known(r, 60)]) });
    expect(chances).toEqual([...chances].sort((a, b) => a - b));
    expect(chances.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 12);
  });

  it('predicts two by the expected score with both deviations', () => {
    const [chance = NaN] = model.predict({ teams: [[known(1700, 100)], [known(1500, 200)]] });
    const phi = Math.hypot(100, 200) / 173.7178;
    const g = 1 / Math.sqrt(1 + (3 * phi * phi) / Math.PI ** 2);
    expect(chance).toBeCloseTo(1 / (1 + 10 ** ((-g * 200) / 400)), 6);
    expect(model.predict({ teams: [[stranger], [stranger]] })).toEqual([0.5, 0.5]);
  });

  describe('partial play', () => {
    it('a weight of 1 has no effect, 0 leaves a player unchanged, ½ moves about half as far', () => {
      fc.assert(
        fc.property(match(4), ({ teams, ranks }) => {
          const weighing = (of: (p: number) => number) => teams.map((team) => team.map((_, p) => of(p)));
          const whole = model.rate({ teams }, ranks);
          expect(model.rate({ teams, weights: weighing(() => 1) }, ranks)).toEqual(whole);
          const without = model.rate({ teams, weights: weighing((p) => (p === 0 ? 0 : 1)) }, ranks);
          without.forEach((team, t) => expect(team[0]).toEqual(teams[t]?.[0]));
          const half = model.rate({ teams, weights: weighing(() => 0.5) }, ranks);
          half.forEach((team, t) =>
            team.forEach((state, p) => {
              const before = teams[t]?.[p] ?? stranger;
              const moved = Math.abs(state.rating - before.rating);
              const wholly = Math.abs((whole[t]?.[p]?.rating ?? NaN) - before.rating);
              expect(moved).toBeLessThanOrEqual(wholly + 1e-9);
              expect(moved).toBeGreaterThanOrEqual(wholly / 2 - 0.05 * wholly - 1e-9);
            }),
          );
        }),
      );
    });

    it('a match against nobody has no effect', () => {
      const teams = [[stranger], [stranger, stranger]];
      expect(model.rate({ teams, weights: [[1], [0, 0]] }, [1, 2])).toEqual(teams);
      expect(model.predict({ teams, weights: [[1], [0, 0]] })).toEqual([0.5, 0.5]);
    });
  });

  it('odds raise a chance and shrink the gain of winning; 173.7 points are odds of e to 1', () => {
    fc.assert(
      fc.property(match(2), fc.double({ min: 0.05, max: 3, noNaN: true }), ({ teams }, odds) => {
        const even: Contest<GlickoState> = { teams };
        const favoured = { teams, odds: [odds, 0] };
        expect(model.predict(favoured)[0]).toBeGreaterThan(model.predict(even)[0] ?? NaN);
        expect(first(model.rate(favoured, [1, 2])).rating).toBeLessThan(
          first(model.rate(even, [1, 2])).rating + 1e-9,
        );
      }),
    );
    const [chance] = model.predict({ teams: [[known(1500, 1e-3)], [known(1500, 1e-3)]], odds: [8, 7] });
    expect(chance).toBeCloseTo(Math.E / (1 + Math.E), 6);
  });

  it('winners never fall and losers never rise', () => {
    fc.assert(
      fc.property(match(2), ({ teams, weights }) => {
        const [winners = [], losers = []] = model.rate({ teams, weights }, [1, 2]);
        winners.forEach(({ rating }, p) =>
          expect(rating).toBeGreaterThanOrEqual(teams[0]?.[p]?.rating ?? NaN),
        );
        losers.forEach(({ rating }, p) => expect(rating).toBeLessThanOrEqual(teams[1]?.[p]?.rating ?? NaN));
      }),
    );
  });

  it('is independent of the order of members or teams, and does not change its input', () => {
    const turned = <T>(rows: readonly (readonly T[])[]): T[][] =>
      rows.map((row) => [...row].reverse()).reverse();
    for (const of of [model, weekly])
      fc.assert(
        fc.property(match(5), ({ teams, weights, ranks }) => {
          const before = structuredClone(teams);
          const rated = of.rate({ teams, weights, at: 1e12 }, ranks);
          expect(teams).toEqual(before);
          const back = turned(
            of.rate({ teams: turned(teams), weights: turned(weights), at: 1e12 }, [...ranks].reverse()),
          );
          rated.forEach((team, t) =>
            team.forEach((state, p) => {
              const other = of.belief(back[t]?.[p] ?? stranger);
              expect(of.belief(state).mu).toBeCloseTo(other.mu, 8);
              expect(of.belief(state).sigma).toBeCloseTo(other.sigma, 8);
            }),
          );
        }),
      );
  });

  it('survives serialisation, also within a period', () => {
    fc.assert(
      fc.property(match(3), ({ teams, ranks }) => {
        for (const team of weekly.rate({ teams, at: 1e12 }, ranks))
          for (const state of team)
            expect(weekly.read(JSON.parse(JSON.stringify(weekly.write(state))))).toEqual(state);
      }),
    );
    expect(model.read(JSON.parse(JSON.stringify(model.write(stranger))))).toEqual(stranger);
    for (const wrong of [
      null,
      7,
      {},
      { rating: 1, deviation: 2 },
      { ...stranger, open: null },
      { ...stranger, open: {} },
    ])
      expect(() => model.read(wrong)).toThrow(TypeError);
  });

  it.each([
    { rating: NaN, deviation: 1, volatility: 1 },
    { rating: 1, deviation: 0, volatility: 1 },
    { rating: 1, deviation: 1, volatility: -1 },
    { rating: 1, deviation: Infinity, volatility: 1 },
    { ...stranger, open: { since: NaN, information: 0, surplus: 0 } },
    { ...stranger, open: { since: 0, information: -1, surplus: 0 } },
  ])('reports what is wrong with %j', (state) => {
    expect(model.flaw(state)).toMatch(/^has an? (rating|deviation|volatility|open)/);
    expect(() => modelOf('glicko2').predict({ teams: [[state], [stranger]] })).toThrow(Unsolvable);
  });
});

/** Points gained by a player of that deviation in a team of `mean` that beats a side. */
function sumOfOne(mean: number, rating: number, other: number): (deviation: number) => number {
  return (deviation) =>
    ratePeriod({ rating: mean, deviation, volatility: 0.06 }, [{ rating, deviation: other, score: 1 }], {
      tau: 0.5,
      mostVolatility: 2,
    }).rating - mean;
}
