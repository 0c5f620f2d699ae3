import { seededRandom, type AspectSkill, type Calibration } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { logit } from '../maths/logistic.js';
import { modelKinds } from '../models.js';
import { poolModelOf } from '../pool/pool-model.js';
import { defaultPoolRules } from '../pool/rules.js';
import { uncalibrated } from '../prediction/calibration.js';
import { aspectWorths, pointsPerOdd } from '../pool/aspect-worth.js';

const calibration: Calibration = {
  ...uncalibrated,
  scale: { mean: 0.7, sd: 0.1 },
  offsets: {
    aspects: { mean: 0.8, sd: 0.1 },
    'side:ct': { mean: 0.3, sd: 0.1 },
    'side:t': { mean: -0.1, sd: 0.1 },
  },
};
const aspects = { side: 0.5, map: 0.5, role: 0.5 };
const skill = (name: string, mean: number): AspectSkill => ({ name, mean, variance: 0.01, matches: 9 });

describe('R23 what players count in a match', () => {
  it.each(['openskill-plackett-luce', 'glicko2', 'elo', 'trueskill'])(
    'makes teams of equal counts about equally likely to win: %s',
    (model) => {
      const pool = poolModelOf({ ...defaultPoolRules, model, aspects });
      const random = seededRandom(4);
      const start = pool.model.belief(pool.model.initial());
      const known = pool.model.seed({ mu: start.mu, sigma: start.sigma / 2 });
      const teamSize = 4;
      const skillsOf = (): AspectSkill[] => [
        skill('side:ct', 0.4 * random() - 0.2),
        skill('side:t', 0.4 * random() - 0.2),
        skill('map:dust', 0.4 * random() - 0.2),
      ];
      const skills = [0, 1].map(() => Array.from({ length: teamSize }, skillsOf));
      const match = { teamSize, map: 'dust', sides: ['ct', 't'], roles: [] };
      const worths = skills.map((team) => aspectWorths(pool, calibration, match, team));
      const count = worths.map((team, t) =>
        team.reduce((sum, { map, sides }) => sum + map + (sides[t] ?? 0), 0),
      );
      // The second team makes up for the difference by rating alone.
      const each = ((count[0] ?? 0) - (count[1] ?? 0)) / teamSize;
      const chances = (by: number): readonly number[] =>
        pool.predict(
          {
            teams: [
              Array.from({ length: teamSize }, () => known),
              Array.from({ length: teamSize }, () => pool.model.moved(known, start.mu + by)),
            ],
            situation: { sides: match.sides, map: match.map },
            skills,
          },
          calibration,
        ).chances;
      const left = Math.abs(logit(chances(each)[0] ?? NaN));
      expect(left).toBeLessThan(0.25 * Math.abs(logit(chances(0)[0] ?? NaN)) + 0.005);
    },
  );

  it('includes the advantage of a side, and nothing that the pool does not know', () => {
    const pool = poolModelOf({ ...defaultPoolRules, aspects: null });
    const [worth] = aspectWorths(pool, calibration, { teamSize: 5, sides: ['ct', 't'], roles: ['tank'] }, [
      [],
    ]);
    expect(worth?.map).toBe(0);
    expect(worth?.roles).toEqual([0]);
    const [ct = NaN, t = NaN] = worth?.sides ?? [];
    expect(ct).toBeGreaterThan(0);
    expect(ct).toBeCloseTo(-t, 12);
    expect((5 * (ct - t)) / pointsPerOdd(pool, calibration, 5)).toBeCloseTo(0.4, 12);
  });

  it('is a finite number of points under every model', () => {
    for (const { name } of modelKinds)
      for (const teamSize of [1, 5, 22]) {
        const pool = poolModelOf({ ...defaultPoolRules, model: name, aspects });
        const points = pointsPerOdd(pool, calibration, teamSize);
        expect(Number.isFinite(points) && points >= 0, `${name} ${teamSize}: ${points}`).toBe(true);
      }
  });
});
