import { seededRandom } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { pairsOf } from '../health/health.js';
import { modelOf } from '../models.js';
import type { ModelParameters } from '../parameters.js';
import { scorePredictions } from '../score.js';
import { pairShifts } from './pairs.js';
import { logisticUpdate } from './two-teams.js';

/** The mean log-loss of the pairs of races among 60 players of known skill, after the first fifth. */
function lossOf(name: string, size: number, parameters: ModelParameters = {}): number {
  const random = seededRandom(size);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const model = modelOf(name, parameters);
  const players = Array.from({ length: 60 }, () => ({
    skill: 25 + (25 / 3) * normal(),
    state: model.initial(),
  }));
  const races = Math.round(3_000 / size);
  let total = 0;
  for (let race = 0; race < races; race++) {
    const field = players
      .map((player) => ({ player, key: random(), performance: player.skill + (25 / 6) * normal() }))
      .toSorted((a, b) => a.key - b.key)
      .slice(0, size);
    const ranks = field.map((one) => 1 + field.filter((other) => other.performance > one.performance).length);
    const teams = field.map(({ player }) => [player.state]);
    if (race >= races / 5)
      total += scorePredictions(pairsOf({ ranks }, model.predict({ teams }))).logLoss / (races * 0.8);
    model.rate({ teams }, ranks).forEach(([state], t) => {
      const { player } = field[t] ?? {};
      if (player && state) player.state = state;
    });
  }
  return total;
}

describe('R1 large fields', () => {
  it.each([4, 8, 20, 40])('Plackett–Luce learns more from the pairs of %d than from places', (size) => {
    const pairs = lossOf('openskill-plackett-luce', size);
    expect(pairs).toBeLessThan(lossOf('openskill-plackett-luce', size, { ranking: 'places' }));
    expect(pairs).toBeLessThan(lossOf('elo', size));
  });

  it('partial pairing learns more from four neighbours than from one', () => {
    const name = 'openskill-bradley-terry-part';
    expect(lossOf(name, 20)).toBeLessThan(lossOf(name, 20, { reach: 1 }));
  });

  it.each([1, 2, 5, Infinity])('the pairs within %d places weigh as much as n − 1 matches', (reach) => {
    // Certain teams that are even: each pair moves both by the same, so the sum counts the pairs.
    const even = Array.from({ length: 9 }, () => ({ mu: 25, variance: 1e-9, noise: 16 }));
    const places = even.map((_, t) => t + 1);
    const whole = pairShifts(even, places, { reach, weight: 'whole' }, logisticUpdate);
    const shared = pairShifts(even, places, { reach, weight: 'shared' }, logisticUpdate);
    const one = logisticUpdate(
      even[0] ?? { mu: 0, variance: 0, noise: 1 },
      even[1] ?? { mu: 0, variance: 0, noise: 1 },
      1,
    );
    const spread = (of: typeof whole): number => of.reduce((sum, each) => sum + each.spread, 0);
    expect(spread(shared) / (one[0].spread + one[1].spread)).toBeCloseTo(8, 9);
    expect(spread(whole)).toBeGreaterThanOrEqual(spread(shared));
  });
});
