import { PostgresCalibrationStore } from '../../apps/queue/src/calibration/calibration.store.js';
import { beginSearch, conclude, readSearch, searchAfter, type Search } from '@muster/skill';
import { describe, expect, it } from 'vitest';
import { Gate } from '../support/gate.js';
import { databaseForEach, noon, range } from './fixtures.js';
import { as } from '../support/database.js';
import type { Db } from '../support/prisma.js';

const data = databaseForEach();

const pool = 'duel';
const fresh = beginSearch({ from: 0, to: 50, matches: 3 });
const won = (search: Search): Search => searchAfter(search, 1);

const storeOn = (db: Db): PostgresCalibrationStore => new PostgresCalibrationStore(as('queue', db));

/** Stores as so many processes would have them. */
const processes = (count: number): PostgresCalibrationStore[] =>
  range(count).map(() => storeOn(data().connect(1)));

async function rowOf(playerId: string): Promise<{ state: string; matchIds: string[]; search: Search }> {
  const { state, matchIds, search } = await data().db.calibrationSearch.findUniqueOrThrow({
    where: { pool_playerId: { pool, playerId } },
  });
  return { state, matchIds, search: readSearch(search) };
}

describe('R3 beginning a search', () => {
  it('is open as it was begun, to the bit', async () => {
    const store = storeOn(data().db);
    const third = beginSearch({ from: -0.1, to: 100 / 3, matches: 7 });
    expect(await store.begin(pool, ['ann', 'bob'], third, noon)).toEqual(
      new Map([
        ['ann', third],
        ['bob', third],
      ]),
    );
    expect(await store.open(pool, ['bob', 'nobody'])).toEqual(new Map([['bob', third]]));
    expect(await store.open('ladder', ['ann'])).toEqual(new Map());
    expect(await store.open(pool, [])).toEqual(new Map());
  });

  it('is found with whatever became of it, of this pool alone', async () => {
    const store = storeOn(data().db);
    await store.begin(pool, ['ann', 'bob'], { ...fresh, of: 1 }, noon);
    await store.move(pool, 'bob', 'm1', won, noon);
    await store.seeded(pool, 'bob', noon);
    await store.begin('ladder', ['cid'], fresh, noon);
    const found = await store.searches(pool, ['bob', 'ann', 'cid', 'nobody']);
    expect([...found.keys()].toSorted()).toEqual(['ann', 'bob']);
    expect(found.get('bob')?.matches).toBe(1);
    expect(await store.searches(pool, [])).toEqual(new Map());
  });

  it('leaves one that is there alone, and says how it stands', async () => {
    const store = storeOn(data().db);
    await store.begin(pool, ['ann'], fresh, noon);
    await store.move(pool, 'ann', 'm1', won, noon);
    const other = beginSearch({ from: 900, to: 2_100, matches: 5 });
    expect(await store.begin(pool, ['bob', 'ann'], other, noon)).toEqual(
      new Map([
        ['bob', other],
        ['ann', won(fresh)],
      ]),
    );
  });

  it('begins no second one for whoever has had theirs', async () => {
    const store = storeOn(data().db);
    await store.begin(pool, ['ann'], { ...fresh, of: 1 }, noon);
    await store.move(pool, 'ann', 'm1', won, noon);
    expect(await store.begin(pool, ['ann'], fresh, noon)).toEqual(new Map());
    await store.seeded(pool, 'ann', noon);
    expect(await store.begin(pool, ['ann'], fresh, noon)).toEqual(new Map());
    expect(await rowOf('ann')).toMatchObject({ state: 'seeded', matchIds: ['m1'] });
  });

  it('is one search however many begin it at once, and all see that one', async () => {
    const searches = range(10).map((i) => beginSearch({ from: 0, to: 50 + i, matches: 3 }));
    const begun = await Promise.all(
      // Parties that share players, each named in another order.
      processes(10).map((store, i) =>
        store.begin(pool, i % 2 ? ['ann', 'bob'] : ['bob', 'ann'], searches[i] ?? fresh, noon),
      ),
    );
    for (const playerId of ['ann', 'bob']) {
      const { search } = await rowOf(playerId);
      expect(begun.map((each) => each.get(playerId))).toEqual(range(10).map(() => search));
    }
    expect(await data().deadlocks()).toBe(0);
  });

  it('sees what another was writing when it began', async () => {
    const [one, two] = processes(2);
    const gate = await Gate.shut(data().db, {
      table: 'calibration_search',
      on: 'INSERT',
      written: true,
      when: `NEW.search->>'of' = '3'`,
    });
    const first = one?.begin(pool, ['ann'], fresh, noon);
    await gate.crowd();
    const second = two?.begin(pool, ['ann'], { ...fresh, of: 9 }, noon);
    await gate.open();
    expect(await first).toEqual(new Map([['ann', fresh]]));
    expect(await second).toEqual(new Map([['ann', fresh]]));
  });
});

