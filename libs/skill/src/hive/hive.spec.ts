import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readParameters, type ModelParameters } from '../parameters.js';
import { hiveKind, type HiveState } from './hive.js';
import { discountRate, timeShare, timeWeight } from './time.js';

const hive = (given: ModelParameters = {}) => hiveKind.open(readParameters(hiveKind.parameters, given));
const skilled = (skill: number, commander = 0): HiveState => ({ skill, commander, rounds: 50 });
const team = (size: number, skill: number): HiveState[] => Array.from({ length: size }, () => skilled(skill));

describe('R9 Hive, prediction', () => {
  it('gives the better of two teams of clones, 2 points apart, about nine in ten', () => {
    const teams = [team(6, 12), team(6, 10)];
    expect(hive().predict({ teams })[0]).toBeCloseTo(0.880797, 6);
    expect(hive({ c: 1 }).predict({ teams })[0]).toBeCloseTo(0.731059, 6);
  });

  it('favours the larger team by how far skills are from 0', () => {
    const six = (skill: number, c: number): number =>
      Math.round(100 * (hive({ c }).predict({ teams: [team(6, skill), team(5, skill)] })[0] ?? 0)) / 100;
    expect([six(0, 1), six(20, 1), six(-20, 1)]).toEqual([0.5, 0.86, 0.14]);
    expect([six(20, 2), six(-20, 2)]).toEqual([0.97, 0.03]);
  });

  it('weights skills by time', () => {
    // 2 · (1·4 + ½·2 − 1·3) / (1 + ½ + 1) = 1.6
    const teams = [[skilled(4), skilled(2)], [skilled(3)]];
    const [first = 0] = hive().predict({ teams, weights: [[1, 0.5], [1]] });
    expect(Math.log(first / (1 - first))).toBeCloseTo(1.6, 12);
  });

  it('adds the odds of the situation', () => {
    const odds = [Math.log(0.6 / 0.4), 0];
    expect(hive().predict({ teams: [team(6, 10), team(6, 10)], odds })[0]).toBeCloseTo(0.6, 12);
  });

  it('predicts by odds alone when nobody was present, and moves nobody', () => {
    const teams = [[skilled(9, 5)], [skilled(1)]];
    const contest = { teams, weights: [[0], [0]], odds: [Math.log(3), 0], facts: [[{ command: 1 }], [{}]] };
    expect(hive().predict(contest)[0]).toBeCloseTo(0.75, 12);
    expect(hive().rate(contest, [2, 1])).toEqual(teams);
  });
});

describe('R9 Hive, update', () => {
  it('moves by α, the share of all time, and the surprise', () => {
    // Ten a side, a fair game: 8 · (1/20) · ½.
    const source = hive({ alpha: 8 });
    const after = source.rate({ teams: [team(10, 10), team(10, 10)] }, [1, 2]);
    after[0]?.forEach(({ skill, rounds }) => expect([skill, rounds]).toEqual([10.2, 51]));
    after[1]?.forEach(({ skill }) => expect(skill).toBeCloseTo(9.8, 12));
    // Half the time: 8 · (½ / 3) · ½; an even draw moves nobody.
    const teams = [team(2, 0), team(2, 0)];
    const weights = [
      [1, 0.5],
      [1, 0.5],
    ];
    const [[, part]] = source.rate({ teams, weights }, [1, 2]) as [[HiveState, HiveState]];
    expect(part.skill).toBeCloseTo(2 / 3, 12);
    expect(
      source
        .rate({ teams, weights }, [1, 1])
        .flat()
        .map(({ skill }) => skill),
    ).toEqual([0, 0, 0, 0]);
  });

  it('by default moves the two of a duel by a point each way, half of its step of 4 for a whole point of score', () => {
    const after = hive().rate({ teams: [[skilled(10)], [skilled(10)]] }, [1, 2]);
    expect(after.flat().map(({ skill }) => skill)).toEqual([11, 9]);
  });

  it('moves players little when the stronger side wins as expected', () => {
    const [[winner]] = hive().rate({ teams: [team(6, 20), team(6, 10)] }, [1, 2]) as [[HiveState]];
    expect(winner.skill - 20).toBeLessThan(1e-4);
  });
});

