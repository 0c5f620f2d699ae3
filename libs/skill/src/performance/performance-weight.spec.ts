import { Unsolvable } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlayerFacts } from '../model.js';
import { modelOf } from '../models.js';
import { partyMultiplier } from '../party/bonus.js';
import type { PerformanceState } from './performance-weight.js';
import { killRatio, lowerOfMeanAndMedian, performanceWeight } from './weight.js';

const some = (value: number, times: number): number[] => Array.from({ length: times }, () => value);

describe('the lower of mean and median', () => {
  it('of three games of 7 and seventeen of 1 is the median: 1. The mean is 1.9, not 3.4 as the source says', () => {
    const games = [...some(7, 3), ...some(1, 17)];
    expect(games.reduce((sum, ratio) => sum + ratio, 0) / games.length).toBeCloseTo(1.9, 12);
    expect(lowerOfMeanAndMedian(games)).toBe(1);
  });

  it('of seventeen games of 7 and three of 1 is the mean: 6.1', () => {
    expect(lowerOfMeanAndMedian([...some(7, 17), ...some(1, 3)])).toBeCloseTo(6.1, 12);
  });

  it('is at most either, and does not depend on the order', () => {
    const values = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(values, (all) => {
        const mean = all.reduce((sum, value) => sum + value, 0) / all.length;
        const low = lowerOfMeanAndMedian(all);
        expect(low).toBeLessThanOrEqual(mean * (1 + 1e-12));
        expect(all.filter((value) => value >= low * (1 - 1e-12)).length).toBeGreaterThanOrEqual(
          all.length / 2,
        );
        expect(lowerOfMeanAndMedian(all.toReversed())).toBe(low);
      }),
    );
  });
});

describe('the performance weight', () => {
  it('counts an assist as a quarter of a kill, and a game without a death as one with one', () => {
    expect(killRatio(6, 2, 4)).toBe(3.5);
    expect(killRatio(6, 0, 0)).toBe(6);
    expect(killRatio(0, 3, 0)).toBe(0);
  });

  it('is A · B · C · D / 100 000', () => {
    // Thirty games: all of them differ from the last twenty.
    const games = [
      ...Array.from({ length: 10 }, () => ({ ratio: 4, power: 800 })),
      ...Array.from({ length: 20 }, () => ({ ratio: 2, power: 500 })),
    ];
    // Over all the medians are 2 and 500, below the means 2.67 and 600.
    expect(performanceWeight(games)).toBeCloseTo(2 * 2 * ((500 * 500) / 100_000), 12);
    expect(performanceWeight(games.toReversed())).toBeCloseTo(2 * 3 * ((500 * 650) / 100_000), 12);
  });

  it('of friends has their multipliers', () => {
    expect([1, 2, 3, 4, 5].map(partyMultiplier)).toEqual([1, 1.15, 1.2, 1.25, 1.25]);
  });
});

describe('the model performance-weight', () => {
  const model = modelOf('performance-weight');
  const did = (kills: number, deaths: number, power: number, assists?: number): PlayerFacts => ({
    kills,
    deaths,
    power,
    ...(assists === undefined ? {} : { assists }),
  });

  it('learns what players do, not who wins', () => {
    let [ann, bob] = [model.initial(), model.initial()];
    for (let i = 0; i < 30; i++) {
      const facts = [[did(20, 5, 900, 8)], [did(4, 8, 200)]];
      const after = model.rate({ teams: [[ann], [bob]], facts }, [2, 1]);
      [ann, bob] = [after[0]?.[0] ?? ann, after[1]?.[0] ?? bob];
    }
    expect(model.belief(ann).mu).toBeCloseTo(4.4 * 4.4 * 8.1, 9);
    expect(model.belief(bob).mu).toBeCloseTo(0.5 * 0.5 * 0.4, 9);
    expect(model.belief(ann).sigma).toBeCloseTo(1 / Math.sqrt(31), 12);
    const [chance = 0] = model.predict({ teams: [[ann], [bob]] });
    expect(chance).toBeCloseTo(1 / (1 + Math.sqrt(0.1 / 156.816)), 3);
  });

  it('names the player whose facts are missing', () => {
    const teams = [[model.initial()], [model.initial()]];
    const facts = [[did(1, 1, 1)], [{ kills: 1 }]];
    expect(() => model.rate({ teams, facts }, [1, 2])).toThrow(Unsolvable);
    expect(() => model.rate({ teams, facts }, [1, 2])).toThrow(/player 1 of team 2 are missing/);
  });

  it('keeps a bounded number of games, and reads what it wrote', () => {
    const small = modelOf('performance-weight', { games: 20 });
    let ann = small.initial();
    const bob = small.initial();
    for (let i = 0; i < 50; i++)
      ann =
        small.rate({ teams: [[ann], [bob]], facts: [[did(i, 1, i)], [did(1, 1, 1)]] }, [1, 2])[0]?.[0] ?? ann;
    expect((ann as PerformanceState).games.map(({ power }) => power)).toEqual(
      Array.from({ length: 20 }, (_, i) => 30 + i),
    );
    expect(small.read(JSON.parse(JSON.stringify(small.write(ann))))).toEqual(ann);
    for (const wrong of [null, {}, { games: [1] }, { games: [['1', 2]] }])
      expect(() => small.read(wrong)).toThrow(TypeError);
  });
});
