import { seededRandom, type Random } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SkillState } from '../model.js';
import { modelKinds, modelOf } from '../models.js';
import { boostedState, boosterTarget, divisionLevel } from './booster.js';
import { defaultDivisions, divisionOf } from './divisions.js';

const start = { mu: 25, sigma: 25 / 3 };
const seven = defaultDivisions(start);

describe('R21 where a booster leads', () => {
  it('is the middle of the division, above or below the own', () => {
    const target = boosterTarget(seven, start, 'Silver', 'Gold', 1);
    expect(target.higher).toBe(true);
    expect(target.level).toBeCloseTo(25 - 0.25 * start.sigma, 12);
    expect(boosterTarget(seven, start, 'Platinum', 'Gold', 1)).toMatchObject({ higher: false });
  });

  it('is not the own division, an unknown one, or one too far away', () => {
    expect(() => boosterTarget(seven, start, 'Gold', 'Gold', 1)).toThrow('in Gold already');
    expect(() => boosterTarget(seven, start, 'Gold', 'Wood', 1)).toThrow('no division "Wood"');
    expect(() => boosterTarget(seven, start, 'Silver', 'Platinum', 1)).toThrow('2 away');
    expect(boosterTarget(seven, start, 'Silver', 'Platinum', 2)).toMatchObject({ higher: true });
  });

  it('is a level of that division, and rises with the divisions, whatever they are', () => {
    const borders = fc.uniqueArray(fc.integer({ min: -500, max: 500 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(borders, (numbers) => {
        const divisions = [null, ...numbers.toSorted((a, b) => a - b)].map((from, i) => ({
          name: `d${i}`,
          from,
        }));
        const levels = divisions.map((_, i) => divisionLevel(divisions, i, start));
        expect(levels.map((level) => divisionOf(divisions, level).name)).toEqual(
          divisions.map(({ name }) => name),
        );
        expect(levels.toSorted((a, b) => a - b)).toEqual(levels);
      }),
    );
  });

  it('takes an open division to be as wide as its neighbour', () => {
    const three = [
      { name: 'low', from: null },
      { name: 'mid', from: 10 },
      { name: 'top', from: 20 },
    ];
    expect(three.map((_, i) => divisionLevel(three, i, start))).toEqual([5, 15, 25]);
    expect(divisionLevel(three.slice(0, 2), 1, start)).toBe(10 + start.sigma / 2);
    expect(divisionLevel(three.slice(0, 1), 0, start)).toBe(25);
  });
});

describe('R21 a boosted result', () => {
  const facts = [1, 2].map((place) => [
    { place, kills: 3, deaths: 2, power: 300, scoredFor: 10, scoredAgainst: 5, command: 0.5 },
  ]);

  it.each(modelKinds.map(({ name }) => name))(
    '%s: moves the mean the factor times as far, and nothing else',
    (name) => {
      const model = modelOf(name);
      fc.assert(
        fc.property(fc.array(fc.boolean(), { maxLength: 12 }), fc.constantFrom(1, 1.5, 2, 4), (past, k) => {
          let [ann, bob]: SkillState[] = [model.initial(), model.initial()];
          const play = (wins: boolean): [SkillState, SkillState] => {
            const teams = [[ann ?? model.initial()], [bob ?? model.initial()]];
            const [[one] = [], [other] = []] = model.rate({ teams, facts }, wins ? [1, 2] : [2, 1]);
            return [one ?? model.initial(), other ?? model.initial()];
          };
          for (const wins of past) [ann, bob] = play(wins);
          const [result] = play(true);
          const boosted = boostedState(model, ann ?? model.initial(), result, k);

          const [before, plain] = [model.belief(ann ?? model.initial()).mu, model.belief(result).mu];
          const [least, most] = model.range.mu;
          const wanted = Math.min(Math.max(before + k * (plain - before), least), most);
          // SynElo's means are whole numbers.
          expect(Math.abs(model.belief(boosted).mu - wanted)).toBeLessThanOrEqual(
            name === 'synelo' ? 0.5 : 1e-6 * Math.max(1, Math.abs(wanted)),
          );
          expect(model.flaw(boosted)).toBeNull();
          if (k === 1) expect(boosted).toBe(result);
        }),
        { numRuns: 40 },
      );
    },
  );

  it('keeps the uncertainty of the result', () => {
    const model = modelOf('openskill-plackett-luce');
    const before = model.seed({ mu: 25, sigma: 3 });
    const [[after = before] = []] = model.rate({ teams: [[before], [before]] }, [1, 2]);
    const boosted = boostedState(model, before, after, 2);
    expect(model.belief(boosted).sigma).toBe(model.belief(after).sigma);
  });

  it('stays within the range of the model, and is never less than the result alone', () => {
    const model = modelOf('log-weights');
    const [low, high] = [model.seed({ mu: 98, sigma: 5 }), model.seed({ mu: 99.5, sigma: 5 })];
    expect(model.belief(boostedState(model, low, high, 4)).mu).toBeCloseTo(100, 6);
    const elo = modelOf('elo');
    // A rating that an earlier version accepted, beyond the range of today.
    const far = elo.moved(elo.initial(), elo.range.mu[1] + 100);
    const farther = elo.moved(far, elo.range.mu[1] + 110);
    expect(boostedState(elo, far, farther, 2)).toEqual(farther);
  });
});

const model = modelOf('openskill-plackett-luce');
const settled = (mu: number): SkillState => model.seed({ mu, sigma: 1.5 });
const sure = (mu: number): SkillState => model.seed({ mu, sigma: 1e-3 });

/** What a result between two levels does to the mean of the first. */
function stepOf(own: number, level: number, ranks: [number, number]): number {
  const [[after = settled(own)] = []] = model.rate({ teams: [[settled(own)], [settled(level)]] }, ranks);
  return model.belief(after).mu - own;
}

/** The chance of a player against a level: as the steps of the model balance, or as the model predicts, which is farther from even. */
const truths = {
  balanced: (strength: number, level: number): number => {
    const [won, lost] = [stepOf(strength, level, [1, 2]), stepOf(strength, level, [2, 1])];
    return -lost / (won - lost);
  },
  predicted: (strength: number, level: number): number =>
    model.predict({ teams: [[sure(strength)], [sure(level)]] })[0] ?? 0.5,
};

/** A career against settled opponents, whose level is their strength. */
interface Career {
  readonly truth: keyof typeof truths;
  readonly strength: number;
  /** Matches with a booster, which are the first ones. */
  readonly boosted: number;
  readonly random: Random;
}

const gold = 25 - 0.25 * start.sigma;
const platinum = 25 + 0.25 * start.sigma;
const kFactor = 2;

/** The means after each match of a player of Gold: the first ones in Platinum, with a booster, the others at the own level. */
function career({ truth, strength, boosted, random }: Career, matches: number): number[] {
  const above = boosterTarget(seven, start, 'Gold', 'Platinum', 1).level;
  let state = settled(gold);
  return Array.from({ length: matches }, (_, i) => {
    const level = i < boosted ? above : model.belief(state).mu;
    const ranks = random() < truths[truth](strength, level) ? [1, 2] : [2, 1];
    const [[after = state] = []] = model.rate({ teams: [[state], [settled(level)]] }, ranks);
    state = boostedState(model, state, after, i < boosted ? kFactor : 1);
    return model.belief(state).mu;
  });
}

const seeds = Array.from({ length: 300 }, (_, i) => i);
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

describe('R21 boosters in the long run', () => {
  /** The median number of matches until a player who belongs in Platinum is there, past the margin. */
  const untilPromoted = (truth: keyof typeof truths, boosted: number): number =>
    median(
      seeds.map((seed) => {
        const means = career({ truth, strength: platinum, boosted, random: seededRandom(seed) }, 80);
        const at = means.findIndex((mu) => mu >= 25 + start.sigma / 10);
        return at === -1 ? Infinity : at + 1;
      }),
    );

  it('bring a player who is better than their rating to the true division in fewer matches', () => {
    const [without, boosted] = [untilPromoted('balanced', 0), untilPromoted('balanced', 20)];
    expect([without, boosted]).toEqual([29, 11]);
    expect(untilPromoted('predicted', 20)).toBeLessThan(0.7 * untilPromoted('predicted', 0));
  });

  it.each(['balanced', 'predicted'] as const)(
    'do not lift a player whose rating is right, at once or later, where chances are %s',
    (truth) => {
      const careers = seeds.map((seed) =>
        career({ truth, strength: gold, boosted: 20, random: seededRandom(seed) }, 100),
      );
      const after = (matches: number): number => mean(careers.map((means) => means[matches - 1] ?? NaN));
      const noise = 0.03 * start.sigma;
      expect(after(20)).toBeLessThan(gold + noise);
      if (truth === 'balanced') expect(after(20)).toBeGreaterThan(gold - noise);
      // 80 matches in the own division later nothing is left of them.
      expect(Math.abs(after(100) - gold)).toBeLessThan(noise);
    },
  );
});
