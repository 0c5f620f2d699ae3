import type { PoolRules, RatingPool, StoredRating } from '@muster/domain';
import { defaultPoolRules, kindNamed, modelKinds, modelOf, uncalibrated } from '@muster/skill';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { weightOf, Weights } from './weights.js';

function poolOf(model: string, name = 'ctf', more: Partial<PoolRules> = {}): RatingPool {
  return {
    name,
    gameMode: name,
    modifiers: [],
    rules: { ...defaultPoolRules, ...more, model, parameters: {} },
    calibration: uncalibrated,
    version: 1,
    generation: 1,
  };
}

/** A stored rating of the pool. */
function stored(pool: RatingPool, mu: number, matches = 1): StoredRating {
  const model = modelOf(pool.rules.model, pool.rules.parameters);
  const { sigma } = model.belief(model.initial());
  return { state: model.write(model.seed({ mu, sigma })), matches, division: null, lastRatedAt: null };
}

/** In-memory ratings that count their reads. */
function shelf(pool: RatingPool, rows: Readonly<Record<string, StoredRating>>) {
  const reads: string[] = [];
  let isAway = false;
  const answer = async <T>(what: string, value: T): Promise<T> => {
    reads.push(what);
    await new Promise((resolve) => setImmediate(resolve));
    if (isAway) throw new Error('the database is away');
    return value;
  };
  const pick = (wanted: (id: string) => boolean) =>
    new Map(Object.entries(rows).filter(([id]) => wanted(id)));
  return {
    reads,
    setAway: (away: boolean) => (isAway = away),
    pools: () => answer('pools', [pool]),
    pool: () => answer('pool', pool),
    of: (_name: string, ids: readonly string[]) =>
      answer('ratings', { pool, ratings: pick((id) => ids.includes(id)) }),
    bots: {
      of: () =>
        answer(
          'bots',
          pick((id) => id.startsWith('bot:')),
        ),
    },
  };
}

const weightsOn = (store: ReturnType<typeof shelf>): Weights =>
  new Weights(store, store.bots, { now: () => 0 });
const game = { type: 'ctf', mutators: [] };
const plackett = poolOf('openskill-plackett-luce');

describe('a weight', () => {
  it.each([
    ['openskill-plackett-luce', 25, 50],
    ['openskill-plackett-luce', 40, 80],
    ['openskill-plackett-luce', 10, 20],
    ['openskill-plackett-luce', 60, 100],
    ['openskill-plackett-luce', -3, 0],
    ['glicko2', 1850, 50 + 50 / 3],
    ['synelo', 1000, 50],
    // Log weights are returned as they are, although the start uncertainty is 25.
    ['log-weights', 73, 73],
    ['log-weights-kills', 0, 0],
  ])('under %s of a rating of %d is %d', (model, mu, weight) => {
    const open = modelOf(model);
    const start = open.belief(open.initial());
    expect(weightOf(model, { mu, sigma: 1 }, start)).toBeCloseTo(weight, 9);
  });

  it('is 50 for a new player, within 0 to 100, and monotonic in the rating, under every model', () => {
    for (const { name } of modelKinds) {
      const open = kindNamed(name).open(
        Object.fromEntries(
          Object.entries(kindNamed(name).parameters).map(([key, spec]) => [key, spec.default]),
        ),
      );
      const start = open.belief(open.initial());
      expect(weightOf(name, start, start)).toBeCloseTo(50, 9);
      const mean = fc.double({ noNaN: true, noDefaultInfinity: true });
      fc.assert(
        fc.property(mean, mean, (a, b) => {
          const [low, high] = [a, b]
            .toSorted((x, y) => x - y)
            .map((mu) => weightOf(name, { mu, sigma: 1 }, start));
          expect((low ?? NaN) >= 0 && (low ?? NaN) <= (high ?? NaN) && (high ?? NaN) <= 100).toBe(true);
        }),
      );
    }
  });
});

describe('weights', () => {
  const rows = {
    ann: stored(plackett, 40),
    // The state after a reset.
    new: stored(plackett, 25, 0),
    'bot:Loque': stored(plackett, 40),
    'bot:Xan': stored(plackett, 20),
    'bot:gone': stored(plackett, 25, 0),
  };

  it('exist for players and bots with a rating', async () => {
    const weights = weightsOn(shelf(plackett, rows));
    expect(await weights.player(game, 'ann')).toBeCloseTo(80, 9);
    expect(await weights.player(game, 'bot:Xan')).toBeCloseTo(40, 9);
    expect(await weights.player(game, 'nobody')).toBeNull();
    expect(await weights.player(game, 'new')).toBeNull();
    expect(await weights.bot(game, 'bot:Loque')).toBeCloseTo(80, 9);
  });

  it('have a mean over the rated bots, which an unrated bot gets', async () => {
    const weights = weightsOn(shelf(plackett, rows));
    const { weight, count } = await weights.meanBot(game);
    expect(count).toBe(2);
    expect(weight).toBeCloseTo(60, 9);
    expect(await weights.bot(game, 'bot:Malcolm')).toBeCloseTo(60, 9);
    const none = weightsOn(shelf(plackett, {}));
    expect(await none.meanBot(game)).toEqual({ weight: 50, count: 0 });
    expect(await none.bot(game, 'bot:Malcolm')).toBe(50);
  });

  it('are not cached; only the list of pools is, for a second', async () => {
    const store = shelf(plackett, rows);
    let nowMs = 0;
    const weights = new Weights(store, store.bots, { now: () => nowMs });
    await Promise.all([weights.player(game, 'ann'), weights.player(game, 'new')]);
    await weights.meanBot(game);
    nowMs = 999;
    await weights.bot(game, 'bot:Malcolm');
    expect(store.reads).toEqual(['pools', 'ratings', 'ratings', 'pool', 'bots', 'ratings', 'bots']);
    nowMs = 1_000;
    await weights.player(game, 'ann');
    expect(store.reads.slice(7)).toEqual(['pools', 'ratings']);
  });

  it('fail while the store is unavailable, and recover with it', async () => {
    const store = shelf(plackett, rows);
    const weights = weightsOn(store);
    store.setAway(true);
    await expect(weights.player(game, 'ann')).rejects.toThrow('away');
    store.setAway(false);
    expect(await weights.player(game, 'ann')).toBeCloseTo(80, 9);
    store.setAway(true);
    await expect(Promise.all([weights.meanBot(game), weights.player(game, 'ann')])).rejects.toThrow('away');
    store.setAway(false);
    expect(await weights.meanBot(game)).toMatchObject({ count: 2 });
  });

  it('of a game without a pool are rejected', async () => {
    const weights = weightsOn(shelf(plackett, rows));
    await expect(weights.player({ type: 'dm', mutators: [] }, 'ann')).rejects.toThrow(
      'no rating pool is for the game type dm; there is ctf',
    );
    const unknown = { kind: 'player', game: { type: 'dm', mutators: [] }, id: 'ann' } as const;
    expect(await weights.answer(unknown)).toEqual({ refused: expect.stringContaining('there is ctf') });
    expect(await weights.answer({ kind: 'meanbot', game })).toMatchObject({ count: 2 });
  });
});
