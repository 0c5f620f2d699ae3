import type { PostgresMatches } from '../../apps/rating/src/ledger/matches.store.js';
import { rateEvent } from '../../apps/rating/src/core/rater.js';
import { RatingStores } from '../support/rating-stores.js';
import { writeFolded } from '../../apps/rating/src/rebuilds/folded.store.js';
import { PostgresRebuilds } from '../../apps/rating/src/rebuilds/rebuilds.store.js';
import { transact } from '@muster/db';
import { seededRandom, type Random } from '@muster/domain';
import type { FoldedEvent, Rebuild } from '../../apps/rating/src/rebuilds/rebuild.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { blocked, Gate } from '../support/gate.js';
import { databaseForEach, noon, range } from './fixtures.js';
import { aPool, duel, reported } from './ledger-fixtures.js';
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
  type InForce,
} from './rebuild-fixtures.js';
import { as } from '../support/database.js';

const data = databaseForEach();
const crowd = range(8).map((i) => `p${i}`);

let ladder: Ladder;
let random: Random;
beforeEach(async () => {
  ladder = new Ladder(data().db, 'ladder');
  random = seededRandom(23);
  await ladder.ledger.pools.create(aPool());
});

const now = (): Promise<InForce> => inForce(data().db, 'ladder');
const matchIds = ({ changes }: InForce): Set<string> =>
  new Set(changes.map((text) => (JSON.parse(text) as { event_id: string }).event_id));
const declareVoid = (matchId: string): ReturnType<PostgresMatches['void']> =>
  ladder.ledger.matches.void(
    matchId,
    { by: 'olga', reason: 'unfair', rebuildId: `rbd_void_${matchId}` },
    noon,
  );

/** A promise that is kept when it is told. */
function signal(): { given: Promise<void>; give: () => void } {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => (give = resolve));
  return { given, give };
}

describe('a match declared void', () => {
  it('leaves ratings as if it had never been', async () => {
    const { db } = data();
    const without = new Ladder(db, 'without');
    await ladder.ledger.pools.create(aPool('without'));
    for (const i of range(20)) {
      const match = anyMatch(`m${i}`, crowd, random);
      await ladder.play(match);
      if (i !== 6) await without.play({ ...match, matchId: `w${i}` });
      else without.pass();
    }
    await declareVoid('m6');
    expect(await replica(db).work()).toBe(true);

    expect((await now()).ratings).toEqual((await inForce(db, 'without')).ratings);
    expect(matchIds(await now())).not.toContain('m6');
    // Nor does it come back with the next rebuild, whatever that is.
    await rebuilt(db, 'ladder', { model: 'elo', ...withoutRules });
    await rebuilt(db, 'without', { model: 'elo', ...withoutRules });
    expect((await now()).ratings).toEqual((await inForce(db, 'without')).ratings);
  });

  it('while a rebuild has it already sends that back to the start', async () => {
    const { db } = data();
    await ladder.season(20, random, { crowd });
    const heard: string[] = [];
    const store = new Interrupted(db, { finish: () => declareVoid('m3') });
    const rebuilds = replica(db, { store, heard });
    await rebuilds.request('ladder', withoutRules);

    expect(await rebuilds.work()).toBe(true);
    expect(heard.at(-1)).toContain('starts again');
    expect(await ladder.ledger.ratings.pool('ladder')).toMatchObject({ generation: 1 });
    expect(await rebuilds.work()).toBe(true);

    expect(await ladder.ledger.ratings.pool('ladder')).toMatchObject({ generation: 3 });
    expect(matchIds(await now()).size).toBe(19);
    expect(matchIds(await now())).not.toContain('m3');
    expect(await rowsOf(db, { pool: 'ladder', generation: 2 })).toEqual([0, 0, 0]);
    // The rebuild that ran was enough.
    expect(await rebuilds.work()).toBe(false);
    expect(await rebuilds.list('ladder')).toMatchObject([{ state: 'done', done: 20 }]);
  });

  it('that came after what a rebuild has is left out at its last step', async () => {
    const { db } = data();
    await ladder.season(5, random, { crowd });
    const finish = async (): Promise<void> => {
      await ladder.season(2, random, { crowd });
      await declareVoid('m5');
    };
    const rebuilds = replica(db, { store: new Interrupted(db, { finish }) });
    await rebuilds.request('ladder', withoutRules);
    await rebuilds.work();

    expect(await ladder.ledger.ratings.pool('ladder')).toMatchObject({ generation: 2 });
    expect([...matchIds(await now())].toSorted()).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm6']);
  });

  it('is taken out also when the rebuild that ran at the time fails', async () => {
    const { db } = data();
    await ladder.season(5, random, { crowd });
    const finish = async (): Promise<void> => {
      await declareVoid('m2');
      throw new Error('the disk is full');
    };
    const failing = replica(db, { store: new Interrupted(db, { finish }) });
    await failing.request('ladder', { model: 'elo', ...withoutRules });
    await failing.work();
    expect(matchIds(await now())).toContain('m2');

    const rebuilds = replica(db);
    while (await rebuilds.work());

    expect((await rebuilds.list('ladder')).map(({ state, error }) => [state, error]).toSorted()).toEqual([
      ['done', null],
      ['failed', 'the disk is full'],
    ]);
    expect(matchIds(await now())).not.toContain('m2');
    expect((await ladder.ledger.ratings.pool('ladder')).rules).toEqual(aPool().rules);
  });
});

