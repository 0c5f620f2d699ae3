import type { SkillBelief } from '@muster/domain';
import fc from 'fast-check';
import { Rating, TrueSkill } from 'ts-trueskill';
import { describe, expect, it } from 'vitest';
import type { Contest } from '../model.js';
import { kindNamed, modelOf } from '../models.js';
import { readParameters, type ModelParameters } from '../parameters.js';
import { trueskillKind } from './trueskill.js';

type Teams = readonly (readonly SkillBelief[])[];

const modelWith = (parameters: ModelParameters = {}) =>
  trueskillKind.open(readParameters(trueskillKind.parameters, parameters));
const model = modelWith();

const belief = fc.record({
  mu: fc.double({ min: 10, max: 40, noNaN: true }),
  sigma: fc.double({ min: 0.5, max: 9, noNaN: true }),
});
const team = fc.array(belief, { minLength: 1, maxLength: 5 });
const match = (fewest: number, most: number) =>
  fc.array(
    team.chain((members) =>
      fc.record({
        members: fc.constant(members),
        rank: fc.integer({ min: 1, max: 3 }),
        weights: fc.array(fc.double({ min: 0.05, max: 1, noNaN: true }), {
          minLength: members.length,
          maxLength: members.length,
        }),
      }),
    ),
    { minLength: fewest, maxLength: most },
  );

/** The reference's result. `rounds` of its fixed few are run by a tight least change. */
function reference(
  teams: Teams,
  ranks: readonly number[],
  weights: number[][] | null,
  draws: number,
): SkillBelief[][] {
  const environment = new TrueSkill(25, 25 / 3, 25 / 6, 25 / 300, draws);
  const given = teams.map((members) => members.map(({ mu, sigma }) => new Rating(mu, sigma)));
  const rated: Rating[][] = environment.rate(given, [...ranks], weights, 1e-10);
  return rated.map((members) => members.map(({ mu, sigma }) => ({ mu, sigma })));
}

/** The largest difference of two sets of states; NaN when they differ in shape. */
function distance(ours: Teams, theirs: Teams): number {
  const shape = (of: Teams): string => of.map((members) => members.length).join();
  if (shape(ours) !== shape(theirs)) return NaN;
  const gaps = ours.flatMap((members, t) =>
    members.flatMap(({ mu, sigma }, p) => {
      const other = theirs[t]?.[p] ?? { mu: NaN, sigma: NaN };
      return [Math.abs(mu - other.mu), Math.abs(sigma - other.sigma)];
    }),
  );
  return Math.max(...gaps);
}

/** The greatest surprise of the result, in standard deviations of a difference of teams. */
function surprise(teams: Teams): number {
  const totals = teams.map((members) => ({
    mu: members.reduce((sum, { mu }) => sum + mu, 0),
    variance: members.reduce((sum, { sigma }) => sum + sigma ** 2 + (25 / 6) ** 2, 0),
  }));
  return Math.max(
    ...totals.flatMap((a) =>
      totals.map((b) => Math.abs(a.mu - b.mu) / Math.sqrt(a.variance + b.variance || 1)),
    ),
  );
}

