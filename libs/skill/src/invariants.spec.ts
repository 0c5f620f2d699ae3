import { Unsolvable } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Contest, PlayerFacts, RatingModel, SkillState } from './model.js';
import { modelKinds, modelOf } from './models.js';
import type { ModelParameters } from './parameters.js';

interface Setting {
  readonly name: string;
  readonly given: ModelParameters;
  readonly mostTeams: number;
  /** Whether a win can never lower a rating. */
  readonly byResult: boolean;
}

/** The input that a kind of model accepts, and whether wins are monotone: by parameters, the defaults first. */
const limits: Readonly<Record<string, { mostTeams?: number; byResult?: false }>> = {
  synelo: { mostTeams: 2 },
  hive: { mostTeams: 2 },
  'log-weights-scores': { byResult: false },
  'log-weights-kills': { byResult: false },
  'pub-power': { byResult: false },
  'performance-weight': { byResult: false },
};

const variations: readonly (readonly [name: string, given: ModelParameters])[] = [
  ['elo', { curve: 'normal', team: 'sum', kRule: 'layered', layer1: 1500, layer2: 1600 }],
  ['elo', { kRule: 'games', earlyGames: 2 }],
  ['elo', { kRule: 'decay' }],
  ['elo', { margin: 3 }],
  ['openskill-plackett-luce', { margin: 3 }],
  ['trueskill', { drawProbability: 0, tau: 0 }],
  ['glicko2', { periodDays: 7 }],
  ['synelo', { kMax: 1, window: 4 }],
  ['hive', { c: 1, start: -20, commanderWeight: 3 }],
  ['pub-power', { places: 'stretched', top: 6, matches: 3 }],
];

const settings: readonly Setting[] = [
  ...modelKinds.map(({ name }) => [name, {}] as const),
  ...variations,
].map(([name, given]) => ({
  name,
  given,
  mostTeams: limits[name]?.mostTeams ?? 5,
  // In one rating period a second, expected win lowers the weight of the first, unexpected one. With a margin a narrow win
  // of a favourite is less than was expected.
  byResult: limits[name]?.byResult ?? !('periodDays' in given || 'margin' in given),
}));

/** Extreme inputs over all settings together. */
const extremes = 2_500;
const now = Date.UTC(2026, 0, 5);

interface Player {
  readonly mu: number;
  readonly sigma: number;
  readonly weight: number;
  readonly facts: PlayerFacts;
}

const facts = fc.record({
  place: fc.integer({ min: 1, max: 40 }),
  kills: fc.nat(50),
  deaths: fc.nat(50),
  assists: fc.nat(50),
  power: fc.nat(2_000),
  scoredFor: fc.nat(9),
  scoredAgainst: fc.nat(9),
  command: fc.double({ min: 0, max: 1, noNaN: true }),
});

/** Offsets and spreads in units of the model's own newcomer. */
const tamePlayer: fc.Arbitrary<Player> = fc.record({
  mu: fc.double({ min: -1.4, max: 1.4, noNaN: true }),
  sigma: fc.double({ min: 0.05, max: 1, noNaN: true }),
  weight: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.double({ min: 0, max: 1, noNaN: true })),
  facts,
});

