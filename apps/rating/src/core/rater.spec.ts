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
import fc from 'fast-check';
import { opened } from './open-pool.js';
import { stateAt, unrated } from './current.js';
import { rateEvent } from './rater.js';

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
  return rateEvent(ladder, event, new Map()).players.map(({ rating }) => rating);
};

/** The ratings after a sequence of events. */
function after(pool: RatingPool, events: readonly (MatchEvent | GivenEvent)[]): Map<string, StoredRating> {
  const ratings = new Map<string, StoredRating>();
  for (const event of events)
    for (const { playerId, rating } of rateEvent(pool, event, ratings).players) ratings.set(playerId, rating);
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

describe('R23 skill by aspect', () => {
  const aspects = { side: 0.5, role: 0.5 };
  const played = {
    situation: { sides: ['alien', 'marine'] },
    facts: { ann: { role: 'gorge' }, ben: {} },
  };
  const wins = (count: number): MatchEvent[] =>
    Array.from({ length: count }, (_, i) => matchOf([['ann'], ['ben']], [1, 2], { at: i, played }));

  it('is learned under the rules that rate it, and nothing else changes', () => {
    const plain = after(ladder, wins(3));
    const ann = after(poolOf({ aspects }), wins(3)).get('ann');
    expect(plain.get('ann')?.aspects).toBeUndefined();
    expect(ann?.aspects?.map(({ name, matches }) => [name, matches])).toEqual([
      ['side:alien', 3],
      ['role:gorge', 3],
    ]);
    expect(ann?.aspects?.every(({ mean }) => mean > 0)).toBe(true);
    expect(after(poolOf({ aspects: { map: 1 } }), wins(3))).toEqual(plain);
    expect(after(poolOf({ aspects: null }), wins(3))).toEqual(plain);
  });

  it('makes a win on a good side less surprising, so the common skill gains less', () => {
    const mu = (rules: Partial<PoolRules>): number => {
      const rating = after(poolOf(rules), wins(20)).get('ann') ?? unrated;
      const { model } = opened(poolOf(rules)).model;
      return model.belief(stateAt(opened(poolOf(rules)), undefined, rating, 0)).mu;
    };
    expect(mu({ aspects: { side: 1 } })).toBeLessThan(mu({}));
  });

  it('stays when a rating is set, and ends with a reset or with its rule', () => {
    const pool = poolOf({ aspects });
    const before = after(pool, wins(3));
    const kept = rateEvent(pool, given(30, 2), before).players[0]?.rating;
    expect(kept?.aspects).toEqual(before.get('ann')?.aspects);
    const reset = { kind: 'reset', eventId: 'r', at: 0, playerId: 'ann', by: 'olga', reason: '' } as const;
    expect(rateEvent(pool, reset, before).players[0]?.rating.aspects).toBeUndefined();
    const [ann] = rateEvent(poolOf({ aspects: { side: 0.5 } }), wins(1)[0] ?? reset, before).players;
    expect(ann?.rating.aspects?.map(({ name }) => name)).toEqual(['side:alien']);
  });

  it('keeps its share at the start of a season', () => {
    const pool = poolOf({ aspects });
    const before = after(pool, wins(3));
    const season = {
      number: 1,
      name: '1',
      startedAt: 5,
      sequence: 9,
      keep: 0.5,
      uncertainty: 1,
      placementMatches: 0,
    };
    const kept = rateEvent({ ...pool, seasons: [season] }, given(30, 2), before).players[0]?.rating;
    const [was, is] = [before.get('ann')?.aspects?.[0], kept?.aspects?.[0]];
    expect(is).toEqual({ ...was, mean: (was?.mean ?? NaN) / 2, variance: 0.25 });
  });
});

const facts = {
  ann: { place: 1, kills: 3, deaths: 2, power: 500, scoredFor: 2, scoredAgainst: 1 },
  ben: { place: 2, kills: 1, deaths: 4, power: 300, scoredFor: 1, scoredAgainst: 2 },
};
const duels = (results: string): MatchEvent[] =>
  [...results].map((result, i) =>
    matchOf([['ann'], ['ben']], result === 'W' ? [1, 2] : [2, 1], { at: i * 3_600_000, played: { facts } }),
  );

describe('R21 a match with a booster', () => {
  const teams = [
    ['ann', 'bob'],
    ['cid', 'dan'],
  ];
  const boosted = { ann: { boosterId: 'bst_1', kFactor: 2 } };
  const result = (more: Partial<MatchEvent> = {}) =>
    rateEvent(ladder, matchOf(teams, [1, 2], more), new Map());
  const meanOf = (rating: StoredRating): number =>
    opened(ladder).model.model.belief(stateAt(opened(ladder), [], rating, 0)).mu;

  it('moves its player twice as far, and leaves the others to the bit', () => {
    const [plain, with2] = [result(), result({ boosted })];
    const [ann, ...others] = plain.players;
    const [annBoosted, ...othersToo] = with2.players;
    if (!ann || !annBoosted) throw new Error('no player');
    expect(othersToo).toEqual(others);
    const step = meanOf(ann.rating) - 25;
    expect(meanOf(annBoosted.rating) - 25).toBeCloseTo(2 * step, 12);
    // The sum of all means moves by (kFactor − 1) steps, which pool health shows as drift.
    expect((with2.forecast?.drift ?? 0) - (plain.forecast?.drift ?? 0)).toBeCloseTo(step, 12);
    expect(with2.forecast).toEqual({ ...plain.forecast, drift: with2.forecast?.drift });
  });

  it('may change the division of its player', () => {
    // Just below Diamond, as a settled player.
    const before: StoredRating = {
      state: { mu: 28.9, sigma: 4 },
      matches: 60,
      division: 'Platinum',
      lastRatedAt: 0,
    };
    const after2 = (more: Partial<MatchEvent>) =>
      rateEvent(ladder, matchOf([['ann'], ['bob']], [1, 2], more), new Map([['ann', before]])).players[0]
        ?.rating.division;
    expect([after2({}), after2({ boosted })]).toEqual(['Platinum', 'Diamond']);
  });
});

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

describe('time without a match', () => {
  const day = 86_400_000;
  const policy = { afterDays: 10, forgottenAfterDays: 200, decay: { division: 'Gold', perDay: 0.05 } };
  const pool = poolOf({ inactivity: policy });
  const open = opened(pool);
  const beliefAt = (rating: StoredRating, at: number) =>
    open.model.model.belief(stateAt(open, undefined, rating, at));

  it('changes nothing without a policy', () => {
    const played = after(ladder, duels('WWLWWL')).get('ann');
    expect(
      played && opened(ladder).model.model.write(stateAt(opened(ladder), undefined, played, 900 * day)),
    ).toEqual(played?.state);
  });

  it('has the same effect on a read, on the next match and on a rebuild, to the bit', () => {
    const moments = fc.array(fc.integer({ min: 0, max: 400 * day }), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(moments, fc.boolean(), (times, isSet) => {
        const events: (MatchEvent | GivenEvent)[] = times.map((at, i) =>
          isSet && i === 1
            ? given(44, 2, { at })
            : matchOf([['ann'], ['ben']], [1, 2], { at, eventId: `m${i}` }),
        );
        const live = new Map<string, StoredRating>();
        for (const event of events) {
          const read = beliefAt(live.get('ann') ?? unrated, event.at);
          const applied = rateEvent(pool, event, live).players;
          expect(applied.find(({ playerId }) => playerId === 'ann')?.believed).toEqual(read);
          for (const { playerId, rating } of applied) live.set(playerId, rating);
        }
        expect(after(pool, events)).toEqual(live);
      }),
    );
  });

  it('counts from the time at which a rating was set', () => {
    const set = after(pool, [...duels('WW'), given(50, 2, { at: 100 * day })]).get('ann') ?? unrated;
    expect(set.setAt).toBe(100 * day);
    expect(beliefAt(set, 110 * day)).toEqual({ mu: 50, sigma: 2 });
    expect(beliefAt(set, 120 * day).mu).toBeCloseTo(50 - 10 * 0.05 * (25 / 3), 9);
    expect(beliefAt(set, 9_000 * day)).toEqual({
      mu: open.divisions.find(({ name }) => name === 'Gold')?.from,
      sigma: 25 / 3,
    });
  });

  it('counts from the last match after a rating was fitted to the history', () => {
    const fitted = after(pool, [...duels('WW'), given(50, 2, { kind: 'seed', by: 'refit', at: 100 * day })]);
    expect(fitted.get('ann')).toMatchObject({ lastRatedAt: 3_600_000 });
    expect(fitted.get('ann')).not.toHaveProperty('setAt');
  });
});
