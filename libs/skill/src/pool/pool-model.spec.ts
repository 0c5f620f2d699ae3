import { seededRandom, shareOfMatch, Unsolvable, type Calibration, type Stretch } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SkillState } from '../model.js';
import { modelKinds } from '../models.js';
import type { ModelParameters } from '../parameters.js';
import { uncalibrated } from '../prediction/calibration.js';
import { sigmoid } from '../maths/logistic.js';
import { fitCalibration, type Sample } from '../prediction/fit.js';
import { beforehand, poolModelOf, type PooledMatch, type PoolModel } from './pool-model.js';
import { defaultPoolRules } from './rules.js';

const pool = poolModelOf(defaultPoolRules);
const player = (mu: number, sigma = 2): object => ({ mu, sigma });
const match = (first: object[], second: object[], more: Partial<PooledMatch> = {}): PooledMatch => ({
  teams: [first, second],
  ...more,
});
const learned = (offsets: Record<string, number>, scale = 1): Calibration => ({
  ...uncalibrated,
  scale: { mean: scale, sd: 0.1 },
  offsets: Object.fromEntries(Object.entries(offsets).map(([name, mean]) => [name, { mean, sd: 0.01 }])),
});

describe('circumstances', () => {
  const sides = { sides: ['home', 'away'] };
  const calibration = learned({ 'side:home': 0.4, 'side:away': -0.4, 'side:home@venue:Gabba': 0.2 });

  it('change the chance by their value', () => {
    const even = match([player(25)], [player(25)], { situation: sides });
    expect(pool.predict(even, calibration).chances[0]).toBeCloseTo(sigmoid(0.8), 9);
    const there = { ...even, situation: { ...sides, venue: 'Gabba' } };
    expect(pool.predict(there, calibration).chances[0]).toBeCloseTo(sigmoid(1), 9);
    const unknown = { ...even, situation: { ...sides, venue: 'Nowhere' } };
    expect(pool.predict(unknown, calibration).chances[0]).toBeCloseTo(sigmoid(0.8), 9);
    expect(pool.predict(match([player(25)], [player(25)]), calibration).chances[0]).toBeCloseTo(0.5, 12);
  });

  it('make a win at home less surprising, so it moves ratings less', () => {
    const gain = (situation: PooledMatch['situation']): number => {
      const even = match([player(25)], [player(25)], { situation });
      const [[winner] = []] = pool.judge(even, [1, 2], calibration).after;
      return pool.model.belief(winner ?? {}).mu - 25;
    };
    expect(gain(sides)).toBeLessThan(gain(undefined));
    expect(gain({ sides: ['away', 'home'] })).toBeGreaterThan(gain(undefined));
  });

  it('do not count where the pool does not learn them', () => {
    const plain = poolModelOf({ ...defaultPoolRules, circumstances: [] });
    const even = match([player(25)], [player(25)], { situation: sides });
    expect(plain.predict(even, calibration).chances[0]).toBeCloseTo(0.5, 12);
  });
});

describe('teams of different size', () => {
  const three = [player(25), player(25), player(25)];
  const two = [player(25), player(25)];

  it('are even by mean, uneven by sum, and as learned where that was learned', () => {
    const chance = (aggregation: 'mean' | 'sum' | 'learned', size = 0): number => {
      const calibration = learned(size === 0 ? {} : { size });
      const model = poolModelOf({ ...defaultPoolRules, aggregation });
      return model.predict(match(three, two), calibration).chances[0] ?? NaN;
    };
    expect(chance('mean')).toBeCloseTo(0.5, 9);
    expect(chance('learned')).toBeCloseTo(0.5, 9);
    expect(chance('sum')).toBeGreaterThan(0.9);
    expect(chance('learned', 2)).toBeCloseTo(sigmoid(2 * Math.log(1.5)), 9);
    expect(chance('mean', 2)).toBeCloseTo(0.5, 9);
  });

  it('learns the value of a surplus player from results', () => {
    const random = seededRandom(2);
    const samples = Array.from({ length: 4_000 }, (): Sample => {
      const more = random() < 0.5;
      const won = random() < sigmoid((more ? 1 : -1) * 1.5 * Math.log(1.5));
      const { raw, features } = pool.predict(more ? match(three, two) : match(two, three), uncalibrated);
      return { raw, features, ranks: won ? [1, 2] : [2, 1] };
    });
    expect(fitCalibration(samples).offsets['size']?.mean).toBeCloseTo(1.5, 0);
  });
});

