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

/** A rating as the pool would hold it. */
function stored(pool: RatingPool, mu: number, matches = 1): StoredRating {
  const model = modelOf(pool.rules.model, pool.rules.parameters);
  const { sigma } = model.belief(model.initial());
  return { state: model.write(model.seed({ mu, sigma })), matches, division: null, lastRatedAt: null };
}

/** Ratings in memory that count how often they are read. */
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
    ratings: (_name: string, ids: readonly string[]) =>
      answer('ratings', { pool, ratings: pick((id) => ids.includes(id)) }),
    bots: () =>
      answer(
        'bots',
        pick((id) => id.startsWith('bot:')),
      ),
  };
}

const clock = { now: () => 0 };
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
    // As it is, although a stranger's uncertainty is 25.
    ['log-weights', 73, 73],
    ['log-weights-kills', 0, 0],
  ])('under %s of a rating of %d is %d', (model, mu, weight) => {
    const open = modelOf(model);
    const start = open.belief(open.initial());
    expect(weightOf(model, { mu, sigma: 1 }, start)).toBeCloseTo(weight, 9);
  });

  it('is 50 of a stranger, from 0 to 100, and no less for a higher rating, under every model', () => {
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
    // As a reset leaves it.
    new: stored(plackett, 25, 0),
    'bot:Loque': stored(plackett, 40),
    'bot:Xan': stored(plackett, 20),
    'bot:gone': stored(plackett, 25, 0),
  };

  it('are those of players and bots that the pool knows', async () => {
    const weights = new Weights(shelf(plackett, rows), clock);
    expect(await weights.player(game, 'ann')).toBeCloseTo(80, 9);
    expect(await weights.player(game, 'bot:Xan')).toBeCloseTo(40, 9);
    expect(await weights.player(game, 'nobody')).toBeNull();
    expect(await weights.player(game, 'new')).toBeNull();
    expect(await weights.bot(game, 'bot:Loque')).toBeCloseTo(80, 9);
  });

  it('have a mean over the bots that are known, which stands in for one that is not', async () => {
    const weights = new Weights(shelf(plackett, rows), clock);
    const { weight, count } = await weights.meanBot(game);
    expect(count).toBe(2);
    expect(weight).toBeCloseTo(60, 9);
    expect(await weights.bot(game, 'bot:Malcolm')).toBeCloseTo(60, 9);
    const none = new Weights(shelf(plackett, {}), clock);
    expect(await none.meanBot(game)).toEqual({ weight: 50, count: 0 });
    expect(await none.bot(game, 'bot:Malcolm')).toBe(50);
  });

  it('are read anew each time; only the list of pools is kept for a second', async () => {
    const store = shelf(plackett, rows);
    let nowMs = 0;
    const weights = new Weights(store, { now: () => nowMs });
    await Promise.all([weights.player(game, 'ann'), weights.player(game, 'new')]);
    await weights.meanBot(game);
    nowMs = 999;
    await weights.bot(game, 'bot:Malcolm');
    expect(store.reads).toEqual(['pools', 'ratings', 'ratings', 'pool', 'bots', 'ratings', 'bots']);
    nowMs = 1_000;
    await weights.player(game, 'ann');
    expect(store.reads.slice(7)).toEqual(['pools', 'ratings']);
  });

  it('cannot be read while the store is away, and can when it is back', async () => {
    const store = shelf(plackett, rows);
    const weights = new Weights(store, clock);
    store.setAway(true);
    await expect(weights.player(game, 'ann')).rejects.toThrow('away');
    store.setAway(false);
    expect(await weights.player(game, 'ann')).toBeCloseTo(80, 9);
    store.setAway(true);
    await expect(Promise.all([weights.meanBot(game), weights.player(game, 'ann')])).rejects.toThrow('away');
    store.setAway(false);
    expect(await weights.meanBot(game)).toMatchObject({ count: 2 });
  });

  it('of a game that no pool is for are refused', async () => {
    const weights = new Weights(shelf(plackett, rows), clock);
    await expect(weights.player({ type: 'dm', mutators: [] }, 'ann')).rejects.toThrow(
      'no rating pool is for the game type dm; there is ctf',
    );
  });
});
