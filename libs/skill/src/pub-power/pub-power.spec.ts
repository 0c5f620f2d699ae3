import { describe, expect, it } from 'vitest';
import type { SkillState } from '../model.js';
import { modelOf } from '../models.js';
import { evenPower, placeValue, stretchedPlaceValue } from './power.js';

describe('R12 pubPower, powers', () => {
  it('count up from 5, from the weakest; equals share their ranks', () => {
    expect(evenPower([3, 20, 7])).toEqual([5, 7, 6]);
    expect(evenPower([])).toEqual([]);
    expect(evenPower([4, 9, 4])).toEqual([5.5, 7, 5.5]);
  });

  it('include presence: three of the best do not equal eight of the worst', () => {
    const powers = evenPower([1, 2, 3, 4, 5, 6, 7, 8, 22, 23, 24]);
    const sum = (some: readonly number[]): number => some.reduce((total, each) => total + each, 0);
    expect(sum(powers.slice(0, 8)) - sum(powers.slice(8))).toBeGreaterThanOrEqual(10);
  });

  it('gives a place the top less the places above it, and at least 1', () => {
    expect([1, 2, 24, 25, 40].map((place) => placeValue(place, 24))).toEqual([24, 23, 1, 1, 1]);
    expect([1, 2, 3].map((place) => stretchedPlaceValue(place, 24, 3))).toEqual([24, 12.5, 1]);
    expect([1, 31, 61, 99].map((place) => stretchedPlaceValue(place, 16, 61))).toEqual([16, 8.5, 1, 1]);
    expect(stretchedPlaceValue(1, 16, 1)).toBe(16);
  });
});

describe('R12 pubPower, the model', () => {
  const play = (places: readonly number[], given = {}): number => {
    const model = modelOf('pub-power', given);
    let player: SkillState = model.initial();
    for (const place of places) {
      const facts = [[{ place }], [{ place: place === 1 ? 2 : 1 }]];
      player = model.rate({ teams: [[player], [model.initial()]], facts }, [1, 2])[0]?.[0] ?? player;
    }
    return model.belief(player).mu;
  };

  it('a first match at the top gives the mode’s maximum', () => {
    expect(play([1])).toBe(24);
    expect(play([1], { top: 6 })).toBe(6);
    expect(play([])).toBe(12.5);
  });

  it('is the mean over the last 50', () => {
    expect(play([1, 3])).toBe(23);
    expect(play([...Array<number>(70).fill(9), ...Array<number>(50).fill(3)])).toBe(22);
    expect(play([9, 9, 3], { matches: 1 })).toBe(22);
  });

  it('converts a team power 10 ahead to 3 to 1', () => {
    const model = modelOf('pub-power');
    const at = (mu: number): SkillState => model.seed({ mu, sigma: 1 });
    const teams = [[1, 2, 3, 9, 10].map(at), [4, 5, 6, 7, 8].map(at)];
    // Ranks 0, 1, 2, 8, 9 against 3 to 7: 20 to 25; one more rank on top makes it 5 less than 10 apart.
    expect(model.predict({ teams })[1]).toBeCloseTo(1 / (1 + Math.exp(-5 / 9.1)), 12);
    const odds = [0, 5 / 9.1];
    expect(model.predict({ teams, odds })[1]).toBeCloseTo(0.75, 3);
  });

  it('sorts only players with weight', () => {
    const model = modelOf('pub-power');
    const at = (mu: number): SkillState => model.seed({ mu, sigma: 1 });
    const teams = [[at(5), at(2)], [at(9)]];
    expect(model.predict({ teams, weights: [[1, 0], [1]] })[0]).toBeCloseTo(1 / (1 + Math.exp(1 / 9.1)), 12);
  });

  it('names the player whose place is missing', () => {
    const model = modelOf('pub-power');
    const teams = [[model.initial()], [model.initial()]];
    expect(model.predict({ teams })).toEqual([0.5, 0.5]);
    expect(() => model.rate({ teams }, [1, 2])).toThrow(/pub-power.*player 1 of team 1.*log-weights/);
    const facts = [[{ place: 1 }], [{ place: 1.5 }]];
    expect(() => model.rate({ teams, facts }, [1, 2])).toThrow(/player 1 of team 2/);
    expect(model.rate({ teams, facts, weights: [[1], [0]] }, [1, 2])[1]?.[0]).toBe(teams[1]?.[0]);
  });
});