/** The first match of the history, rated. */
async function firstFolded(store: PostgresRebuilds, rebuild: Rebuild): Promise<FoldedEvent> {
  const [first] = await store.events(rebuild, 0, Number.MAX_SAFE_INTEGER, 1);
  if (!first || first.event.kind === 'season') throw new Error('there is a match');
  const { sequence, event } = first;
  const pool = await ladder.ledger.ratings.pool('ladder');
  return { sequence, event, version: 1, applied: rateEvent(pool, event, new Map()) };
}

describe('a process that rebuilds', () => {
  it('and dies leaves what was in force, and another one finishes', async () => {
    const { db } = data();
    await ladder.season(12, random, { crowd });
    const before = await now();
    const store = new PostgresRebuilds(as('rating', db));
    await replica(db).request('ladder', { model: 'elo', ...withoutRules });
    // It dies with some of its pages written.
    const dead = await store.claim('dead', leaseMs, noon);
    if (!dead) throw new Error('there is a rebuild to claim');
    await store.write(dead, [await firstFolded(store, dead)]);
    await store.writeRatings(
      dead,
      new Map([['p0', { state: {}, matches: 1, division: null, lastRatedAt: noon }]]),
    );
    expect(
      (await rowsOf(db, { pool: 'ladder', generation: dead.generation })).every((count) => count > 0),
    ).toBe(true);
    expect(await now()).toEqual(before);

    let clock = noon + leaseMs;
    const next = replica(db, { holder: 'next', now: () => clock });
    expect(await next.work()).toBe(false);
    clock++;
    expect(await next.work()).toBe(true);

    expect(await ladder.ledger.ratings.pool('ladder')).toMatchObject({
      generation: 3,
      rules: { model: 'elo' },
    });
    expect(await rowsOf(db, { pool: 'ladder', generation: dead.generation })).toEqual([0, 0, 0]);
    expect(await next.list('ladder')).toMatchObject([{ state: 'done', generation: 3, done: 12, total: 12 }]);
  });

  it('renews its lease while a page is being written, and nobody takes over before the write has ended', async () => {
    const { db } = data();
    await ladder.season(12, random, { crowd });
    const store = new PostgresRebuilds(as('rating', db));
    await replica(db).request('ladder', withoutRules);
    const mine = await store.claim('mine', leaseMs, noon);
    if (!mine) throw new Error('there is a rebuild to claim');
    const folded = await firstFolded(store, mine);
    const progress = { done: 1, total: 12, skipped: 0 };
    await transact(as('rating', db), async (tx) => {
      await writeFolded(tx, mine, [folded]);
      expect(await store.renew(mine, 'mine', progress, leaseMs, noon)).toBe(true);
      expect(await store.claim('heir', leaseMs, noon + leaseMs + 1)).toBeNull();
    });
    expect(await store.claim('heir', leaseMs, noon + leaseMs + 1)).toMatchObject({ generation: 3 });
    expect(await rowsOf(db, { pool: 'ladder', generation: mine.generation })).toEqual([0, 0, 0]);
  });

  it.each(['events', 'write', 'finish'] as const)(
    'and comes back too late, before its "%s", cannot finish, and leaves nothing behind',
    async (step) => {
      const { db } = data();
      await ladder.season(12, random, { crowd });
      const live = await now();
      const [asleep, awake] = [signal(), signal()];
      const sleep = (): Promise<void> => {
        asleep.give();
        return awake.given;
      };
      const heard: string[] = [];
      const late = replica(db, { store: new Interrupted(db, { [step]: sleep }), holder: 'late', heard });
      await late.request('ladder', withoutRules);
      const working = late.work();
      await asleep.given;
      // Meanwhile another one has begun, and then it has finished.
      const heir = replica(db, {
        store: new Interrupted(db, { finish: () => (awake.give(), working) }),
        holder: 'heir',
        now: () => noon + leaseMs + 1,
      });
      expect(await heir.work()).toBe(true);

      expect(await working).toBe(true);
      expect(heard).toEqual(['began', 'lost its lease']);
      expect(await ladder.ledger.ratings.pool('ladder')).toMatchObject({ generation: 3 });
      expect(await now()).toEqual(live);
      expect(await rowsOf(db, { pool: 'ladder', generation: 2 })).toEqual([0, 0, 0]);
      expect(await heir.list('ladder')).toMatchObject([{ state: 'done', generation: 3, error: null }]);
    },
  );

  it('and sweeps late takes nothing from the one that took over', async () => {
    const { db } = data();
    await ladder.season(12, random, { crowd });
    const live = await now();
    await replica(db).request('ladder', withoutRules);
    // A claim is two statements; one that falls asleep between them still takes the second.
    const late = new PostgresRebuilds(as('rating', db));
    const first = await late.claim('late', leaseMs, noon);
    const sweep = (): Promise<void> => late['sweep']('ladder', first?.generation ?? 0);
    const heir = replica(db, {
      store: new Interrupted(db, { finish: sweep }),
      now: () => noon + leaseMs + 1,
    });
    expect(await heir.work()).toBe(true);

    expect(await now()).toEqual(live);
  });

  it('and is told to stop leaves the work to another', async () => {
    const { db } = data();
    await ladder.season(5, random, { crowd });
    const live = await now();
    const heard: string[] = [];
    const rebuilds = replica(db, { heard });
    await rebuilds.request('ladder', withoutRules);
    rebuilds.stop();
    expect(await rebuilds.work()).toBe(true);

    expect(heard.at(-1)).toContain('continues in another process');
    expect(await replica(db, { holder: 'other' }).work()).toBe(true);
    expect(await ladder.ledger.ratings.pool('ladder')).toMatchObject({ generation: 3 });
    expect(await now()).toEqual(live);
  });

  it('and loses the race for its last step takes that again with the same result', async () => {
    const { db } = data();
    await ladder.season(5, random, { crowd });
    class Unlucky extends PostgresRebuilds {
      override async finish(
        ...[rebuild, holder, after, voided, fold, ...rest]: Parameters<PostgresRebuilds['finish']>
      ): ReturnType<PostgresRebuilds['finish']> {
        await ladder.season(10, random, { crowd });
        // As a transaction does that Postgres asks to try again.
        const twice: typeof fold = async (events, step) => {
          await fold(events, step);
          return fold(events, step);
        };
        return super.finish(rebuild, holder, after, voided, twice, ...rest);
      }
    }
    const rebuilds = replica(db, { store: new Unlucky(db) });
    await rebuilds.request('ladder', withoutRules);
    await rebuilds.work();

    expect(await ladder.ledger.ratings.pool('ladder')).toMatchObject({ generation: 2 });
    const once = await now();
    await rebuilt(db, 'ladder');
    expect(await now()).toEqual(once);
    expect(matchIds(once).size).toBe(15);
  });

  it('needs no second connection for its last step, though the rules changed meanwhile', async () => {
    const { db } = data();
    await ladder.season(5, random, { crowd });
    const finish = async (): Promise<void> => {
      const pool = await ladder.ledger.ratings.pool('ladder');
      await ladder.ledger.pools.change(pool, pool.rules, { ...pool.calibration, drawRate: 0.2 }, 'a test');
      await ladder.season(5, random, { crowd });
    };
    const rebuilds = replica(db, { store: new Interrupted(data().connect(1), { finish }) });
    await rebuilds.request('ladder', withoutRules);
    await rebuilds.work();

    expect(await rebuilds.list('ladder')).toMatchObject([{ state: 'done', done: 10, error: null }]);
    const live = await now();
    await rebuilt(db, 'ladder');
    expect(await now()).toEqual(live);
  });
});

