import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelOf } from '../models.js';
import { meanWeight, noLogs, weightOf, withGame } from './logs.js';
import { byKills, byResult, byScores } from './scores.js';

const usual = { discount: 0.85, prior: 2 };
const weightAfter = (scores: readonly number[], how: typeof usual): number =>
  weightOf(
    scores.reduce((state, each) => withGame(state, each, 1, how.discount), noLogs),
    how,
  );
const score = fc.double({ min: 0, max: 1, noNaN: true });

describe('R11 log weights, sums', () => {
  it('begin at 50 and move by newer games more than by older ones', () => {
    expect(weightOf(noLogs, usual)).toBe(50);
    // The stretch is (2 + 20/3) / (20/3) = 1.3. One win: ½ / (2 + 1); a loss and a win: (1 − 1.85/2) / (2 + 1.85).
    expect(weightAfter([1], usual)).toBeCloseTo(50 + 130 * (0.5 / 3), 12);
    expect(weightAfter([0, 1], usual)).toBeCloseTo(50 + 130 * (0.075 / 3.85), 12);
    expect(weightAfter([0, 1], usual)).toBeGreaterThan(50);
    expect(weightAfter([1, 0], usual)).toBeLessThan(50);
  });

  it('approach 100 times the mean score', () => {
    const long = { ...usual, discount: 0.99 };
    const mixed = Array.from({ length: 3000 }, (_none, i) => (i % 4 === 0 ? 1 : 0));
    const state = mixed.reduce((sums, each) => withGame(sums, each, 1, long.discount), noLogs);
    expect(weightOf(state, long)).toBeCloseTo(25, 0);
    const won = Array<number>(300).fill(1);
    expect(
      weightOf(
        won.reduce((sums, each) => withGame(sums, each, 1, 0.85), noLogs),
        usual,
      ),
    ).toBeCloseTo(100, 9);
  });

  it('are from 0 to 100', () => {
    fc.assert(
      fc.property(fc.array(score, { maxLength: 60 }), (scores) => {
        const weight = weightAfter(scores, usual);
        expect(weight >= 0 && weight <= 100).toBe(true);
      }),
    );
  });

  it('have a mean, as bots need one', () => {
    expect(meanWeight([])).toBe(50);
    expect(meanWeight([20, 30, 70])).toBeCloseTo(40, 12);
  });
});

describe('R11 log weights, scores of a match', () => {
  const teams = [[noLogs, noLogs], [noLogs], [noLogs]];

  it('by result: the share of the other teams beaten', () => {
    expect(byResult.scores({ teams }, [1, 2, 3])).toEqual([[1, 1], [0.5], [0]]);
    expect(byResult.scores({ teams }, [1, 2, 2])).toEqual([[1, 1], [0.25], [0.25]]);
    expect(byResult.scores({ teams: teams.slice(1) }, [4, 4])).toEqual([[0.5], [0.5]]);
  });

  it('by team scores: presence while the team scored', () => {
    const facts = [
      [
        { scoredFor: 3, scoredAgainst: 1 },
        { scoredFor: 0, scoredAgainst: 0 },
      ],
      [{ scoredFor: 0, scoredAgainst: 2 }],
      [{ scoredFor: Number.MAX_VALUE, scoredAgainst: Number.MAX_VALUE }],
    ];
    expect(byScores.scores({ teams, facts }, [1, 2, 3])).toEqual([[0.75, 0.5], [0], [0.5]]);
  });

  it('by kills: the share of the others with fewer', () => {
    const facts = [[{ kills: 9 }, { kills: 2 }], [{ kills: 2 }], [{ kills: 0 }]];
    expect(byKills.scores({ teams, facts }, [1, 2, 3])).toEqual([[1, 0.5], [0.5], [0]]);
    // Absent players are not beaten.
    const weights = [[1, 0], [1], [0]];
    expect(byKills.scores({ teams, facts, weights }, [1, 2, 3])[1]).toEqual([0]);
  });
});

