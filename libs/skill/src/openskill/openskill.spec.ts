import { Unsolvable, type SkillBelief } from '@muster/domain';
import fc from 'fast-check';
import { predictWin, rate as packageRate, type Model } from 'openskill';
import {
  bradleyTerryFull,
  bradleyTerryPart,
  plackettLuce,
  thurstoneMostellerFull,
  thurstoneMostellerPart,
} from 'openskill/models';
import { describe, expect, it } from 'vitest';
import { logisticToNormal, logit } from '../maths/logistic.js';
import { normalBelow } from '../maths/normal.js';
import type { Contest, RatingModel } from '../model.js';
import { kindNamed, modelOf } from '../models.js';
import type { ModelParameters } from '../parameters.js';
import { openskillKinds } from './openskill.js';

type Teams = readonly (readonly SkillBelief[])[];

const packageModels: Readonly<Record<string, Model>> = {
  'openskill-plackett-luce': plackettLuce,
  'openskill-bradley-terry-full': bradleyTerryFull,
  'openskill-bradley-terry-part': bradleyTerryPart,
  'openskill-thurstone-mosteller-full': thurstoneMostellerFull,
  'openskill-thurstone-mosteller-part': thurstoneMostellerPart,
};
const names = Object.keys(packageModels);
const isNormal = (name: string): boolean => name.includes('thurstone');
/** The package's defaults. */
const asPackage = { beta: 25 / 6, tau: 25 / 300, kappa: 1e-4, epsilon: 0.1 };
/** What the package does, where a variant has a choice. */
const likePackage = { noise: 'team', ranking: 'places', reach: 1 };

/** `modelOf` returns states of unknown type; here they are all means and uncertainties. */
const modelNamed = (name: string, parameters: ModelParameters = asPackage) => {
  const known = Object.entries(likePackage).filter(([each]) => each in kindNamed(name).parameters);
  return modelOf(name, { ...Object.fromEntries(known), ...parameters }) as RatingModel<SkillBelief>;
};

const belief = fc.record({
  mu: fc.double({ min: -20, max: 70, noNaN: true }),
  sigma: fc.double({ min: 0.5, max: 9, noNaN: true }),
});
const match = (most: number, player = belief) =>
  fc
    .array(fc.array(player, { minLength: 1, maxLength: 5 }), { minLength: 2, maxLength: most })
    .chain((teams) =>
      fc.record({
        teams: fc.constant(teams),
        ranks: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: teams.length, maxLength: teams.length }),
        weights: fc.tuple(
          ...teams.map((team) =>
            fc.array(fc.double({ min: 0.05, max: 1, noNaN: true }), {
              minLength: team.length,
              maxLength: team.length,
            }),
          ),
        ),
      }),
    );

function byPackage(
  name: string,
  teams: Teams,
  ranks: readonly number[],
  options: object = asPackage,
): SkillBelief[][] {
  return packageRate(
    teams.map((team) => team.map((player) => ({ ...player }))),
    { ...options, rank: [...ranks], model: packageModels[name] },
  );
}

/** The largest difference of two sets of states; NaN when they differ in shape. */
function distance(ours: Teams, theirs: Teams): number {
  const shape = (of: Teams): string => of.map((team) => team.length).join();
  if (shape(ours) !== shape(theirs)) return NaN;
  const gaps = ours.flatMap((team, t) =>
    team.flatMap(({ mu, sigma }, p) => {
      const other = theirs[t]?.[p] ?? { mu: NaN, sigma: NaN };
      return [Math.abs(mu - other.mu), Math.abs(sigma - other.sigma)];
    }),
  );
  return Math.max(...gaps);
}

/** The largest gap between two teams, in standard deviations of their difference. */
function widestGap(teams: Teams): number {
  const totals = teams.map((team) => ({
    mu: team.reduce((sum, { mu }) => sum + mu, 0),
    variance: team.reduce((sum, { sigma }) => sum + sigma ** 2, asPackage.beta ** 2),
  }));
  return Math.max(
    ...totals.flatMap((a) => totals.map((b) => Math.abs(a.mu - b.mu) / Math.sqrt(a.variance + b.variance))),
  );
}

