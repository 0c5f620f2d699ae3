import { beforeEach, describe, expect, it } from 'vitest';
import { RatingStores } from '../support/rating-stores.js';
import { databaseForEach, noon, range } from './fixtures.js';
import { aPool, duel, ended } from './ledger-fixtures.js';
import type { Db } from '../support/prisma.js';

const data = databaseForEach();
let db: Db;
let ledger: RatingStores;
beforeEach(async () => {
  db = data().connect(1);
  ledger = new RatingStores(db);
  await ledger.pools.create(aPool());
});

async function rate(matchId: string, teams: readonly (readonly string[])[]): Promise<void> {
  await ended(db, { ...duel, matchId, teams });
  await ledger.matches.rate(matchId, noon);
}

/** Versions of rows of ratings that were written. */
async function written(): Promise<number> {
  await db.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
  const [row] = await db.$queryRaw<{ versions: number }[]>`
    SELECT (n_tup_ins + n_tup_upd)::int AS versions FROM pg_stat_user_tables WHERE relname = 'rating'`;
  return row?.versions ?? 0;
}

describe('the ratings of the players of a match', () => {
  it('are written once when all players have one', async () => {
    const teams = [['ann'], ['bob']];
    await rate('m1', teams);
    const before = await written();
    for (const i of range(3)) await rate(`again-${i}`, teams);
    expect((await written()) - before).toBe(6);
    const { ratings } = await ledger.ratings.of('ladder', ['ann', 'bob']);
    expect([...ratings.values()].map(({ matches }) => matches)).toEqual([4, 4]);
  });

  it('are inserted for strangers among them', async () => {
    await rate('m1', [['ann'], ['bob']]);
    await rate('m2', [['ann'], ['cat']]);
    const { ratings } = await ledger.ratings.of('ladder', ['ann', 'bob', 'cat']);
    expect([...ratings].map(([id, { matches }]) => [id, matches]).toSorted()).toEqual([
      ['ann', 2],
      ['bob', 1],
      ['cat', 1],
    ]);
  });
});
