import { rateEvent } from '../../apps/rating/src/core/rater.js';
import {
  PoolInvalid,
  RebuildRunning,
  seededRandom,
  type MatchEvent,
  type ReportedRated,
  type StoredRating,
} from '@muster/domain';
import { defaultPoolRules } from '@muster/skill';
import { beforeEach, describe, expect, it } from 'vitest';
import { ReadRatings } from '../../apps/rating/src/ratings/read-ratings.js';
import { databaseForEach, noon, range, tally } from './fixtures.js';
import { aPool, reported } from './ledger-fixtures.js';
import {
  anyMatch,
  withoutRules,
  inForce,
  Interrupted,
  Ladder,
  leaseMs,
  rebuilt,
  replica,
  rowsOf,
  unversioned,
  type InForce,
} from './rebuild-fixtures.js';

const data = databaseForEach();

let ladder: Ladder;
beforeEach(() => {
  ladder = new Ladder(data().db, 'ladder');
});

const now = (): Promise<InForce> => inForce(data().db, 'ladder');

describe('a rebuild without rules', () => {
  it('gives what is in force, to the bit, whatever happened to the pool', async () => {
    const { db } = data();
    const random = seededRandom(7);
    const { ledger } = ladder;
    const inactivity = {
      afterDays: 0.1,
      forgottenAfterDays: 30,
      decay: { division: 'Gold', perDay: 0.5 },
    };
    await ledger.pools.create(
      aPool('ladder', { ...defaultPoolRules, shadowMatches: 8, shadowCap: 27, inactivity }),
    );
    // Numbers of events are shared between pools.
    const other = new Ladder(db, 'other', 'o');
    await ledger.pools.create(aPool('other'));
    for (const round of range(5)) {
      await Promise.all([ladder.season(45, random), other.season(3, random)]);
      await ladder.give('set', `set-${round}`, `p${round}`, 3 * random() - 1);
      await ladder.give('seed', `seed-${round}`, `stranger-${round}`, 3 * random() - 1);
      await ladder.give('reset', `reset-${round}`, `p${20 - round}`);
      const { rules, calibration, ...pool } = await ledger.ratings.pool('ladder');
      const offsets = {
        size: 1.5,
        party: 0.3,
        'side:home': 0.2,
        'side:home@map:ice': -0.1,
        'side:away@venue:north': 0.4,
      };
      const learned = {
        ...calibration,
        scale: { mean: 0.6 + 0.1 * round, sd: 0.1 },
        offsets: Object.fromEntries(
          Object.entries(offsets).map(([name, mean]) => [name, { mean: mean * random(), sd: 0.02 }]),
        ),
      };
      const changed = round === 2 ? { ...rules, partyBonus: 'fixed' as const, divisionMargin: 0.1 } : rules;
      await ledger.pools.change({ ...pool, rules, calibration }, changed, learned, 'a test');
    }
    await ladder.season(30, random);
    const live = await now();
    const others = await inForce(db, 'other');
    expect(live.forecasts).toHaveLength(255);

    for (const generation of [2, 3]) {
      expect(await rebuilt(db, 'ladder')).toMatchObject({ generation, done: 270, total: 270, skipped: 0 });
      expect(await ledger.ratings.pool('ladder')).toMatchObject({ generation, version: 6 });
      expect(await now()).toEqual(live);
    }
    expect(await inForce(db, 'other')).toEqual(others);

    // And it goes on from there as it would have.
    await ladder.season(10, random);
    const later = await now();
    await rebuilt(db, 'ladder');
    expect(await now()).toEqual(later);
  });

  it('gives the same to a pool whose reports were all sent twice', async () => {
    const { db } = data();
    const { ledger } = ladder;
    for (const pool of ['ladder', 'twice']) await ledger.pools.create(aPool(pool));
    const random = seededRandom(3);
    for (const i of range(30)) {
      const match = anyMatch(
        `m${i}`,
        range(12).map((p) => `p${p}`),
        random,
      );
      const report = (pool: string): Promise<ReportedRated> =>
        ledger.reports.rate(reported({ ...match, matchId: `${pool}-${i}` }, { pool }), noon);
      await report('ladder');
      await Promise.all([report('twice'), report('twice')]);
      if (i % 5 === 0) await report('twice');
    }
    const once = await now();
    expect((await inForce(db, 'twice')).ratings).toEqual(once.ratings);
    await rebuilt(db, 'twice');
    expect((await inForce(db, 'twice')).ratings).toEqual(once.ratings);
    expect((await inForce(db, 'twice')).forecasts).toHaveLength(30);
  });

  it('is told in the history of a player, with the match that was voided: a fall after a win explains itself', async () => {
    const { db } = data();
    const { ledger } = ladder;
    await ladder.ledger.pools.create(aPool());
    for (const [i, loser] of ['bob', 'cid', 'dee'].entries())
      await ledger.reports.rate(
        reported({ matchId: `m${i}`, teams: [['ann'], [loser]], ranks: [1, 2] }),
        noon,
      );
    const standings = new ReadRatings(ledger.ratings, ledger.history, { now: () => noon });
    const kinds = async (limit = 100) =>
      (await standings.history('ladder', 'ann', limit, {})).changes.map(
        ({ kind, eventId }) => `${kind} ${eventId}`,
      );
    expect(await kinds()).toEqual(['match m2', 'match m1', 'match m0']);
    await ledger.matches.void('m1', { by: 'olga', reason: 'Bots.', rebuildId: 'rbd_1' }, noon);
    // It counts until the rebuild.
    expect(await kinds()).toEqual(['void m1', 'match m2', 'match m1', 'match m0']);
    await replica(db).work();
    expect(await kinds()).toEqual(['void m1', 'rebuild rbd_1', 'match m2', 'match m0']);
    expect(await kinds(1)).toEqual(['void m1', 'rebuild rbd_1', 'match m2']);
    const { changes } = await standings.history('ladder', 'ann', 100, {});
    const [taken, again, last] = changes;
    expect(taken).toMatchObject({ by: 'olga', reason: 'Bots.' });
    expect(JSON.stringify(again?.after)).toBe(JSON.stringify(last?.after));
    const mu = (of: unknown) => (of as { mu: number }).mu;
    expect(mu(again?.after)).toBeLessThan(mu(again?.before));
    expect(mu(taken?.after)).toBeLessThan(mu(taken?.before));
    // Nothing happened to others.
    expect((await standings.history('ladder', 'bob', 100, {})).changes.map(({ kind }) => kind)).toEqual([
      'match',
    ]);
    await rebuilt(db, 'ladder');
    expect(await kinds()).toEqual(['void m1', 'rebuild rbd_1', 'match m2', 'match m0']);
  });

  it('of a pool without a match is quick to do', async () => {
    await ladder.ledger.pools.create(aPool());

    expect(await rebuilt(data().db, 'ladder')).toMatchObject({ generation: 2, done: 0, total: 0 });
    expect(await ladder.ledger.ratings.pool('ladder')).toMatchObject({ generation: 2, version: 1 });
  });
});

