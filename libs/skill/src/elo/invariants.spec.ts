import { Unsolvable } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Contest, PlayerFacts, RatingModel, SkillState } from '../model.js';
import { modelOf } from '../models.js';
import type { ModelParameters } from '../parameters.js';

interface Setting {
  readonly name: string;
  readonly given: ModelParameters;
  readonly mostTeams: number;
  /** Whether a win can never cost anything. */
  readonly byResult: boolean;
}

const setting = (
  name: string,
  mostTeams: number,
  byResult: boolean,
  given: ModelParameters = {},
): Setting => ({
  name,
  given,
  mostTeams,
  byResult,
});

const settings: readonly Setting[] = [
  setting('elo', 5, true),
  setting('elo', 5, true, { curve: 'normal', team: 'sum', kRule: 'layered', layer1: 1500, layer2: 1600 }),
  setting('elo', 5, true, { kRule: 'games', earlyGames: 2 }),
  setting('synelo', 2, true),
  setting('synelo', 2, true, { kMax: 1, window: 4 }),
  setting('hive', 2, true),
  setting('hive', 2, true, { c: 1, start: -20, commanderWeight: 3 }),
  setting('log-weights', 5, true),
  setting('log-weights-scores', 5, false),
  setting('log-weights-kills', 5, false),
  setting('pub-power', 5, false),
  setting('pub-power', 5, false, { places: 'stretched', top: 6, matches: 3 }),
];

interface Player {
  readonly mu: number;
  readonly sigma: number;
  readonly weight: number;
  readonly facts: PlayerFacts;
}

const facts = fc.record({
  place: fc.integer({ min: 1, max: 40 }),
  kills: fc.nat(50),
  scoredFor: fc.nat(9),
  scoredAgainst: fc.nat(9),
  command: fc.double({ min: 0, max: 1, noNaN: true }),
});

/** Offsets and spreads in units of the model's own stranger. */
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
    scoredFor: hugeNumber.map(Math.abs),
    scoredAgainst: hugeNumber.map(Math.abs),
    command: fc.oneof(hugeNumber, fc.constant(NaN)),
  }),
});

const teamsOf = (player: fc.Arbitrary<Player>, mostTeams: number): fc.Arbitrary<Player[][]> =>
  fc.array(fc.array(player, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: mostTeams });
const ranksOf = (teams: number): fc.Arbitrary<number[]> =>
  fc.array(fc.integer({ min: 1, max: 5 }), { minLength: teams, maxLength: teams });

/** States of some history: a stranger moved by so much of their own spread, and one match played. */
function contestOf(model: RatingModel, players: readonly (readonly Player[])[], odds?: number[]): Contest {
  const { mu, sigma } = model.belief(model.initial());
  const teams = players.map((team) =>
    team.map((player) => {
      const seeded = model.seed({ mu: mu + player.mu * sigma, sigma: player.sigma * sigma });
      const all = [[seeded], [model.initial()]];
      return model.rate(
        { teams: all, facts: [[player.facts], [player.facts]] },
        [1, 2],
      )[0]?.[0] as SkillState;
    }),
  );
  return {
    teams,
    weights: players.map((team) => team.map(({ weight }) => weight)),
    facts: players.map((team) => team.map((player) => player.facts)),
    odds,
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

  it('hands out finite numbers only, or refuses', () => {
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
      { numRuns: 1000 },
    );
  });

  it('adds chances up to 1, and swapping two teams swaps them', () => {
    fc.assert(
      fc.property(match, ({ contest: { teams, weights, odds, facts: known } }) => {
        const chances = model.predict({ teams, weights, odds, facts: known });
        expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 9);
        const swapped = model.predict({
          teams: teams.toReversed(),
          weights: weights?.toReversed(),
          odds: odds?.toReversed(),
          facts: known?.toReversed(),
        });
        swapped.toReversed().forEach((chance, t) => expect(chance).toBeCloseTo(chances[t] ?? NaN, 9));
      }),
    );
  });

  it('does not depend on the order within a team', () => {
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
        // SynElo rounds: what falls on a half may fall either way.
        straight.forEach((team, t) =>
          team.forEach((mu, p) =>
            expect(Math.abs(mu - (back[t]?.[p] ?? NaN))).toBeLessThanOrEqual(name === 'synelo' ? 1 : 1e-6),
          ),
        );
      }),
    );
  });

  it.runIf(byResult)('never takes anything from a winner of two teams', () => {
    fc.assert(
      fc.property(match, ({ contest }) => {
        const two: Contest = {
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

  it('reads what it wrote, through JSON, and goes on as before', () => {
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

  it('leaves its input alone', () => {
    fc.assert(
      fc.property(match, ({ contest, ranks }) => {
        const before = writtenAll(contest.teams);
        const first = writtenAll(model.rate(frozen(contest), ranks));
        expect(writtenAll(contest.teams)).toEqual(before);
        expect(writtenAll(model.rate(contest, ranks))).toEqual(first);
      }),
    );
  });

  it('moves nobody who has no weight, even when that is everybody', () => {
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
    const three = { teams: [1, 2, 3].map(() => [model.initial()]) };
    expect(() => model.predict(three)).toThrow(/SynElo|Hive.*3 teams.*openskill-plackett-luce/);
  });
});
