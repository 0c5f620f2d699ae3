import { readSettings } from '@muster/platform';
import { describe, expect, it } from 'vitest';
import { ratingSettings, seedsOf } from './settings.js';

const { POOLS, POOL_MODEL } = ratingSettings.shape;
const schema = ratingSettings.pick({ POOLS: true, POOL_MODEL: true });

describe('the pools of the settings', () => {
  it('are names with the model', () => {
    const settings = { POOLS: POOLS.parse('ctf, duel'), POOL_MODEL: POOL_MODEL.parse('elo') };
    expect(seedsOf(settings)).toMatchObject([
      { name: 'ctf', model: 'elo' },
      { name: 'duel', model: 'elo' },
    ]);
  });

  it.each([
    [{ POOLS: 'ctf,,duel' }, /\n {2}POOLS: must be names of pools/],
    [{ POOLS: 'My Pool' }, /\n {2}POOLS: must be names of pools/],
    [
      { POOL_MODEL: 'ello' },
      /\n {2}POOL_MODEL: there is no rating model "ello"; "muster pools models" lists them$/,
    ],
  ])('are refused by the name of the setting: %j', (env, problem) => {
    expect(() => readSettings(schema, env)).toThrow(problem);
  });
});
