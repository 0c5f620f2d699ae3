import { PlayerTwice, Unsolvable, type RatingPool } from '@muster/domain';
import { defaultPoolRules, uncalibrated } from '@muster/skill';
import { describe, expect, it } from 'vitest';
import { Predict } from './predict.js';

const pool: RatingPool = {
  name: 'ladder',
  gameMode: null,
  modifiers: [],
  rules: { ...defaultPoolRules, partyBonus: 'fixed' },
  calibration: uncalibrated,
  version: 1,
  generation: 1,
};
const predict = new Predict({ of: async () => ({ pool, ratings: new Map() }) }, { now: () => 0 });
const teams = [['ann'], ['ben']];

describe('a prediction, for every caller', () => {
  it.each([
    [
      'a party of no team',
      [[5], []],
      /^parties\.0: the parties have 5 members, but team 1 has one player\.$/,
    ],
    ['the party of a third team', [[], [], [2]], /^parties: there are 2 teams but parties of 3/],
  ])('ignores %s', async (_what, parties, says) => {
    const asked = predict.run('ladder', { teams, parties });
    await expect(asked).rejects.toThrow(Unsolvable);
    await expect(asked).rejects.toThrow(says);
  });

  it('counts parties', async () => {
    const two = [
      ['ann', 'ben'],
      ['cat', 'dan'],
    ];
    expect(
      (await predict.run('ladder', { teams: two, parties: [[2], []] })).prediction.chances[0],
    ).toBeGreaterThan(0.5);
    expect(
      (await predict.run('ladder', { teams: two, parties: [[2], [2]] })).prediction.chances[0],
    ).toBeCloseTo(0.5, 12);
    await expect(predict.run('ladder', { teams: [['ann'], ['ann']] })).rejects.toThrow(PlayerTwice);
  });
});
