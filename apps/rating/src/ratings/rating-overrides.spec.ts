import { RatingInvalid, type GivenEvent, type RatingPool } from '@muster/domain';
import { defaultPoolRules, modelKinds, uncalibrated } from '@muster/skill';
import { describe, expect, it } from 'vitest';
import { RatingOverrides } from './rating-overrides.js';
import { readRules } from '../pools/pools.js';

/** A pool that does not seed by stats. */
const resultsAlone = { combine: async () => null };

/** A `RatingOverrides` over a pool of the model, with the events it records. */
function setterOf(model: string) {
  const pool: RatingPool = {
    name: 'ladder',
    gameMode: null,
    modifiers: [],
    rules: { ...defaultPoolRules, model },
    calibration: uncalibrated,
    version: 1,
    generation: 1,
  };
  const events: GivenEvent[] = [];
  const ratings: ConstructorParameters<typeof RatingOverrides>[0] = {
    pool: async () => pool,
    record: async (_name, event) => {
      if (event.kind === 'set' || event.kind === 'seed') events.push(event);
      return true;
    },
  };
  const ids = { make: (kind: string) => `${kind}_1`, derive: String, fingerprint: String };
  return { events, give: new RatingOverrides(ratings, { now: () => 7 }, ids, resultsAlone) };
}

describe.each(modelKinds.map(({ name }) => name))('setting a rating in a pool of %s', (model) => {
  it.each([1e308, -1e308, 1e13])('rejects %d, names the allowed range and records nothing', async (mu) => {
    const { events, give } = setterOf(model);
    const set = give.set('ladder', 'ann', { mu, reason: 'r' }, 'operator');
    await expect(set).rejects.toThrow(RatingInvalid);
    await expect(set).rejects.toThrow(/^mu must be a number from .* to .* in this pool of .*, not -?1/);
    await expect(give.seed('ladder', 'ann', mu, 1, 'e', 'r')).rejects.toThrow(RatingInvalid);
    await expect(give.set('ladder', 'ann', { mu, reason: 'r' }, 'operator', 'rating')).rejects.toMatchObject({
      facts: { errors: [{ path: 'rating' }] },
    });
    expect(events).toEqual([]);
  });

  it.each([1e308, 1e13, 0])('rejects the sigma %d', async (sigma) => {
    const { events, give } = setterOf(model);
    const mu = 50;
    await expect(give.set('ladder', 'ann', { mu, sigma, reason: 'r' }, 'operator')).rejects.toMatchObject({
      facts: { errors: [{ path: 'sigma' }] },
    });
    expect(events).toEqual([]);
  });

  it('is recorded without a sigma if none is given', async () => {
    const { events, give } = setterOf(model);
    await give.set('ladder', 'ann', { mu: 30, reason: 'r' }, 'operator');
    await give.set('ladder', 'ann', { mu: 30, sigma: 3, reason: 'r' }, 'operator');
    expect(events).toMatchObject([
      { mu: 30, sigma: null, doubt: null, model, at: 7 },
      { mu: 30, sigma: 3 },
    ]);
  });

  it('limits the cap of the shadow to the model’s range', () => {
    expect(() => readRules({ model, shadowCap: -1e308 }, defaultPoolRules)).toThrow(
      /^shadowCap must be a number from/,
    );
  });
});