const hugeNumber = fc.oneof(
  fc.constantFrom(0, 1, -1, 1e-308, 1e6, -1e6, 1e9, 1e300, -1e300, Number.MAX_VALUE, -Number.MAX_VALUE),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const wildPlayer: fc.Arbitrary<Player> = fc.record({
  mu: fc.oneof(fc.constant(0), hugeNumber),
  sigma: hugeNumber.map((x) => Math.abs(x) || 1),
  weight: hugeNumber.map(Math.abs),
  facts: fc.record({
    place: fc.oneof(fc.integer({ min: 1, max: 40 }), hugeNumber),
    kills: hugeNumber.map(Math.abs),
    deaths: hugeNumber.map(Math.abs),
    assists: hugeNumber.map(Math.abs),
    power: hugeNumber.map(Math.abs),
    scoredFor: hugeNumber.map(Math.abs),
    scoredAgainst: hugeNumber.map(Math.abs),
    command: fc.oneof(hugeNumber, fc.constant(NaN)),
  }),
});

const teamsOf = (player: fc.Arbitrary<Player>, mostTeams: number): fc.Arbitrary<Player[][]> =>
  fc.array(fc.array(player, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: mostTeams });
const ranksOf = (teams: number): fc.Arbitrary<number[]> =>
  fc.array(fc.integer({ min: 1, max: 5 }), { minLength: teams, maxLength: teams });

/** States of some history: a newcomer moved by a multiple of their spread, and one match played. */
function contestOf(model: RatingModel, players: readonly (readonly Player[])[], odds?: number[]): Contest {
  const { mu, sigma } = model.belief(model.initial());
  const teams = players.map((team) =>
    team.map((player) => {
      const seeded = model.seed({ mu: mu + player.mu * sigma, sigma: player.sigma * sigma });
      const all = [[seeded], [model.initial()]];
      return model.rate(
        { teams: all, facts: [[player.facts], [player.facts]], at: now },
        [1, 2],
      )[0]?.[0] as SkillState;
    }),
  );
  return {
    teams,
    weights: players.map((team) => team.map(({ weight }) => weight)),
    facts: players.map((team) => team.map((player) => player.facts)),
    odds,
    at: now,
  };
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

const unlessRefused = <T>(act: () => T): T | null => {
  try {
    return act();
  } catch (error) {
    if (error instanceof Unsolvable) return null;
    throw error;
  }
};

describe.each(modelKinds.filter(({ zeroSum }) => zeroSum))('$name, of even teams', ({ name }) => {
  it('gives one side what the other loses', () => {
    const model = modelOf(name);
    const even = fc.integer({ min: 1, max: 5 }).chain((size) =>
      fc.record({
        players: fc.array(fc.array(tamePlayer, { minLength: size, maxLength: size }), {
          minLength: 2,
          maxLength: 2,
        }),
        odd: fc.double({ min: -3, max: 3, noNaN: true }),
        ranks: ranksOf(2),
      }),
    );
    fc.assert(
      fc.property(even, ({ players, odd, ranks }) => {
        const { teams, facts: known, at } = contestOf(model, players, [odd, 0]);
        const sum = (states: readonly (readonly SkillState[])[]): number =>
          states.flat().reduce((total, state) => total + model.belief(state).mu, 0);
        const after = sum(model.rate({ teams, facts: known, at, odds: [odd, 0] }, ranks));
        expect(after).toBeCloseTo(sum(teams), 6);
      }),
    );
  });
});

it('holds for every kind of model', () => {
  expect(new Set(settings.map(({ name }) => name))).toEqual(new Set(modelKinds.map(({ name }) => name)));
  const zeroSum = modelKinds.filter((kind) => kind.zeroSum).map(({ name }) => name);
  expect(zeroSum).toEqual(['elo', 'hive']);
});

describe.each(settings)('$name $given', ({ name, given, mostTeams, byResult }) => {
  const model = modelOf(name, given);
  const match = fc
    .tuple(teamsOf(tamePlayer, mostTeams), fc.double({ min: -3, max: 3, noNaN: true }))
    .chain(([players, odd]) =>
      ranksOf(players.length).map((ranks) => ({
        contest: contestOf(
          model,
          players,
          players.map((_team, t) => t * odd),
        ),
        ranks,
      })),
    );
  const writtenAll = (states: readonly (readonly SkillState[])[]): unknown =>
    states.map((team) => team.map((state) => model.write(state)));

  it('returns finite numbers only, or refuses', () => {
    const wild = teamsOf(wildPlayer, mostTeams).chain((players) =>
      fc.record({
        players: fc.constant(players),
        odds: fc.array(hugeNumber, { minLength: players.length, maxLength: players.length }),
        ranks: ranksOf(players.length),
      }),
    );
    fc.assert(
      fc.property(wild, ({ players, odds, ranks }) => {
        const teams = players.map((team) =>
          team.map(({ mu, sigma }) => unlessRefused(() => model.seed({ mu, sigma })) ?? model.initial()),
        );
        const contest: Contest = {
          teams,
          odds,
          at: now,
          weights: players.map((team) => team.map(({ weight }) => weight)),
          facts: players.map((team) => team.map((player) => player.facts)),
        };
        const chances = unlessRefused(() => model.predict(contest));
        if (chances) {
          expect(chances.every((chance) => chance >= 0 && chance <= 1)).toBe(true);
          expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 9);
        }
        const rated = unlessRefused(() => model.rate(contest, ranks)) ?? [];
        for (const state of [...teams, ...rated].flat()) {
          const { mu, sigma } = model.belief(state);
          expect(Number.isFinite(mu) && sigma > 0 && Number.isFinite(sigma)).toBe(true);
          expect(Number.isFinite(model.display(state))).toBe(true);
          expect(model.flaw(state)).toBeNull();
        }
      }),
      { numRuns: Math.ceil(extremes / settings.length) },
    );
  });

  it('gives chances that add up to 1, and swap with the teams', () => {
    fc.assert(
      fc.property(match, ({ contest }) => {
        const { teams, weights, odds, facts: known } = contest;
        const chances = model.predict(contest);
        expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 9);
        const swapped = model.predict({
          ...contest,
          teams: teams.toReversed(),
          weights: weights?.toReversed(),
          odds: odds?.toReversed(),
          facts: known?.toReversed(),
        });
        swapped.toReversed().forEach((chance, t) => expect(chance).toBeCloseTo(chances[t] ?? NaN, 9));
      }),
    );
  });

  it('is independent of the order within a team', () => {
    fc.assert(
      fc.property(match, ({ contest, ranks }) => {
        const turned: Contest = {
          ...contest,
          teams: contest.teams.map((team) => team.toReversed()),
          weights: contest.weights?.map((team) => team.toReversed()),
          facts: contest.facts?.map((team) => team.toReversed()),
        };
        model
          .predict(turned)
          .forEach((chance, t) => expect(chance).toBeCloseTo(model.predict(contest)[t] ?? NaN, 9));
        const straight = model.rate(contest, ranks).map((team) => team.map((each) => model.belief(each).mu));
        const back = model
          .rate(turned, ranks)
          .map((team) => team.toReversed().map((each) => model.belief(each).mu));
        // SynElo rounds: halves may be rounded either way.
        straight.forEach((team, t) =>
          team.forEach((mu, p) =>
            expect(Math.abs(mu - (back[t]?.[p] ?? NaN))).toBeLessThanOrEqual(name === 'synelo' ? 1 : 1e-6),
          ),
        );
      }),
    );
  });

  it.runIf(byResult)('never lowers a winner of two teams', () => {
    fc.assert(
      fc.property(match, ({ contest }) => {
        const two: Contest = {
          ...contest,
          teams: contest.teams.slice(0, 2),
          weights: contest.weights?.slice(0, 2),
          facts: contest.facts?.slice(0, 2),
          odds: contest.odds?.slice(0, 2),
        };
        const [winners = [], losers = []] = model.rate(two, [1, 2]);
        const gains = (team: readonly SkillState[], t: number): number[] =>
          team.map((state, p) => {
            const before = two.teams[t]?.[p] as SkillState;
            return model.belief(state).mu - model.belief(before).mu;
          });
        gains(winners, 0).forEach((gain) => expect(gain).toBeGreaterThanOrEqual(-1e-9));
        gains(losers, 1).forEach((gain) => expect(gain).toBeLessThanOrEqual(1e-9));
      }),
    );
  });

  it('reads its own output, through JSON, and continues as before', () => {
    fc.assert(
      fc.property(match, ({ contest, ranks }) => {
        const again: Contest = {
          ...contest,
          teams: contest.teams.map((team) =>
            team.map((state) => model.read(JSON.parse(JSON.stringify(model.write(state))))),
          ),
        };
        expect(writtenAll(again.teams)).toEqual(writtenAll(contest.teams));
        expect(model.predict(again)).toEqual(model.predict(contest));
        expect(writtenAll(model.rate(again, ranks))).toEqual(writtenAll(model.rate(contest, ranks)));
      }),
    );
  });

  it('does not change its input', () => {
    fc.assert(
      fc.property(match, ({ contest, ranks }) => {
        const before = writtenAll(contest.teams);
        const first = writtenAll(model.rate(frozen(contest), ranks));
        expect(writtenAll(contest.teams)).toEqual(before);
        expect(writtenAll(model.rate(contest, ranks))).toEqual(first);
      }),
    );
  });

  it('moves nobody without weight, even when that is everybody', () => {
    fc.assert(
      fc.property(match, ({ contest, ranks }) => {
        const absent: Contest = { ...contest, weights: contest.teams.map((team) => team.map(() => 0)) };
        expect(writtenAll(model.rate(absent, ranks))).toEqual(writtenAll(contest.teams));
        expect(model.predict(absent).every((chance) => chance >= 0 && chance <= 1)).toBe(true);
      }),
    );
  });

  it('refuses to read anything else', () => {
    for (const nothing of [
      null,
      7,
      'x',
      [],
      {},
      { rating: '1' },
      { values: ['x'] },
      { total: 1, mass: null },
    ])
      expect(() => model.read(nothing)).toThrow(TypeError);
  });

  it.runIf(mostTeams === 2)('names itself when there are more than two teams', () => {
    const three = { at: now, teams: [1, 2, 3].map(() => [model.initial()]) };
    expect(() => model.predict(three)).toThrow(/SynElo|Hive.*3 teams.*openskill-plackett-luce/);
  });
});