describe('R7 TrueSkill', () => {
  it('is registered under its name', () => {
    expect(kindNamed('trueskill')).toBe(trueskillKind);
    expect(modelOf('trueskill').initial()).toEqual({ mu: 25, sigma: 25 / 3 });
  });

  it('gives two newcomers the published figures after a match', () => {
    const [[winner], [loser]] = model.rate({ teams: [[model.initial()], [model.initial()]] }, [1, 2]) as [
      [SkillBelief],
      [SkillBelief],
    ];
    expect(winner.mu).toBeCloseTo(29.396, 3);
    expect(winner.sigma).toBeCloseTo(7.171, 3);
    expect(loser.mu).toBeCloseTo(20.604, 3);
    expect(loser.sigma).toBeCloseTo(7.171, 3);
  });

  describe('agrees with ts-trueskill', () => {
    it('on two teams, decided and drawn', () => {
      fc.assert(
        fc.property(match(2, 2), fc.constantFrom(0.02, 0.1, 0.4), (of, draws) => {
          const teams = of.map(({ members }) => members);
          fc.pre(surprise(teams) < 4);
          const ranks = of.map(({ rank }) => rank);
          const ours = modelWith({ drawProbability: draws }).rate({ teams }, ranks);
          expect(distance(ours, reference(teams, ranks, null, draws))).toBeLessThan(1e-4);
        }),
        { numRuns: 100 },
      );
    });

    it('on two teams with partial play', () => {
      fc.assert(
        fc.property(match(2, 2), (of) => {
          const teams = of.map(({ members }) => members);
          fc.pre(surprise(teams) < 3);
          // One player had full presence.
          const weights = of.map((each, t) => each.weights.map((w, p) => (t + p === 0 ? 1 : w)));
          const whole = teams.map((members, t) =>
            members.map(({ mu, sigma }, p) => ({ mu: mu * (weights[t]?.[p] ?? 1), sigma })),
          );
          fc.pre(surprise(whole) < 3);
          const ranks = of.map(({ rank }) => rank);
          expect(
            distance(model.rate({ teams, weights }, ranks), reference(teams, ranks, weights, 0.1)),
          ).toBeLessThan(1e-4);
        }),
        { numRuns: 100 },
      );
    });

    it('on several teams', () => {
      fc.assert(
        fc.property(match(3, 5), fc.boolean(), (of, tied) => {
          const teams = of.map(({ members }) => members);
          fc.pre(surprise(teams) < 2);
          const ranks = of.map(({ rank }, t) => (tied ? rank : t + 1));
          expect(distance(model.rate({ teams }, ranks), reference(teams, ranks, null, 0.1))).toBeLessThan(
            1e-4,
          );
        }),
        { numRuns: 100 },
      );
    });

    it('on the chance of two teams', () => {
      fc.assert(
        fc.property(team, team, (a, b) => {
          const environment = new TrueSkill();
          const asRatings = (members: SkillBelief[]) => members.map(({ mu, sigma }) => new Rating(mu, sigma));
          const theirs = environment.winProbability(asRatings(a), asRatings(b));
          expect(model.predict({ teams: [a, b] })[0]).toBeCloseTo(theirs, 6);
        }),
      );
    });
  });

  describe('partial play', () => {
    const members = [20, 25, 30].map((mu) => ({ mu, sigma: 6 }));
    const others = [22, 25, 28].map((mu) => ({ mu, sigma: 4 }));
    const gain = (weights: number[][] | undefined, ranks = [1, 2]): number =>
      (model.rate({ teams: [members, others], weights }, ranks)[0]?.[0]?.mu ?? NaN) - 20;

    it('a weight of 1 has no effect', () => {
      fc.assert(
        fc.property(match(2, 5), (of) => {
          const teams = of.map((each) => each.members);
          const ranks = of.map(({ rank }) => rank);
          const weights = teams.map((each) => each.map(() => 1));
          expect(model.rate({ teams, weights }, ranks)).toEqual(model.rate({ teams }, ranks));
        }),
      );
    });

    it('a weight of 0 leaves a player unchanged', () => {
      fc.assert(
        fc.property(match(2, 5), (of) => {
          const teams = of.map((each) => each.members);
          const weights = of.map((each) => each.weights.map((w, p) => (p === 0 ? 0 : w)));
          const rated = model.rate(
            { teams, weights },
            of.map(({ rank }) => rank),
          );
          rated.forEach((each, t) => expect(each[0]).toEqual(teams[t]?.[0]));
        }),
      );
    });

    it('half a player moves less than a whole one, and half a match less than a whole one', () => {
      const whole = gain(undefined);
      const half = gain([
        [0.5, 1, 1],
        [1, 1, 1],
      ]);
      const halfMatch = gain([
        [0.5, 0.5, 0.5],
        [0.5, 0.5, 0.5],
      ]);
      expect(half).toBeGreaterThan(0);
      expect(half).toBeLessThan(whole);
      expect(halfMatch).toBeCloseTo(whole / 2, 12);
    });
  });

  it('odds raise a chance and shrink the gain of winning, the same in both', () => {
    fc.assert(
      fc.property(team, team, fc.double({ min: 0.1, max: 3, noNaN: true }), (a, b, odds) => {
        fc.pre(surprise([a, b]) < 5);
        const even: Contest<SkillBelief> = { teams: [a, b] };
        const favoured = { teams: [a, b], odds: [odds, 0] };
        expect(model.predict(favoured)[0]).toBeGreaterThan(model.predict(even)[0] ?? NaN);
        const gain = (contest: Contest<SkillBelief>) =>
          (model.rate(contest, [1, 2])[0]?.[0]?.mu ?? NaN) - (a[0]?.mu ?? NaN);
        expect(gain(favoured)).toBeLessThan(gain(even));
        expect(gain({ teams: [a, b], odds: [odds + 7, 7] })).toBeCloseTo(gain(favoured), 9);
      }),
    );
    const [even] = model.predict({ teams: [[model.initial()], [model.initial()]], odds: [Math.log(3), 0] });
    expect(even).toBeCloseTo(0.75, 1);
  });

  it('winners never fall and losers never rise', () => {
    fc.assert(
      fc.property(match(2, 2), (of) => {
        const teams = of.map(({ members }) => members);
        const weights = of.map((each) => each.weights);
        const [winners = [], losers = []] = model.rate({ teams, weights }, [1, 2]);
        winners.forEach(({ mu }, p) => expect(mu).toBeGreaterThanOrEqual(teams[0]?.[p]?.mu ?? NaN));
        losers.forEach(({ mu }, p) => expect(mu).toBeLessThanOrEqual(teams[1]?.[p]?.mu ?? NaN));
      }),
    );
  });

  it('ignores an absent team, and does not rate a team without opponents', () => {
    const [one, other, absent] = [30, 20, 25].map((mu) => ({ mu, sigma: 4 })) as [
      SkillBelief,
      SkillBelief,
      SkillBelief,
    ];
    const three = { teams: [[one], [absent], [other]], weights: [[1], [0], [1]] };
    for (const ranks of [
      [1, 2, 3],
      [1, 1, 2],
      [1, 3, 2],
    ]) {
      const [[first], [second], [third]] = model.rate(three, ranks) as SkillBelief[][] as [
        [SkillBelief],
        [SkillBelief],
        [SkillBelief],
      ];
      const [[alone], [beside]] = model.rate({ teams: [[one], [other]] }, [1, 2]) as [
        [SkillBelief],
        [SkillBelief],
      ];
      expect(second).toBe(absent);
      expect(distance([[first], [third]], [[alone], [beside]])).toBeLessThan(1e-9);
    }
    const two = { teams: [[one], [absent]], weights: [[1], [0]] };
    expect(model.rate(two, [2, 1])).toEqual(two.teams);
  });

  it('is independent of the order of members and teams, and does not change its input', () => {
    fc.assert(
      fc.property(match(2, 5), (of) => {
        const teams = of.map(({ members }) => members);
        const weights = of.map((each) => each.weights);
        const ranks = of.map((_, t) => t + 1);
        const before = structuredClone(teams);
        const rated = model.rate({ teams, weights }, ranks);
        expect(teams).toEqual(before);
        const turned = model.rate(
          {
            teams: teams.map((each) => [...each].reverse()).reverse(),
            weights: weights.map((each) => [...each].reverse()).reverse(),
          },
          [...ranks].reverse(),
        );
        expect(distance(turned.map((each) => [...each].reverse()).reverse(), rated)).toBeLessThan(1e-9);
        const chances = model.predict({ teams, weights });
        expect(chances.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 12);
        const back = model
          .predict({ teams: [...teams].reverse(), weights: [...weights].reverse() })
          .reverse();
        chances.forEach((each, t) => expect(each).toBeCloseTo(back[t] ?? NaN, 12));
      }),
    );
  });

  it('survives serialisation', () => {
    fc.assert(
      fc.property(belief, (state) => {
        expect(model.read(JSON.parse(JSON.stringify(model.write(state))))).toEqual(state);
      }),
    );
    expect(() => model.read({ mu: '25' })).toThrow(TypeError);
  });
});
