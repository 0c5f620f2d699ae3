import { seededRandom } from '@muster/domain';
import { defaultPoolRules, modelKinds, poolModelOf, type PoolModel } from '@muster/skill';
import { describe, expect, it } from 'vitest';
import { Replay, type HistoricMatch } from './replay.js';

const pool = poolModelOf(defaultPoolRules);
const sigmoid = (odds: number): number => 1 / (1 + Math.exp(-odds));

describe('a history replayed by every model', () => {
  /** Strong and weak players, paired at random: the stronger one mostly wins. */
  function history(count: number): HistoricMatch[] {
    const random = seededRandom(9);
    return Array.from({ length: count }, (_, i): HistoricMatch => {
      const ids = Array.from({ length: 4 }, () => Math.floor(random() * 16));
      const unique = [...new Set(ids)];
      while (unique.length < 4) unique.push((unique[0] ?? 0) + 16 + unique.length);
      const [a = 0, b = 0, c = 0, d = 0] = unique;
      const strength = (x: number): number => (x % 16) / 4;
      const p = sigmoid(strength(a) + strength(b) - strength(c) - strength(d));
      const name = (x: number): string => `p${x}`;
      return {
        players: [
          [name(a), name(b)],
          [name(c), name(d)],
        ],
        ranks: random() < p ? [1, 2] : [2, 1],
        at: i * 60_000,
        facts: [
          [
            { place: 1, kills: 5, deaths: 2, power: 300, scoredFor: 3, scoredAgainst: 1 },
            { place: 3, kills: 2, deaths: 2, power: 300, scoredFor: 3, scoredAgainst: 1 },
          ],
          [
            { place: 2, kills: 3, deaths: 2, power: 300, scoredFor: 1, scoredAgainst: 3 },
            { place: 4, kills: 1, deaths: 2, power: 300, scoredFor: 1, scoredAgainst: 3 },
          ],
        ],
      };
    });
  }

  function replayed(model: PoolModel, matches: readonly HistoricMatch[]) {
    const replay = new Replay(model);
    return matches.map((each) => ({ ranks: each.ranks, prediction: replay.take(each) }));
  }

  it.each(modelKinds.map(({ name }) => name))('%s predicts, rates and is calibrated', (name) => {
    const model = poolModelOf({ ...defaultPoolRules, model: name });
    const told = replayed(model, history(400));
    expect(told).toHaveLength(400);
    for (const { prediction } of told) {
      expect(prediction.chances.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
      expect(prediction.chances.every((chance) => chance > 0 && chance < 1)).toBe(true);
    }
    const logLoss = (of: typeof told): number =>
      -of.reduce(
        (sum, { ranks, prediction }) => sum + Math.log(prediction.chances[ranks.indexOf(1)] ?? 0),
        0,
      ) / of.length;
    // Models that need facts invented here learn who is strong; none may do worse than a coin for long.
    expect(logLoss(told.slice(200))).toBeLessThan(0.72);
  });

  it('is deterministic', () => {
    const matches = history(120);
    expect(replayed(pool, matches)).toEqual(replayed(pool, matches));
  });

  it('calibrates from the past alone: later matches change no earlier prediction', () => {
    const matches = history(200);
    const short = replayed(pool, matches.slice(0, 150));
    expect(replayed(pool, matches).slice(0, 150)).toEqual(short);
  });
});