describe('R3 a match moves a search', () => {
  it('by what it is told, in every order, each match once', async () => {
    const store = storeOn(data().db);
    await store.begin(pool, ['ann', 'bob'], fresh, noon);
    const said = [];
    for (const matchId of ['m2', 'm1', 'm2', 'm1'])
      said.push(await store.move(pool, 'ann', matchId, won, noon));
    expect(said).toEqual(['moved', 'moved', 'ignored', 'ignored']);
    expect(await rowOf('ann')).toEqual({ state: 'open', matchIds: ['m2', 'm1'], search: won(won(fresh)) });
    expect((await rowOf('bob')).search).toEqual(fresh);
    expect(await store.move(pool, 'nobody', 'm1', won, noon)).toBe('ignored');
  });

  it('once, however many count it at the same time', async () => {
    const stores = processes(10);
    await stores[0]?.begin(pool, ['ann'], fresh, noon);
    const said = await Promise.all(stores.map((store) => store.move(pool, 'ann', 'm1', won, noon)));
    expect(said.toSorted()).toEqual([...range(9).map(() => 'ignored'), 'moved']);
    expect(await rowOf('ann')).toEqual({ state: 'open', matchIds: ['m1'], search: won(fresh) });
  });

  it('and no match is lost of many that come at the same time; one of them is the last', async () => {
    const stores = processes(10);
    await stores[0]?.begin(pool, ['ann'], { ...fresh, of: 10 }, noon);
    const said = await Promise.all(
      stores.flatMap((store, i) => [
        store.move(pool, 'ann', `m${i}`, won, noon),
        store.move(pool, 'ann', `m${(i + 5) % 10}`, won, noon),
      ]),
    );
    expect(said.filter((each) => each === 'moved')).toHaveLength(9);
    expect(said.filter((each) => each === 'concluded')).toHaveLength(1);
    const { state, matchIds, search } = await rowOf('ann');
    expect(state).toBe('concluded');
    expect(matchIds.toSorted()).toEqual(range(10).map((i) => `m${i}`));
    expect(search).toMatchObject({ matches: 10, wins: 10 });
    expect(search.record).toHaveLength(10);
  });

  it('not at all when what is made of it fails', async () => {
    const store = storeOn(data().db);
    await store.begin(pool, ['ann'], fresh, noon);
    const fails = store.move(
      pool,
      'ann',
      'm1',
      () => {
        throw new Error('no such outcome');
      },
      noon,
    );
    await expect(fails).rejects.toThrow('no such outcome');
    expect(await rowOf('ann')).toEqual({ state: 'open', matchIds: [], search: fresh });
    expect(await store.move(pool, 'ann', 'm1', won, noon)).toBe('moved');
  });
});

describe('R3 the end of a search', () => {
  const concludeAll = async (store: PostgresCalibrationStore, ...playerIds: string[]): Promise<void> => {
    await store.begin(pool, playerIds, { ...fresh, of: 1 }, noon);
    for (const [i, playerId] of playerIds.entries())
      await store.move(pool, playerId, 'm1', won, noon + 1_000 * (playerIds.length - i));
  };

  it('is told longest ago first, until it is seeded or dropped', async () => {
    const store = storeOn(data().db);
    await concludeAll(store, 'ann', 'bob', 'cid');
    await store.begin(pool, ['dan'], fresh, noon);
    const waiting = async (limit = 9): Promise<string[]> =>
      (await store.concluded(limit)).map(({ playerId }) => playerId);
    expect(await waiting()).toEqual(['cid', 'bob', 'ann']);
    expect(await waiting(1)).toEqual(['cid']);
    await store.seeded(pool, 'cid', noon);
    await store.dropped(pool, 'bob', noon);
    expect(await waiting()).toEqual(['ann']);
    const [ann] = await store.concluded(1);
    expect(ann && conclude(ann.search)).toEqual(conclude(won({ ...fresh, of: 1 })));
  });

  it('comes after the last match alone, and once', async () => {
    const store = storeOn(data().db);
    await store.begin(pool, ['ann'], fresh, noon);
    await store.seeded(pool, 'ann', noon);
    await store.dropped(pool, 'ann', noon);
    expect((await rowOf('ann')).state).toBe('open');
    await concludeAll(store, 'bob');
    await store.seeded(pool, 'bob', noon);
    await store.dropped(pool, 'bob', noon);
    expect((await rowOf('bob')).state).toBe('seeded');
    expect(await store.move(pool, 'bob', 'm2', won, noon)).toBe('ignored');
  });

  it('is of a kind that the database knows', async () => {
    const { db } = data();
    await concludeAll(storeOn(db), 'ann');
    await expect(db.$executeRaw`UPDATE calibration_search SET state = 'lost'`).rejects.toThrow(
      'calibration_search_state_known',
    );
  });
});
