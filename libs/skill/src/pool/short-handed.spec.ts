import { seededRandom, type Stretch } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import type { SkillState } from '../model.js';
import { modelKinds } from '../models.js';
import { uncalibrated } from '../prediction/calibration.js';
import { fitCalibration, type Sample } from '../prediction/fit.js';
import { sigmoid } from '../maths/logistic.js';
import { poolModelOf, type PooledMatch, type PoolModel } from './pool-model.js';
import { defaultPoolRules, newPoolRules } from './rules.js';

const lengthMs = 1_000_000;
const of = (model: string, leavers: 'full' | 'share' = 'full'): PoolModel =>
  poolModelOf({ ...newPoolRules, model, shortHanded: { odds: 5, leavers, mates: 0.75 } });
const facts = { place: 1, kills: 3, deaths: 2, power: 300, scoredFor: 1, scoredAgainst: 1 };

/** Five against five equals, of whom the first left after a share of the match. */
function fives({ model }: PoolModel, share: number | null): PooledMatch {
  const team = (): SkillState[] => Array.from({ length: 5 }, () => model.initial());
  const teams = [team(), team()];
  const whole = { teams, facts: teams.map((players) => players.map(() => facts)) };
  if (share === null) return whole;
  const present: Stretch[] = [{ fromMs: 0, toMs: share * lengthMs }];
  const stretches = teams.map((players, t) => players.map((_, p) => (t + p === 0 ? present : undefined)));
  const shares = teams.map((players, t) => players.map((_, p) => (t + p === 0 ? share : 1)));
  return { ...whole, shares, times: { lengthMs, stretches } };
}

/** What the leaver, a mate and an opponent gain. */
function gains(pool: PoolModel, match: PooledMatch, ranks: readonly number[]): [number, number, number] {
  const after = pool.judge(match, ranks, uncalibrated).after;
  const start = pool.model.belief(pool.model.initial()).mu;
  const gain = (state: SkillState | undefined): number => pool.model.belief(state ?? {}).mu - start;
  return [gain(after[0]?.[0]), gain(after[0]?.[1]), gain(after[1]?.[1])];
}

/** Models that rate by the result, on a scale without a floor. */
const byResult = modelKinds
  .map(({ name }) => name)
  .filter(
    (name) => !['pub-power', 'performance-weight', 'log-weights-scores', 'log-weights-kills'].includes(name),
  );

describe('a match that somebody left', () => {
  it.each(byResult)('%s: mates lose clearly less than all of it, the leaver loses all of it', (name) => {
    const pool = of(name);
    const [, full] = gains(pool, fives(pool, null), [2, 1]);
    expect(full).toBeLessThan(0);
    for (const share of [0.05, 0.1, 0.3]) {
      const [leaver, mate, opponent] = gains(pool, fives(pool, share), [2, 1]);
      expect(leaver).toBeCloseTo(full, 6);
      // The log weights add a loss to a record, whatever was expected.
      if (name !== 'log-weights') {
        expect(mate).toBeGreaterThan(0.75 * full);
        expect(mate).toBeLessThan(0);
        expect(opponent).toBeLessThan(-0.85 * full);
      }
      // A win with fewer is worth more, and the leaver has a part of it.
      const [lucky, winner] = gains(pool, fives(pool, share), [1, 2]);
      expect(lucky).toBeLessThanOrEqual(winner);
    }
  });

  it('spares mates in figures: 5 v 5 of equals, one left at 10 %', () => {
    for (const [name, all, most] of [
      ['openskill-plackett-luce', -1.31, -0.81],
      ['elo', -16, -6.6],
    ] as const) {
      const pool = of(name);
      expect(gains(pool, fives(pool, null), [2, 1])[1]).toBeCloseTo(all, name === 'elo' ? 6 : 1);
      expect(gains(pool, fives(pool, 0.1), [2, 1])[1]).toBeGreaterThan(most);
      // Of a pool from before the rule they answered for the leaver.
      const before = poolModelOf({ ...defaultPoolRules, model: name });
      expect(gains(before, fives(before, 0.1), [2, 1])[1]).toBeLessThan(all);
    }
  });

  it('charges by the share where the rule says so, and nobody who was there to the end, or came late', () => {
    const pool = of('elo', 'share');
    const [leaver, mate] = gains(pool, fives(pool, 0.1), [2, 1]);
    expect(leaver).toBeGreaterThan(mate / 5);
    const full = of('elo');
    const atTheEnd = gains(full, fives(full, 0.985), [2, 1]);
    expect(atTheEnd[0]).toBeGreaterThan(atTheEnd[1]);
    const match = fives(full, 0.1);
    const stretches = match.times?.stretches.map((team, t) =>
      team.map((present, p) => (t + p === 0 ? [{ fromMs: 0.9 * lengthMs, toMs: lengthMs }] : present)),
    );
    const late = { ...match, times: { lengthMs, stretches: stretches ?? [] } };
    expect(gains(full, late, [2, 1])[0]).toBeGreaterThan(gains(full, late, [2, 1])[1] / 5);
  });
});