describe('a rebuild under another model', () => {
  it.each([
    ['glicko2', {}],
    ['elo', {}],
    ['trueskill', {}],
    ['elo', { aggregation: 'learned', circumstances: ['side', 'map', 'venue'], partyBonus: 'learned' }],
  ] as const)(
    '%s takes results that arrive meanwhile, and can be repeated to the bit (%j)',
    async (model, rules) => {
      const { db } = data();
      const random = seededRandom(11);
      await ladder.ledger.pools.create(aPool('ladder', rules));
      await ladder.season(52, random);
      await ladder.give('set', 'set', 'p1', 1.2);
      // Some before the last step, some while it is taken.
      let stream = Promise.resolve();
      const late = async (): Promise<void> => {
        await ladder.season(4, random);
        stream = ladder.season(10, random);
      };
      const rebuilds = replica(db, {
        store: new Interrupted(db, { write: () => ladder.season(5, random), finish: late }),
      });
      await rebuilds.request('ladder', { model, ...withoutRules });
      expect(await rebuilds.work()).toBe(true);
      await stream;
      await ladder.season(5, random);

      const live = await now();
      const pool = await ladder.ledger.ratings.pool('ladder');
      expect(pool).toMatchObject({ generation: 2, rules: { ...aPool('ladder', rules).rules, model } });
      expect(live.forecasts).toHaveLength(76);

      await rebuilt(db, 'ladder');
      expect(await now()).toEqual(live);
      expect(await ladder.ledger.ratings.pool('ladder')).toEqual({ ...pool, generation: 3 });
      if (pool.rules.circumstances.length > 0) return;
      await rebuilt(db, 'ladder', { model, ...withoutRules });
      expect(unversioned(await now())).toEqual(unversioned(live));
    },
  );

  it('leaves out what it cannot take, and says how many', async () => {
    const { db } = data();
    const random = seededRandom(13);
    await ladder.ledger.pools.create(aPool());
    await ladder.season(12, random, { sizes: [2, 2] });
    await ladder.season(5, random, { sizes: [1, 1, 1] });
    await ladder.give('set', 'set', 'p1', -1.5);

    expect(await rebuilt(db, 'ladder', { model: 'synelo', ...withoutRules })).toMatchObject({
      done: 18,
      skipped: 5,
    });
    await ladder.season(5, random, { sizes: [1, 2] });
    const live = await now();
    expect(live.forecasts).toHaveLength(17);
    // What was not rated under the rules in force is not rated with them again.
    expect(await rebuilt(db, 'ladder')).toMatchObject({ done: 23, skipped: 5 });
    expect(await now()).toEqual(live);
  });

  it('leaves out a rating that was given and that it cannot hold', async () => {
    const { db } = data();
    await ladder.ledger.pools.create(aPool('ladder', { model: 'elo' }));
    await ladder.season(10, seededRandom(17), { sizes: [2, 2] });
    await ladder.give('set', 'set', 'p1', -40);

    expect(await rebuilt(db, 'ladder', { model: 'log-weights', ...withoutRules })).toMatchObject({
      done: 11,
      skipped: 1,
    });
    const live = await now();
    expect(await rebuilt(db, 'ladder')).toMatchObject({ done: 11, skipped: 1 });
    expect(await now()).toEqual(live);
  });

  it('is refused when it would end the shadow with a rating that it cannot hold', async () => {
    await ladder.ledger.pools.create(aPool());

    const asked = replica(data().db).request('ladder', {
      model: 'log-weights',
      shadowCap: -5,
      ...withoutRules,
    });
    await expect(asked).rejects.toThrow(PoolInvalid);
  });

  it('goes through a long history in pages', async () => {
    const { db } = data();
    await ladder.ledger.pools.create(aPool('ladder', { model: 'elo' }));
    // Written straight into the inputs: rating them one by one would take long.
    const count = 1_300;
    await db.$executeRaw`
      INSERT INTO rating_event (sequence, pool, kind, event_id, at, detail)
      SELECT nextval('ledger_sequence'), 'ladder', 'match', 'b' || i, ${new Date(noon)}, jsonb_build_object(
        'teams', jsonb_build_array(jsonb_build_array('p' || i % 7), jsonb_build_array('p' || 7 + i % 5)),
        'ranks', CASE WHEN i % 3 = 0 THEN '[1, 2]'::jsonb ELSE '[2, 1]'::jsonb END)
      FROM generate_series(1, ${count}::int) AS i`;
    // The generation in force has none of them, so its ratings play no part.
    const rebuilds = replica(db, {
      store: new Interrupted(db, { write: () => ladder.season(3, seededRandom(1)) }),
    });
    await rebuilds.request('ladder', { model: 'glicko2', ...withoutRules });
    await rebuilds.work();

    const pool = await ladder.ledger.ratings.pool('ladder');
    const ratings = new Map<string, StoredRating>();
    const events = await db.ratingEvent.findMany({ orderBy: { sequence: 'asc' } });
    for (const { eventId, at, detail } of events) {
      const event = { kind: 'match', eventId, at: at.getTime(), ...(detail as object) } as MatchEvent;
      for (const { playerId, rating } of rateEvent(pool, event, ratings).players)
        ratings.set(playerId, rating);
    }
    expect((await ladder.ledger.ratings.of('ladder', [...ratings.keys()])).ratings).toEqual(ratings);
    expect(await rowsOf(db, { pool: 'ladder', generation: 2 })).toEqual([
      ratings.size,
      events.flatMap(({ detail }) => (detail as unknown as MatchEvent).teams.flat()).length,
      count + 3,
    ]);
    expect(await rebuilds.list('ladder')).toMatchObject([{ state: 'done', done: count + 3, skipped: 0 }]);
  });
});

