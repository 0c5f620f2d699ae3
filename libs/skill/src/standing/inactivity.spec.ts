import { Unsolvable } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelOf } from '../models.js';
import { afterInactivity, inactivityOf, isStale, rested } from './inactivity.js';

const day = 86_400_000;
const start = { mu: 1500, sigma: 350 };
const rules = { afterDays: 10, forgottenAfterDays: 100, decay: { floor: 1800, perDay: 0.02 } };
const divisions = [
  { name: 'Silver', from: null },
  { name: 'Gold', from: 1800 },
  { name: 'Platinum', from: 2000 },
];
const belief = fc.record({
  mu: fc.double({ min: -1e4, max: 1e4, noNaN: true }),
  sigma: fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
});
const time = fc.integer({ min: 0, max: 2_000 * day });

describe('the rules of inactivity', () => {
  it.each([
    [{ afterDays: 1, decay: { division: 'Tin', perDay: 1 } }, 'possible are Gold, Platinum'],
    [{ afterDays: 1, decay: { division: 'Silver', perDay: 1 } }, 'possible are Gold, Platinum'],
  ])('refuse %j', (given, sentence) => {
    const resolve = () => inactivityOf(given, divisions, modelOf('glicko2'));
    expect(resolve).toThrow(Unsolvable);
    expect(resolve).toThrow(sentence);
  });

  it('name a division, whose lower border is the floor', () => {
    const given = { afterDays: 10, forgottenAfterDays: 100, decay: { division: 'Gold', perDay: 0.02 } };
    expect(inactivityOf(given, divisions, modelOf('glicko2'))).toEqual(rules);
    expect(inactivityOf({ afterDays: 0 }, divisions, modelOf('elo'))).toEqual({ afterDays: 0 });
  });

  it('cannot make a model forget whose uncertainty follows other rules', () => {
    const forget = { afterDays: 1, forgottenAfterDays: 100 };
    for (const name of ['elo', 'synelo', 'hive', 'log-weights', 'pub-power'])
      expect(() => inactivityOf(forget, divisions, modelOf(name))).toThrow('cannot grow with time');
    const inPeriods = modelOf('glicko2', { periodDays: 7 });
    expect(() => inactivityOf(forget, divisions, inPeriods)).toThrow('cannot grow with time');
  });
});

describe('inactivity', () => {
  const stored = { mu: 2000, sigma: 70 };

  it('changes nothing before its day, nor without a match, nor at an earlier time', () => {
    expect(afterInactivity(stored, start, 0, 10 * day, rules)).toEqual(stored);
    expect(afterInactivity(stored, start, null, 1_000 * day, rules)).toEqual(stored);
    expect(afterInactivity(stored, start, 50 * day, 0, rules)).toEqual(stored);
    expect(afterInactivity(stored, start, 0, 500 * day, { afterDays: 10 })).toEqual(stored);
  });

  it('adds variance linearly, and takes its amount a day from the mean', () => {
    const { mu, sigma } = afterInactivity(stored, start, 0, 20 * day, rules);
    expect(mu).toBeCloseTo(2000 - 10 * 0.02 * 350, 9);
    expect(sigma ** 2).toBeCloseTo(70 ** 2 + 350 ** 2 * 0.1, 6);
  });

  it('ends at the floor and at the start uncertainty, and leaves lower ratings alone', () => {
    expect(afterInactivity(stored, start, 0, 1_000 * day, rules)).toEqual({ mu: 1800, sigma: 350 });
    expect(afterInactivity({ mu: 1700, sigma: 400 }, start, 0, 1_000 * day, rules)).toEqual({
      mu: 1700,
      sigma: 400,
    });
  });

  it('only ever goes one way as time passes', () => {
    fc.assert(
      fc.property(belief, time, time, (given, one, other) => {
        const sooner = afterInactivity(given, start, 0, Math.min(one, other), rules);
        const later = afterInactivity(given, start, 0, Math.max(one, other), rules);
        expect(later.mu).toBeLessThanOrEqual(sooner.mu);
        expect(later.sigma).toBeGreaterThanOrEqual(sooner.sigma);
        expect(sooner.mu).toBeLessThanOrEqual(given.mu);
        expect(sooner.sigma).toBeGreaterThanOrEqual(given.sigma);
      }),
    );
  });

  it('depends on the time since the last match alone', () => {
    fc.assert(
      fc.property(belief, time, time, (given, since, passed) => {
        expect(afterInactivity(given, start, since, since + passed, rules)).toEqual(
          afterInactivity(given, start, 0, passed, rules),
        );
      }),
    );
  });
});

describe('a state that rests', () => {
  it.each(['openskill-plackett-luce', 'trueskill', 'glicko2'])(
    'of %s is as uncertain as the policy says',
    (name) => {
      const model = modelOf(name);
      const first = model.belief(model.initial());
      const known = model.seed({ mu: first.mu + first.sigma, sigma: first.sigma / 5 });
      const policy = { afterDays: 0, forgottenAfterDays: 100 };
      const { mu, sigma } = model.belief(rested(model, known, first, 0, 25 * day, policy));
      expect(mu).toBe(model.belief(known).mu);
      expect(sigma).toBeCloseTo(first.sigma * Math.sqrt(0.04 + 0.25), 9);
      expect(rested(model, known, first, null, 25 * day, policy)).toBe(known);
    },
  );

  it('keeps its games, where the uncertainty follows from them', () => {
    const elo = modelOf('elo');
    const known = elo.read({ rating: 2400, games: 80 });
    const policy = { afterDays: 0, decay: { floor: 2000, perDay: 0.01 } };
    const { sigma } = elo.belief(elo.initial());
    expect(elo.write(rested(elo, known, elo.belief(elo.initial()), 0, 10 * day, policy))).toEqual({
      rating: 2400 - 0.1 * sigma,
      games: 80,
    });
  });
});

describe('R15, R17 stale flag', () => {
  it('is set after thirty days without a match, and never without any match', () => {
    expect(isStale(0, 30 * day, 30)).toBe(false);
    expect(isStale(0, 30 * day + 1, 30)).toBe(true);
    expect(isStale(0, 8 * day, 7)).toBe(true);
    expect(isStale(null, 1e15, 30)).toBe(false);
    // Written with a wrong clock: it must not keep its player fresh for ever.
    expect(isStale(Date.UTC(2538, 0), Date.UTC(2026, 0), 30)).toBe(true);
    expect(isStale(60_000, 0, 30)).toBe(false);
    expect(isStale(5, 0, 30)).toBe(false);
  });
});