describe('friends', () => {
  const five = Array.from({ length: 5 }, () => player(25));
  const parties = { parties: [[3], []] };

  it('have the value in the rules', () => {
    const chance = (partyBonus: 'none' | 'fixed' | 'learned', model = defaultPoolRules.model): number => {
      const rated = poolModelOf({ ...defaultPoolRules, model, partyBonus });
      const teams = model === defaultPoolRules.model ? five : five.map(() => rated.model.initial());
      return (
        rated.predict(match(teams, teams, { situation: parties }), learned({ party: 0.5 })).chances[0] ?? NaN
      );
    };
    expect(chance('none')).toBeCloseTo(0.5, 12);
    // Three friends among five: 3 · 2 / 5 companions per member.
    expect(chance('fixed')).toBeCloseTo(sigmoid(0.1 * 1.2), 9);
    expect(chance('learned')).toBeCloseTo(sigmoid(0.5 * 1.2), 9);
    // Weights: three of five count 1.2 times.
    expect(chance('fixed', 'log-weights')).toBeCloseTo(sigmoid(Math.log((3 * 1.2 + 2) / 5)), 9);
  });
});

describe('presence times', () => {
  const hive = (given: ModelParameters = {}): PoolModel =>
    poolModelOf({ ...defaultPoolRules, model: 'hive', parameters: given });
  const stranger = hive().model.initial();
  /** A round of two per team, of which one was present for a part of it. */
  const rated = (model: PoolModel, stretches: readonly Stretch[], lengthMs = 1_000): number[][] => {
    const teams = [
      [stranger, stranger],
      [stranger, stranger],
    ];
    const shares = [
      [1, shareOfMatch(stretches, lengthMs)],
      [1, 1],
    ];
    const times = {
      lengthMs,
      stretches: [
        [undefined, stretches],
        [undefined, undefined],
      ],
    };
    return model
      .judge({ teams, shares, times }, [1, 2], uncalibrated)
      .after.map((team) => team.map((state) => model.model.belief(state).mu - 10));
  };

  it('counts for more in Hive the earlier it is, for stretches of the same length', () => {
    const early = rated(hive(), [{ fromMs: 0, toMs: 500 }])[0]?.[1] ?? NaN;
    const late = rated(hive(), [{ fromMs: 500, toMs: 1_000 }])[0]?.[1] ?? NaN;
    expect(early).toBeGreaterThan(2 * late);
    expect(late).toBeGreaterThan(0);
    const even = hive({ timeRatio: 1 });
    expect(rated(even, [{ fromMs: 0, toMs: 500 }])[0]?.[1]).toBeCloseTo(
      rated(even, [{ fromMs: 500, toMs: 1_000 }])[0]?.[1] ?? NaN,
      12,
    );
  });

  it('has the weight of its integral, with the pool’s own parameters', () => {
    const cut = fc.tuple(fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: 0, max: 1_000 }));
    const parameters = fc.record({
      timeRatio: fc.double({ min: 1, max: 20, noNaN: true }),
      medianMinutes: fc.oneof(fc.constant(0), fc.double({ min: 0.005, max: 0.1, noNaN: true })),
    });
    fc.assert(
      fc.property(cut, parameters, ([a, b], given) => {
        const [fromMs, toMs] = [Math.min(a, b), Math.max(a, b)];
        const lengthMs = 1_000;
        const lambda = (2 * Math.log(given.timeRatio)) / (given.medianMinutes * 60_000 || lengthMs);
        const worth = Array.from({ length: lengthMs }, (_, ms) => Math.exp(-lambda * (ms + 0.5)));
        const sum = (of: readonly number[]): number => of.reduce((total, each) => total + each, 0);
        const share = sum(worth.slice(fromMs, toMs)) / sum(worth);
        const times = { lengthMs, stretches: [[[{ fromMs, toMs }]], [undefined]] };
        expect(hive(given).sharesOf({ times })?.[0]?.[0]).toBeCloseTo(share, 4);
        expect(hive(given).sharesOf({ times })?.[1]?.[0]).toBe(1);
        expect(poolModelOf(defaultPoolRules).sharesOf({ shares: [[0.25], [1]], times })).toEqual([
          [0.25],
          [1],
        ]);
      }),
    );
  });

  it('has, for a median round, three times the weight in its first half by default', () => {
    const shareOf = (fromMs: number, toMs: number, lengthMs: number, given: ModelParameters = {}): number =>
      hive(given).sharesOf({
        times: { lengthMs, stretches: [[[{ fromMs, toMs }]], [undefined]] },
      })?.[0]?.[0] ?? NaN;
    expect(shareOf(0, 500, 1_000)).toBeCloseTo(0.75, 12);
    const long = { medianMinutes: 20, timeRatio: 2 };
    expect(shareOf(0, 600_000, 1_200_000, long)).toBeCloseTo(2 / 3, 12);
    // A round twice as long: its first half has 2² times the weight of its second.
    expect(shareOf(0, 1_200_000, 2_400_000, long)).toBeCloseTo(4 / 5, 12);
  });
});