describe('a team with fewer players', () => {
  const pool = of('openskill-plackett-luce');
  const players = (count: number): SkillState[] => Array.from({ length: count }, () => pool.model.initial());
  const chance = (one: number, other: number): number =>
    pool.predict({ teams: [players(one), players(other)] }, uncalibrated).chances[0] ?? NaN;

  it('is expected to lose from the first match on, so six against two farms nothing', () => {
    expect(chance(5, 5)).toBeCloseTo(0.5, 9);
    expect(chance(5, 4)).toBeCloseTo(sigmoid(5 * Math.log(5 / 4)), 9);
    expect(chance(6, 2)).toBeGreaterThan(0.99);
    const teams = [players(6), players(2)];
    const mu = (state: SkillState | undefined): number => pool.model.belief(state ?? {}).mu;
    const [winners = []] = pool.judge({ teams }, [1, 2], uncalibrated).after;
    const [even = []] = pool.judge({ teams: [players(6), players(6)] }, [1, 2], uncalibrated).after;
    expect(mu(winners[0]) - mu(teams[0]?.[0])).toBeLessThan(0.05 * (mu(even[0]) - mu(teams[0]?.[0])));
  });

  it('is learned from who was there: the factor rises where short teams lose, and falls where they do not', () => {
    const factorAfter = (lost: number): number => {
      const random = seededRandom(3);
      const samples = Array.from({ length: 250 }, (): Sample => {
        const ranks = random() < lost ? [2, 1] : [1, 2];
        const { predicted } = pool.judge(fives(pool, 0.1), ranks, uncalibrated);
        // Nobody knew before that one would leave.
        expect(predicted.chances[0]).toBeCloseTo(0.5, 9);
        return { raw: predicted.raw, features: predicted.features, ranks };
      });
      return fitCalibration(samples).offsets['short']?.mean ?? NaN;
    };
    expect(factorAfter(0.9)).toBeGreaterThan(1.5);
    expect(factorAfter(0.5)).toBeLessThan(0.3);
  });

  it('is no concern of a pool without the rule, nor of one that adds skills up', () => {
    for (const rules of [defaultPoolRules, { ...newPoolRules, aggregation: 'mean' as const }]) {
      const model = poolModelOf(rules);
      expect(model.predict({ teams: [players(5), players(4)] }, uncalibrated).chances[0]).toBeCloseTo(0.5, 9);
    }
    const sum = { ...newPoolRules, aggregation: 'sum' as const };
    const without = { ...defaultPoolRules, aggregation: 'sum' as const };
    const match = { teams: [players(5), players(4)] };
    expect(poolModelOf(sum).predict(match, uncalibrated)).toEqual(
      poolModelOf(without).predict(match, uncalibrated),
    );
  });
});
