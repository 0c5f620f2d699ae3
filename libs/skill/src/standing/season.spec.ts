import { Unsolvable } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelKinds, modelOf } from '../models.js';
import { atSeasonStart, readSeasonRules, softReset } from './season.js';

const start = { mu: 1500, sigma: 350 };
const share = fc.double({ min: 0, max: 1, noNaN: true });
const reset = fc.record({ keep: share, uncertainty: share });
const mean = fc.double({ min: -1e4, max: 1e4, noNaN: true });
const belief = fc.record({ mu: mean, sigma: fc.double({ min: 1e-3, max: 1e3, noNaN: true }) });

describe('the rules of seasons', () => {
  it.each([
    [{ keep: -0.1, uncertainty: 0, placementMatches: 0 }, '"keep"'],
    [{ keep: 1.1, uncertainty: 0, placementMatches: 0 }, '"keep"'],
    [{ keep: NaN, uncertainty: 0, placementMatches: 0 }, '"keep"'],
    [{ keep: 0, uncertainty: 2, placementMatches: 0 }, '"uncertainty"'],
    [{ keep: 0, uncertainty: 0, placementMatches: 1.5 }, 'placement matches'],
    [{ keep: 0, uncertainty: 0, placementMatches: -1 }, 'placement matches'],
  ])('refuse %j', (rules, name) => {
    expect(() => readSeasonRules(rules)).toThrow(Unsolvable);
    expect(() => readSeasonRules(rules)).toThrow(name);
  });

  it('are shares from 0 to 1 and a number of matches', () => {
    fc.assert(
      fc.property(reset, fc.nat(), (shares, placementMatches) => {
        const rules = { ...shares, placementMatches };
        expect(readSeasonRules(rules)).toBe(rules);
      }),
    );
  });
});

describe('soft reset', () => {
  it('keeps a share of the distance, and restores a share of the uncertainty', () => {
    const rules = { keep: 0.75, uncertainty: 0.5 };
    expect(softReset({ mu: 1900, sigma: 60 }, start, rules)).toEqual({ mu: 1800, sigma: 175 });
    expect(softReset({ mu: 1100, sigma: 200 }, start, rules)).toEqual({ mu: 1200, sigma: 200 });
  });

  it('changes nothing when everything is kept, and leaves a newcomer as they are', () => {
    fc.assert(
      fc.property(belief, reset, (given, rules) => {
        expect(softReset(given, start, { keep: 1, uncertainty: 0 })).toEqual(given);
        expect(softReset(start, start, rules)).toEqual(start);
      }),
    );
  });

  it('never swaps two ranks, never leads away from the start value, never lowers the uncertainty', () => {
    fc.assert(
      fc.property(belief, belief, reset, (one, other, rules) => {
        const [low, high] = one.mu <= other.mu ? [one, other] : [other, one];
        const after = softReset(low, start, rules);
        expect(after.mu).toBeLessThanOrEqual(softReset(high, start, rules).mu);
        expect(Math.abs(after.mu - start.mu)).toBeLessThanOrEqual(Math.abs(low.mu - start.mu) + 1e-9);
        expect(after.sigma).toBeGreaterThanOrEqual(Math.max(low.sigma, rules.uncertainty * start.sigma));
      }),
    );
  });
});

describe('the start of a season', () => {
  it.each(modelKinds.map(({ name }) => name))('%s: resets a played rating', (name) => {
    const model = modelOf(name);
    const newcomer = model.belief(model.initial());
    const teams = [[model.initial()], [model.initial()]];
    const facts = teams.map(() => [
      { place: 1, kills: 3, deaths: 2, power: 300, scoredFor: 10, scoredAgainst: 5, command: 0.5 },
    ]);
    let [[won] = []] = model.rate({ teams, facts }, [1, 2]);
    for (let i = 0; i < 20; i++)
      won = model.rate({ teams: [[won ?? model.initial()], [model.initial()]], facts }, [1, 2])[0]?.[0];
    const before = model.belief(won ?? model.initial());

    const same = atSeasonStart(model, won ?? model.initial(), newcomer, { keep: 1, uncertainty: 0 });
    expect(model.belief(same)).toEqual(before);

    const after = model.belief(
      atSeasonStart(model, won ?? model.initial(), newcomer, { keep: 0.5, uncertainty: 1 }),
    );
    expect(after.sigma).toBeGreaterThanOrEqual(before.sigma);
    const [far, near] = [Math.abs(before.mu - newcomer.mu), Math.abs(after.mu - newcomer.mu)];
    expect(near).toBeLessThanOrEqual(far * 0.5 + Math.max(1, 0.05 * newcomer.sigma));
  });
});