describe('the list of rebuilds', () => {
  it('has the model that the pool had then', async () => {
    const { db } = data();
    await ladder.ledger.pools.create(aPool('ladder', { model: 'glicko2' }));
    const first = await rebuilt(db, 'ladder');
    const pool = await ladder.ledger.ratings.pool('ladder');
    await ladder.ledger.pools.change(
      pool,
      { ...pool.rules, model: 'elo', parameters: {} },
      pool.calibration,
      'a test',
    );
    await db.poolVersion.updateMany({
      where: { pool: 'ladder', version: { gt: pool.version } },
      data: { createdAt: new Date(first.startedAt + 1) },
    });
    await db.poolVersion.updateMany({
      where: { pool: 'ladder', version: { lte: pool.version } },
      data: { createdAt: new Date(first.startedAt) },
    });
    expect(await replica(db).list('ladder')).toMatchObject([{ rules: null, model: 'glicko2' }]);
  });
});

describe('a refit', () => {
  it('gives everybody a rating as an event, and can be rebuilt to the bit', async () => {
    const { db } = data();
    const random = seededRandom(19);
    await ladder.ledger.pools.create(aPool('ladder', { model: 'hive', aggregation: 'mean' }));
    const crowd = range(12).map((i) => `p${i}`);
    await ladder.season(40, random, { crowd, sizes: [3, 3] });
    // Its clock makes leaps, so that it has much to say for itself.
    let time = noon;
    let renewed = 0;
    class Counting extends Interrupted {
      override renew(...args: Parameters<Interrupted['renew']>): ReturnType<Interrupted['renew']> {
        renewed++;
        return super.renew(...args);
      }
    }
    const store = new Counting(db, { finish: () => ladder.season(3, random, { crowd, sizes: [3, 3] }) });
    const rebuilds = replica(db, { store, now: () => (time += leaseMs / 2) });
    const { rebuildId } = await rebuilds.request('ladder', { refit: true, reason: 'a test' });
    await rebuilds.work();

    expect(renewed).toBeGreaterThan(3);
    const seeds = await db.ratingEvent.findMany({ where: { kind: 'seed' } });
    expect(seeds.map(({ eventId }) => eventId).toSorted()).toEqual(
      crowd.map((playerId) => `${rebuildId}-${playerId}`).toSorted(),
    );
    const pool = await ladder.ledger.ratings.pool('ladder');
    for (const playerId of crowd) {
      const [last] = await ladder.ledger.history.of(pool, playerId, 1);
      const { before, after } = last as unknown as Record<'before' | 'after', { mu: number; sigma: number }>;
      expect(last).toMatchObject({ kind: 'seed', by: 'refit', version: pool.version });
      expect(after.mu).not.toBe(before.mu);
      // How sure a rating is still says how much was played.
      expect(Math.abs(after.sigma - before.sigma)).toBeLessThan(0.2);
    }

    await ladder.season(5, random, { crowd, sizes: [3, 3] });
    const live = await now();
    await rebuilt(db, 'ladder');
    expect(await now()).toEqual(live);
    await expect(rebuilt(db, 'ladder', { refit: true, model: 'elo', reason: 'a test' })).rejects.toThrow(
      'Only ratings of the model hive',
    );
  });
});

describe('of two rebuilds asked for at once', () => {
  it('one is refused', async () => {
    const { db } = data();
    await ladder.ledger.pools.create(aPool());
    const asked = await Promise.allSettled(
      range(5).map(() => replica(data().connect(2)).request('ladder', withoutRules)),
    );

    expect(tally(asked.map(({ status }) => status))).toEqual({ fulfilled: 1, rejected: 4 });
    for (const each of asked)
      if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(RebuildRunning);
    expect(await db.poolRebuild.count()).toBe(1);
    // Another pool's is another matter.
    await ladder.ledger.pools.create(aPool('other'));
    await replica(db).request('other', withoutRules);
    // And two processes share the work.
    const worked = await Promise.all(['a', 'b', 'c'].map((holder) => replica(db, { holder }).work()));
    expect(tally(worked.map(String))).toEqual({ true: 2, false: 1 });
    expect(await db.poolRebuild.count({ where: { state: 'done' } })).toBe(2);
  });
});
