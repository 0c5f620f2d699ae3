import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelKinds, modelOf } from '../models.js';
import { checkIntegrityRules, lessCertain } from './signal.js';

const share = fc.double({ min: 0, max: 1, noNaN: true });

describe('the rules of integrity', () => {
  it('let a model watch whose uncertainty follows other rules, but not raise it', () => {
    expect(() => checkIntegrityRules({}, modelOf('elo'))).not.toThrow();
    expect(() => checkIntegrityRules({ uncertainty: 0.5 }, modelOf('glicko2'))).not.toThrow();
    for (const model of [modelOf('elo'), modelOf('synelo'), modelOf('glicko2', { periodDays: 7 })])
      expect(() => checkIntegrityRules({ uncertainty: 0.5 }, model)).toThrow('cannot be raised by signals');
  });
});

describe('a signal', () => {
  it.each(modelKinds.map(({ name }) => name))(
    '%s: never moves a mean, never lowers an uncertainty, and never raises one beyond the bound',
    (name) => {
      const model = modelOf(name);
      const start = model.belief(model.initial());
      fc.assert(
        fc.property(
          fc.double({ min: 0.05, max: 2, noNaN: true }),
          fc.double({ min: 0, max: 1.9, noNaN: true }),
          fc.array(share, { minLength: 1, maxLength: 5 }),
          (doubt, level, shares) => {
            const before = model.seed({ mu: start.mu + level * start.sigma, sigma: doubt * start.sigma });
            const after = shares.reduce((state, each) => lessCertain(model, state, start, each), before);
            const [one, other] = [model.belief(before), model.belief(after)];
            expect(other.mu).toBe(one.mu);
            expect(other.sigma).toBeGreaterThanOrEqual(one.sigma);
            const bound = Math.max(one.sigma, Math.max(...shares) * start.sigma);
            expect(other.sigma).toBeLessThanOrEqual(bound * (1 + 1e-12));
            if (!model.widened) expect(after).toBe(before);
            else expect(other.sigma).toBeCloseTo(bound, 9);
          },
        ),
      );
    },
  );
});
