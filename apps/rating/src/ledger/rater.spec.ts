import type { GivenEvent, MatchEvent, PoolRules, RatingPool, StoredRating } from '@muster/domain';
import {
  defaultPoolRules,
  kindNamed,
  modelKinds,
  modelOf,
  uncalibrated,
  type ModelParameters,
} from '@muster/skill';
import { describe, expect, it } from 'vitest';
import { poolRater } from './rater.js';

const poolOf = (rules: Partial<PoolRules> = {}): RatingPool => ({
  name: 'ladder',
  gameMode: null,
  modifiers: [],
  rules: { ...defaultPoolRules, model: 'openskill-plackett-luce', parameters: {}, ...rules },
  calibration: uncalibrated,
  version: 1,
  generation: 1,
});
const ladder = poolOf();

const matchOf = (teams: string[][], ranks: number[], more: Partial<MatchEvent> = {}): MatchEvent => ({
  kind: 'match',
  eventId: 'm',
  at: 0,
  teams,
  ranks,
  ...more,
});

/** One player was present for half of the match; the server reported nothing about the others. */
const rated = (names: readonly string[]) => {
  const [first = ''] = names;
  const event = matchOf([names.slice(0, names.length / 2), names.slice(names.length / 2)], [1, 2], {
    played: { shares: { [first]: 0.5 }, facts: { [first]: { kills: 3 } } },
  });
  return poolRater.apply(ladder, event, new Map()).players.map(({ rating }) => rating);
};

/** The ratings after a sequence of events. */
function after(pool: RatingPool, events: readonly (MatchEvent | GivenEvent)[]): Map<string, StoredRating> {
  const ratings = new Map<string, StoredRating>();
  for (const event of events)
    for (const { playerId, rating } of poolRater.apply(pool, event, ratings).players)
      ratings.set(playerId, rating);
  return ratings;
}

function given(mu: number, sigma: number | null, more: Partial<GivenEvent> = {}): GivenEvent {
  return {
    kind: 'set',
    eventId: 'e',
    at: 0,
    playerId: 'ann',
    mu,
    sigma,
    model: 'openskill-plackett-luce',
    level: 0,
    doubt: null,
    by: 'operator',
    reason: 'known',
    ...more,
  };
}

describe('a match is rated', () => {
  it('equally for every player id, including toString and constructor', () => {
    const names = Object.getOwnPropertyNames(Object.prototype);
    expect(rated(names)).toEqual(rated(names.map((_, i) => `player-${i}`)));
  });
});

const facts = {
  ann: { place: 1, kills: 3, scoredFor: 2, scoredAgainst: 1 },
  ben: { place: 2, kills: 1, scoredFor: 1, scoredAgainst: 2 },
};
const duels = (results: string): MatchEvent[] =>
  [...results].map((result, i) =>
    matchOf([['ann'], ['ben']], result === 'W' ? [1, 2] : [2, 1], { at: i * 3_600_000, played: { facts } }),
  );

describe('a rating set without a sigma', () => {
  it('keeps its uncertainty; a new player keeps the start uncertainty', () => {
    const model = modelOf('openskill-plackett-luce');
    const played = after(ladder, duels('WWLWWL'));
    const before = model.belief(model.read(played.get('ann')?.state));
    const set = after(ladder, [...duels('WWLWWL'), given(30, null)]).get('ann');
    expect(model.belief(model.read(set?.state))).toEqual({ mu: 30, sigma: before.sigma });
    expect(set).toMatchObject({ matches: 6, lastRatedAt: 5 * 3_600_000 });
    expect(after(ladder, [given(30, null)]).get('ann')?.state).toEqual({ mu: 30, sigma: 25 / 3 });
    expect(after(ladder, [...duels('WWLWWL'), given(30, 4)]).get('ann')?.state).toEqual({ mu: 30, sigma: 4 });
  });

  it('keeps its distance from the start value under a model with other units', () => {
    const pool = poolOf({ model: 'glicko2' });
    const model = modelOf('glicko2');
    const before = model.belief(model.read(after(pool, duels('WWLWWL')).get('ann')?.state));
    const set = after(pool, [...duels('WWLWWL'), given(33, null, { level: 1 })]).get('ann');
    const { mu, sigma } = model.belief(model.read(set?.state));
    expect(mu).toBeCloseTo(1850, 9);
    expect(sigma).toBe(before.sigma);
  });
});

describe('the cap at the end of the shadow', () => {
  const rounds = 'WWWLWWWWLWWWWWLWWWWW';

  it.each(modelKinds.map(({ name }) => name))(
    'of %s moves only the mean: the history of the last rounds stays',
    (name) => {
      const kind = kindNamed(name);
      const parameters: ModelParameters = name === 'glicko2' ? { periodDays: 7 } : {};
      const model = modelOf(kind.name, parameters);
      const free = poolOf({ model: name, parameters, shadowMatches: rounds.length });
      const start = model.belief(model.initial()).mu;
      const uncapped = model.read(after(free, duels(rounds)).get('ann')?.state);
      const reached = model.belief(uncapped).mu;
      const cap = Math.round((start + reached) / 2);
      const capped = model.read(
        after(poolOf({ ...free.rules, shadowCap: cap }), duels(rounds)).get('ann')?.state,
      );
      expect(model.belief(capped).mu).toBeCloseTo(Math.min(reached, cap), 9);
      expect(capped).toEqual(model.moved(uncapped, Math.min(reached, cap)));
    },
  );

  it('of SynElo keeps the window, so that K does not jump to 72', () => {
    const parameters = { kMax: 1 };
    const model = modelOf('synelo', parameters);
    const even = 'WLLW'.repeat(15);
    const known = ['ann', 'ben'].map((playerId) => given(1_300, null, { playerId, model: 'synelo' }));
    const read = (shadowCap: number | null): { k: number; convergence: number; rating: number } => {
      const pool = poolOf({ model: 'synelo', parameters, shadowMatches: even.length, shadowCap });
      const { state } = after(pool, [...known, ...duels(even)]).get('ann') ?? {};
      return model.brief(model.read(state)) as ReturnType<typeof read>;
    };
    const [free, capped] = [read(null), read(1_250)];
    expect(free.rating).toBeGreaterThan(1_250);
    expect(free.convergence).toBeLessThan(0.7);
    expect(capped).toMatchObject({ rating: 1_250, rounds: even.length, convergence: free.convergence });
    // K depends on the convergence of the last rounds and on the distance of the rating from the start.
    expect(capped.k).toBeCloseTo(2 + 70 * free.convergence * Math.exp(-(250 ** 2) / (2 * 400 ** 2)), 9);
    expect(capped.k).toBeLessThan(50);
  });
});
