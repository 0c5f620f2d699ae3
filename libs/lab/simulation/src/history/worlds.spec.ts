import { seededRandom, type AspectRules, type Calibration, type RatingRules } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { poolModelOf, defaultPoolRules, calibrationFrom, aspectsFeature } from '@muster/skill';
import { Replay, type HistoricMatch } from './replay.js';

const sigmoid = (odds: number): number => 1 / (1 + Math.exp(-odds));

/** A number from the standard normal distribution (Box and Muller). */
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

interface World {
  /** Standard deviation of the skill by side, in log-odds of a duel. */
  readonly side: number;
  readonly map: number;
  readonly teamSize: number;
  readonly matches: number;
}

const players = 40;
/** Nothing but skill is learned, so that the replay is quick. */
const rules: RatingRules = {
  ...defaultPoolRules,
  circumstances: [],
  aggregation: 'mean',
  partyBonus: 'none',
};
const maps = ['one', 'two', 'three'];

/** Matches between random teams on random sides and maps, by players with skills of their own on each. */
function historyOf({ side, map, teamSize, matches }: World, seed: number): HistoricMatch[] {
  const random = seededRandom(seed);
  const people = Array.from({ length: players }, (_, i) => ({
    id: `p${i}`,
    skill: normal(random),
    alien: side * normal(random),
    marine: side * normal(random),
    maps: maps.map(() => map * normal(random)),
  }));
  return Array.from({ length: matches }, (): HistoricMatch => {
    const there = [...people].map((each) => ({ each, at: random() })).toSorted((a, b) => a.at - b.at);
    const teams = [0, 1].map((t) => there.slice(t * teamSize, (t + 1) * teamSize).map(({ each }) => each));
    const place = Math.floor(random() * maps.length);
    const strength = (team: typeof people, on: 'alien' | 'marine'): number =>
      team.reduce((sum, each) => sum + each.skill + each[on] + (each.maps[place] ?? 0), 0) /
      Math.sqrt(teamSize);
    const [first = [], second = []] = teams;
    const won = random() < sigmoid(strength(first, 'alien') - strength(second, 'marine'));
    return {
      players: teams.map((team) => team.map(({ id }) => id)),
      ranks: won ? [1, 2] : [2, 1],
      situation: { sides: ['alien', 'marine'], map: maps[place] },
    };
  });
}

/** Mean log-loss over the last fifth, and the calibration of the end. */
function replayed(
  history: readonly HistoricMatch[],
  aspects: AspectRules | undefined,
): { loss: number; calibration: Calibration } {
  const replay = new Replay(poolModelOf({ ...rules, aspects }));
  const losses = history.map((match) => {
    const { chances } = replay.take(match);
    return -Math.log(chances[match.ranks[0] === 1 ? 0 : 1] ?? NaN);
  });
  const judged = losses.slice(Math.floor(0.8 * losses.length));
  return {
    loss: judged.reduce((sum, each) => sum + each, 0) / judged.length,
    calibration: calibrationFrom(replay.samples),
  };
}

describe('R23 skill by side and map, in worlds that are known', () => {
  it.each([
    ['duels', { side: 0.8, map: 0, teamSize: 1, matches: 3_000 }, { side: 0.5 }],
    ['maps', { side: 0, map: 0.8, teamSize: 1, matches: 3_000 }, { map: 0.5 }],
    ['teams of five', { side: 1, map: 0, teamSize: 5, matches: 3_000 }, { side: 0.5 }],
  ] as const)('predicts better where players differ by it: %s', (_what, world, aspects) => {
    const history = historyOf(world, 7);
    const gain = replayed(history, undefined).loss - replayed(history, aspects).loss;
    expect(gain).toBeGreaterThan(0.008);
  });

  it('costs little where they do not, and the pool learns that it counts for less', () => {
    const history = historyOf({ side: 0, map: 0, teamSize: 1, matches: 3_000 }, 8);
    const plain = replayed(history, undefined);
    const cautious = replayed(history, { side: 0.1, map: 0.1 });
    expect(Math.abs(plain.loss - cautious.loss)).toBeLessThan(0.002);
    const bold = replayed(history, { side: 1, map: 1 }).calibration.offsets[aspectsFeature];
    expect(bold?.mean).toBeLessThan(0.6);
    expect(bold?.sd).toBeGreaterThan(0);
  });

  it('learns a factor near 1 where the strength is that of the world', () => {
    const history = historyOf({ side: 0.8, map: 0, teamSize: 1, matches: 3_000 }, 9);
    const { mean = NaN, sd = NaN } =
      replayed(history, { side: 0.8 }).calibration.offsets[aspectsFeature] ?? {};
    expect(Math.abs(mean - 1)).toBeLessThan(4 * sd + 0.1);
  });
});