describe('R9 Hive, command', () => {
  const facts = (share: number) => [
    [{ command: share }, {}],
    [{ command: share }, {}],
  ];

  it('counts the difference of the commanders, for any size of the teams', () => {
    for (const size of [2, 10]) {
      const rest = Array.from({ length: size - 1 }, () => skilled(10));
      const teams = [
        [skilled(10, 1), ...rest],
        [skilled(10, 0), ...rest],
      ];
      const whole = teams.map((each, t) =>
        each.map((_player, p) => (p === 0 ? { command: 1 - 0.5 * t } : {})),
      );
      const [first = 0] = hive().predict({ teams, facts: whole });
      expect(Math.log(first / (1 - first))).toBeCloseTo(1, 9);
    }
  });

  it('moves the skill in command by the share in command, of commanders alone', () => {
    const teams = [team(2, 10), team(2, 10)];
    const after = hive()
      .rate({ teams, facts: facts(0.5) }, [1, 2])
      .flat();
    expect(after.map(({ commander }) => commander)).toEqual([0.1, 0, -0.1, 0]);
    expect(after[0]?.skill).toBe(after[1]?.skill);
  });

  it('normalises shares that add up to more than the round, and treats invalid ones as none', () => {
    const teams = [
      [skilled(10, 3), skilled(10, 1)],
      [skilled(10), skilled(10)],
    ];
    const both = [
      [{ command: 1 }, { command: 1 }],
      [{ command: NaN }, { command: -4 }],
    ];
    const [first = 0] = hive().predict({ teams, facts: both });
    expect(Math.log(first / (1 - first))).toBeCloseTo(2, 9);
  });
});

describe('R9 Hive, uncertainty', () => {
  it('never grows and ends at the noise of α', () => {
    const sigmas = [0, 1, 10, 50, 200, 2000].map(
      (rounds) => hive({ alpha: 8 }).belief({ skill: 10, commander: 0, rounds }).sigma,
    );
    expect(sigmas[0]).toBe(3);
    expect(sigmas).toEqual([...sigmas].sort((a, b) => b - a));
    expect(sigmas.at(-1)).toBeCloseTo(Math.sqrt(2), 1);
    expect(hive().belief({ skill: 10, commander: 0, rounds: 2000 }).sigma).toBeCloseTo(1, 2);
  });
});

describe('R9 Hive, time', () => {
  const hour = 3_600_000;

  it('gives the first half of a median round more weight than the second by the ratio, and than the rest', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1, max: 3 * hour, noNaN: true }),
        fc.double({ min: 2, max: 20, noNaN: true }),
        (median, ratio) => {
          const lambda = discountRate(median, ratio);
          const first = timeWeight(0, median / 2, lambda);
          expect(first / timeWeight(median / 2, median, lambda)).toBeCloseTo(ratio, 6);
          expect(timeWeight(median / 2, 1e6 * median, lambda)).toBeLessThanOrEqual(first * (1 + 1e-9));
        },
      ),
    );
  });

  it('is the integral: stretches add up, none is negative, no discount is plain time', () => {
    const moment = fc.double({ min: 0, max: hour, noNaN: true });
    const rate = fc.double({ min: 0, max: 1e-2, noNaN: true });
    fc.assert(
      fc.property(moment, moment, moment, rate, (x, y, z, lambda) => {
        const [a = 0, b = 0, c = 0] = [x, y, z].sort((one, other) => one - other);
        const whole = timeWeight(a, c, lambda);
        expect(timeWeight(a, b, lambda) + timeWeight(b, c, lambda)).toBeCloseTo(whole, 3);
        expect(timeWeight(c, a, lambda)).toBe(0);
        expect(timeWeight(a, c, 0)).toBeCloseTo(c - a, 6);
      }),
    );
    // (e^−1 − e^−2) / 0.001
    expect(timeWeight(1000, 2000, 0.001)).toBeCloseTo(232.544158, 5);
    expect(timeWeight(-5000, 1000, 0)).toBe(1000);
  });

  it('is a share of the round', () => {
    expect(timeShare(0, 1000, 1000, 0.001)).toBe(1);
    expect(timeShare(0, 5000, 1000, 0.001)).toBe(1);
    expect(timeShare(0, 500, 1000, 0)).toBe(0.5);
    expect(timeShare(0, 0, 0, 0.001)).toBe(0);
  });

  it('refuses an invalid median or ratio', () => {
    for (const [median, ratio] of [
      [0, 3],
      [NaN, 3],
      [1000, 0.5],
      [Infinity, 3],
    ] as const)
      expect(() => discountRate(median, ratio)).toThrow(/median length above 0/);
  });
});