describe('R11 log weights, the models', () => {
  it("predict by odds: the members' scores against their misses, times their number", () => {
    const model = modelOf('log-weights', { discount: 0.85, prior: 2 });
    const meanScore = (mu: number): number => {
      const { total, mass } = model.write(model.seed({ mu, sigma: 10 })) as { total: number; mass: number };
      return (1 + total) / (2 + mass);
    };
    const at = (mu: number) => model.seed({ mu, sigma: 10 });
    const oddsOf = (...members: number[]): number => {
      const won = members.reduce((sum, mu) => sum + meanScore(mu), 0);
      return (members.length * won) / (members.length - won);
    };
    const odds = [oddsOf(60), oddsOf(20), oddsOf(10, 45)] as const;
    const first = model.predict({ teams: [[at(60)], [at(20)]] })[0];
    expect(first).toBeCloseTo(odds[0] / (odds[0] + odds[1]), 6);
    const chances = model.predict({ teams: [[at(60)], [at(20)], [at(10), at(45)]] });
    chances.forEach((chance, t) =>
      expect(chance).toBeCloseTo((odds[t] ?? 0) / (odds[0] + odds[1] + odds[2]), 6),
    );
    expect(model.predict({ teams: [[at(20)], [at(20)]], odds: [Math.log(3), 0] })[0]).toBeCloseTo(0.75, 9);
    // Partial presence counts as a part of the score and of the team's size.
    const half = model.predict({ teams: [[at(60), at(60)], [at(60)]], weights: [[1, 0.5], [1]] });
    expect(half[0]).toBeCloseTo(0.6, 6);
    const none = [[at(0)], [at(0)]];
    expect(model.predict({ teams: none })).toEqual([0.5, 0.5]);
    expect(model.predict({ teams: [...none, [at(0)]] })[2]).toBeCloseTo(1 / 3, 12);
  });

  it('give a player the chance of their mean score against newcomers, and teams of clones the same as one of them', () => {
    const model = modelOf('log-weights');
    const state = model.read({ total: 5, mass: 6, games: 6 });
    const share = (1.5 + 5) / (3 + 6);
    const stranger = model.initial();
    expect(model.predict({ teams: [[state], [stranger]] })[0]).toBeCloseTo(share, 6);
    const clones = [
      [state, state, state],
      [stranger, stranger, stranger],
    ];
    expect(model.predict({ teams: clones })[0]).toBeCloseTo(share, 6);
  });

  it('name the missing fact, and the player', () => {
    const kills = modelOf('log-weights-kills');
    const teams = [[kills.initial()], [kills.initial(), kills.initial()]];
    expect(kills.predict({ teams })[0]).toBeCloseTo(1 / 3, 9);
    expect(() => kills.rate({ teams }, [1, 2])).toThrow(/log-weights-kills.*player 1 of team 1/);
    const facts = [[{ kills: 3 }], [{ kills: 2 }, {}]];
    expect(() => kills.rate({ teams, facts }, [1, 2])).toThrow(/player 2 of team 2.*log-weights/);
    const absent = kills.rate({ teams, facts, weights: [[1], [1, 0]] }, [1, 2]);
    expect(absent[1]?.[1]).toBe(teams[1]?.[1]);
    const scores = modelOf('log-weights-scores');
    const half = [[{ scoredFor: 3 }], [{}, {}]];
    expect(scores.missingFact?.({ teams, facts: half })).toMatch(/scoredFor, scoredAgainst/);
  });

  it('have a calibrated uncertainty: like a coin of unknown bias', () => {
    const model = modelOf('log-weights', { prior: 2 });
    const { mu, sigma } = model.belief(model.initial());
    expect(mu).toBe(50);
    expect(sigma).toBeCloseTo(100 / Math.sqrt(12), 9);
    // ½ · ½ over 3 + 1, the defaults' prior.
    const usually = modelOf('log-weights');
    expect(usually.belief(usually.initial()).sigma).toBeCloseTo(25, 9);
    const after = model.rate({ teams: [[model.initial()], [model.initial()]] }, [1, 2]);
    expect(model.belief(after[0]?.[0] ?? {}).sigma).toBeLessThan(sigma);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 100, noNaN: true }), (wanted) => {
        const seeded = model.seed({ mu: wanted, sigma: 18 });
        expect(model.belief(seeded).mu).toBeCloseTo(wanted, 9);
        expect(model.belief(seeded).sigma).toBeLessThanOrEqual(29);
      }),
    );
    expect(() => model.seed({ mu: 120, sigma: 3 })).toThrow(/120.* must be 0 to 100/);
  });
});