describe('late joiners', () => {
  const synelo = poolModelOf({
    ...defaultPoolRules,
    model: 'synelo',
    parameters: { kMax: 2 },
    aggregation: 'sum',
  });
  const of = (mu: number): SkillState => synelo.model.seed({ mu, sigma: 100 });
  const teams = [
    [of(1100), of(1300)],
    [of(1100), of(1000)],
  ];
  const late = [
    [false, true],
    [false, false],
  ];
  const ratings = (states: readonly (readonly SkillState[])[]): number[] =>
    states.flat().map((state) => synelo.model.belief(state).mu);

  it('are rated in SynElo against the expectation of the initial teams', () => {
    // P of 1100 against 2100, Θ = 400: 1 / (1 + e^2.5) = 0.075858. K is 69.8463 at 1100, 2 + 70·e^(−0.28125) at 1300, 72 at 1000.
    const missed = 1 - 1 / (1 + Math.exp(2.5));
    const k = (mu: number): number => 2 + 70 * Math.exp(-((mu - 1000) ** 2) / (2 * 400 ** 2));
    expect(ratings(synelo.judge({ teams, late }, [1, 2], uncalibrated).after)).toEqual([
      Math.round(1100 + k(1100) * missed),
      Math.round(1300 + k(1300) * missed),
      Math.round(1100 - k(1100) * missed),
      Math.round(1000 - k(1000) * missed),
    ]);
    expect(ratings(synelo.judge({ teams }, [1, 2], uncalibrated).after)[1]).toBeLessThan(
      ratings(synelo.judge({ teams, late }, [1, 2], uncalibrated).after)[1] ?? NaN,
    );
  });

  it('are not part of the prediction, in any model', () => {
    for (const { name } of modelKinds) {
      const model = poolModelOf({ ...defaultPoolRules, model: name });
      const strong = model.model.moved(model.model.initial(), model.model.range.mu[1] / 2);
      const begun = [[model.model.initial()], [model.model.initial()]];
      const joined = [[model.model.initial(), strong], [model.model.initial()]];
      const withLate = { teams: joined, late: [[false, true], [false]] };
      expect(model.predict(beforehand(withLate), uncalibrated).chances[0]).toBeCloseTo(
        model.predict({ teams: begun }, uncalibrated).chances[0] ?? NaN,
        9,
      );
    }
  });

  it('count from the start where nobody else of the team was present', () => {
    const all = {
      teams,
      late: [
        [true, true],
        [false, false],
      ],
    };
    expect(synelo.judge(all, [1, 2], uncalibrated).after).toEqual(
      synelo.judge({ teams }, [1, 2], uncalibrated).after,
    );
    expect(beforehand(all).shares).toBeUndefined();
  });
});

describe('a model that does not exist', () => {
  it('refuses an unknown model, with the known ones', () => {
    expect(() => poolModelOf({ ...defaultPoolRules, model: 'luck' })).toThrow(Unsolvable);
    expect(() => poolModelOf({ ...defaultPoolRules, model: 'luck' })).toThrow(/openskill-plackett-luce/);
  });
});