describe('the rules of a pool', () => {
  it('are changed by one of two who saw the same version', async () => {
    const stores = range(2).map(() => new RatingStores(as('rating', data().connect(2))));
    const { ledger } = ladder;
    for (const round of range(5)) {
      const before = await ledger.ratings.pool('ladder');
      const changes = [1, 2].map((i) => ({ ...before.rules, staleAfterDays: 10 * round + i }));

      const results = await Promise.all(
        stores.map((store, i) =>
          store.pools.change(before, changes[i] ?? before.rules, before.calibration, `by ${i}`),
        ),
      );

      const [winner, ...others] = results.filter((result) => result !== null);
      expect(others).toEqual([]);
      expect(winner).toEqual({
        ...before,
        rules: changes[results.indexOf(winner ?? null)],
        version: round + 2,
      });
      expect(await ledger.ratings.pool('ladder')).toEqual(winner);
    }
    expect(await data().db.poolVersion.count()).toBe(6);
  });

  it('are named by each line of the ledger', async () => {
    const { ledger } = ladder;
    const pool = await ledger.ratings.pool('ladder');
    await ledger.reports.rate(reported(duel), noon);
    await ledger.pools.change(pool, pool.rules, { ...pool.calibration, drawRate: 0.1 }, 'learned');
    await ledger.reports.rate(reported({ ...duel, matchId: 'm2' }), noon);

    expect((await ledger.history.of(pool, 'ann', 10)).map(({ version }) => version)).toEqual([2, 1]);
    expect(await ledger.rated.count(await ledger.ratings.pool('ladder'))).toEqual({
      matches: 2,
      underVersion: 1,
    });
  });

  it('do not change under a rebuild that has rules of its own', async () => {
    const { db } = data();
    const { ledger } = ladder;
    const pool = await ledger.ratings.pool('ladder');
    const change = (): ReturnType<typeof ledger.pools.change> =>
      ledger.pools.change(pool, { ...pool.rules, staleAfterDays: 1 }, pool.calibration, 'a test');
    // The rebuild is asked for, and that is not committed yet.
    const gate = await Gate.shut(db, { table: 'pool_rebuild', on: 'INSERT', written: true });
    const asking = replica(db).request('ladder', { model: 'elo', ...withoutRules });
    await gate.crowd();
    const changing = change();
    await blocked(db, 2, changing);
    await gate.open();
    await asking;

    expect(await changing).toBeNull();
    expect(await change()).toBeNull();
    await replica(db).work();
    expect(await change()).toBeNull();
    const after = await ledger.ratings.pool('ladder');
    expect(after).toMatchObject({ version: 2, generation: 2, rules: { model: 'elo', staleAfterDays: 30 } });
    const rules = { ...after.rules, staleAfterDays: 1 };
    expect(await ledger.pools.change(after, rules, after.calibration, 'a test')).toEqual({
      ...after,
      rules,
      version: 3,
    });
  });
});