describe.each(names)('R1 %s', (name) => {
  const model = modelNamed(name);
  const gainOf = (contest: Contest<SkillBelief>): number =>
    (model.rate(contest, [1, 2])[0]?.[0]?.mu ?? NaN) - (contest.teams[0]?.[0]?.mu ?? NaN);

  it('equals the package on games of two to six teams, with and without ties', () => {
    // In the tails the package’s normal models are noise, see two-teams.spec.ts: a comparison is meaningless there.
    const games = isNormal(name)
      ? match(
          6,
          fc.record({
            mu: fc.double({ min: 22, max: 28, noNaN: true }),
            sigma: fc.double({ min: 0.5, max: 9, noNaN: true }),
          }),
        )
          .map((game) => ({ ...game, teams: game.teams.map((team) => team.slice(0, game.teams[0]?.length)) }))
          .filter(({ teams }) => widestGap(teams) < 3)
      : match(6);
    fc.assert(
      fc.property(games, fc.boolean(), ({ teams, ranks }, tied) => {
        const order = tied ? ranks : ranks.map((_, t) => t + 1);
        expect(distance(model.rate({ teams }, order), byPackage(name, teams, order))).toBeLessThan(1e-9);
      }),
      { numRuns: 100 },
    );
  });

  it('equals the package with other parameters', () => {
    fc.assert(
      fc.property(
        fc.record({
          beta: fc.double({ min: 2, max: 12, noNaN: true }),
          tau: fc.double({ min: 0, max: 1, noNaN: true }),
          kappa: fc.double({ min: 1e-5, max: 0.9, noNaN: true }),
          epsilon: fc.double({ min: 0.05, max: 3, noNaN: true }),
        }),
        fc.array(
          fc.record({
            mu: fc.double({ min: 22, max: 28, noNaN: true }),
            sigma: fc.double({ min: 0.5, max: 9, noNaN: true }),
          }),
          { minLength: 2, maxLength: 6 },
        ),
        fc.integer({ min: 1, max: 3 }),
        (parameters, players, span) => {
          const teams = players.map((player) => [player]);
          const ranks = players.map((_, t) => (t % span) + 1);
          const ours = modelNamed(name, parameters).rate({ teams }, ranks);
          expect(distance(ours, byPackage(name, teams, ranks, parameters))).toBeLessThan(1e-9);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('gives two teams the chance of the package, as a logistic of the same slope', () => {
    fc.assert(
      fc.property(match(2), ({ teams }) => {
        fc.pre(widestGap(teams) < 5);
        const [first = NaN, second = NaN] = model.predict({ teams });
        const [theirs = NaN] = predictWin(
          teams.map((team) => [...team]),
          asPackage,
        );
        expect(normalBelow(logit(first) * logisticToNormal)).toBeCloseTo(theirs, 9);
        expect(Math.abs(first - theirs)).toBeLessThan(0.02);
        expect(first + second).toBe(1);
      }),
    );
  });

  it('gives several teams chances that add up to 1 and follow strength', () => {
    fc.assert(
      fc.property(match(6), ({ teams }) => {
        const chances = model.predict({ teams });
        expect(chances.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 9);
      }),
    );
    const chances = model.predict({ teams: [20, 30, 20, 25].map((mu) => [{ mu, sigma: 2 }]) });
    expect(chances[1]).toBeGreaterThan(chances[3] ?? NaN);
    expect(chances[3]).toBeGreaterThan(chances[0] ?? NaN);
    expect(chances[0]).toBeCloseTo(chances[2] ?? NaN, 12);
  });

  describe('partial play', () => {
    it('a weight of 1 has no effect', () => {
      fc.assert(
        fc.property(match(6), ({ teams, ranks }) => {
          const weights = teams.map((team) => team.map(() => 1));
          expect(distance(model.rate({ teams, weights }, ranks), model.rate({ teams }, ranks))).toBeLessThan(
            1e-12,
          );
          expect(model.predict({ teams, weights })).toEqual(model.predict({ teams }));
        }),
      );
    });

    it('a weight of 0 leaves a player unchanged, a small one nearly so', () => {
      fc.assert(
        fc.property(
          match(6),
          fc.constantFrom(0, 1e-300, 1e-12, 1e-8, 1e-5),
          ({ teams, ranks, weights }, small) => {
            const partly = weights.map((row) => row.map((weight, p) => (p === 0 ? small : weight)));
            fc.pre(teams.every((team) => team.length > 1));
            model.rate({ teams, weights: partly }, ranks).forEach((team, t) => {
              const before = teams[t]?.[0] ?? { mu: NaN, sigma: NaN };
              if (small === 0) expect(team[0]).toEqual(before);
              expect(Math.abs((team[0]?.mu ?? NaN) - before.mu)).toBeLessThan(0.02);
              expect(Math.abs((team[0]?.sigma ?? NaN) - before.sigma)).toBeLessThan(0.02);
            });
          },
        ),
      );
    });

    it.each([2, 3])('half a player moves less than a whole one, of %d teams', (count) => {
      const teams = Array.from({ length: count }, () => [1, 2, 3, 4, 5].map(() => ({ mu: 25, sigma: 6 })));
      const gain = (weight: number): number => {
        const weights = teams.map((team, t) => team.map((_, p) => (t + p === 0 ? weight : 1)));
        const ranks = teams.map((_, t) => t + 1);
        return (model.rate({ teams, weights }, ranks)[0]?.[0]?.mu ?? NaN) - 25;
      };
      expect(gain(0.5)).toBeGreaterThan(0);
      expect(gain(0.5)).toBeLessThan(gain(1));
      expect(gain(0.25)).toBeLessThan(gain(0.5));
    });
  });

  it('odds raise a chance and shrink the gain of winning', () => {
    fc.assert(
      fc.property(match(2), fc.double({ min: 0.1, max: 3, noNaN: true }), ({ teams }, odds) => {
        fc.pre(widestGap(teams) < 4);
        expect(model.predict({ teams, odds: [odds, 0] })[0]).toBeGreaterThan(
          model.predict({ teams })[0] ?? NaN,
        );
        expect(gainOf({ teams, odds: [odds, 0] })).toBeLessThan(gainOf({ teams }));
        expect(gainOf({ teams, odds: [odds + 5, 5] })).toBeCloseTo(gainOf({ teams, odds: [odds, 0] }), 9);
      }),
    );
    const three = [1, 2, 3].map(() => [{ mu: 25, sigma: 3 }]);
    const favoured = { teams: three, odds: [1, 0, 0] };
    expect(model.predict(favoured)[0]).toBeGreaterThan(0.34);
    expect(model.rate(favoured, [1, 2, 3])[0]?.[0]?.mu).toBeLessThan(
      model.rate({ teams: three }, [1, 2, 3])[0]?.[0]?.mu ?? NaN,
    );
  });

  it('winners never fall and losers never rise', () => {
    fc.assert(
      fc.property(match(2), ({ teams, weights }) => {
        const [winners = [], losers = []] = model.rate({ teams, weights }, [1, 2]);
        winners.forEach(({ mu }, p) => expect(mu).toBeGreaterThanOrEqual(teams[0]?.[p]?.mu ?? NaN));
        losers.forEach(({ mu }, p) => expect(mu).toBeLessThanOrEqual(teams[1]?.[p]?.mu ?? NaN));
      }),
    );
  });

  it('is independent of the order of a team’s members, and does not change its input', () => {
    const turned = <T>(rows: readonly (readonly T[])[]): T[][] => rows.map((row) => [...row].reverse());
    fc.assert(
      fc.property(match(6), ({ teams, ranks, weights }) => {
        const before = structuredClone({ teams, ranks, weights });
        const rated = model.rate({ teams, weights }, ranks);
        model.predict({ teams, weights });
        expect({ teams, ranks, weights }).toEqual(before);
        const other = model.rate({ teams: turned(teams), weights: turned(weights) }, ranks);
        expect(distance(turned(other), rated)).toBeLessThan(1e-9);
      }),
    );
  });

  it('survives serialisation', () => {
    fc.assert(
      fc.property(belief, ({ mu, sigma }) => {
        // JSON knows no −0.
        const state = { mu: mu + 0, sigma };
        expect(model.read(JSON.parse(JSON.stringify(model.write(state))))).toEqual(state);
      }),
    );
    for (const wrong of [null, 25, {}, { mu: 25 }, { mu: '25', sigma: 8 }])
      expect(() => model.read(wrong)).toThrow(TypeError);
  });

  const twenty = Array.from({ length: 20 }, (_, t) => [{ mu: 20 + t / 2, sigma: 4 }]);
  const places = twenty.map((_, t) => t + 1);
  it('rates 20 teams, or refuses them by name where its estimates would diverge', () => {
    if (name.endsWith('luce') || name.endsWith('terry-part')) {
      expect(model.rate({ teams: twenty }, places)).toHaveLength(20);
      return;
    }
    expect(() => model.rate({ teams: twenty }, places)).toThrow(kindNamed(name).title);
    expect(() => model.predict({ teams: twenty })).toThrow(Unsolvable);
  });

  it.each<[string, Contest<SkillBelief>, number[]]>([
    ['one team', { teams: [[{ mu: 25, sigma: 8 }]] }, [1]],
    ['an empty team', { teams: [[{ mu: 25, sigma: 8 }], []] }, [1, 2]],
    ['ranks of the wrong length', { teams: [[{ mu: 25, sigma: 8 }], [{ mu: 25, sigma: 8 }]] }, [1]],
    ['a rank that is not a number', { teams: [[{ mu: 25, sigma: 8 }], [{ mu: 25, sigma: 8 }]] }, [1, NaN]],
    ['a sigma of 0', { teams: [[{ mu: 25, sigma: 0 }], [{ mu: 25, sigma: 8 }]] }, [1, 2]],
    ['an infinite mu', { teams: [[{ mu: Infinity, sigma: 1 }], [{ mu: 25, sigma: 8 }]] }, [1, 2]],
    [
      'a negative weight',
      { teams: [[{ mu: 2, sigma: 1 }], [{ mu: 25, sigma: 8 }]], weights: [[-1], [1]] },
      [1, 2],
    ],
  ])('refuses %s', (_, contest, ranks) => {
    expect(() => model.rate(contest, ranks)).toThrow(Unsolvable);
  });
});

it('R1 OpenSkill has these five kinds, Plackett–Luce the first', () => {
  expect(openskillKinds.map((kind) => kind.name)).toEqual(names);
});

it.each(['openskill-bradley-terry-full', 'openskill-bradley-terry-part'])(
  'R1 %s: a third team that is hopelessly behind changes nothing',
  (name) => {
    const model = modelNamed(name);
    fc.assert(
      fc.property(match(2), ({ teams, weights }) => {
        const three = { teams: [...teams, [{ mu: -1e9, sigma: 1e-3 }]], weights: [...weights, [1]] };
        expect(
          distance(model.rate(three, [1, 2, 3]).slice(0, 2), model.rate({ teams, weights }, [1, 2])),
        ).toBeLessThan(1e-9);
      }),
    );
  },
);
