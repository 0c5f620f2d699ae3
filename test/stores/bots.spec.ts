import { PostgresBots } from '../../apps/rating/src/line-protocol/bots.store.js';
import { RatingStores } from '../support/rating-stores.js';
import { botId } from '@muster/domain';
import { beforeEach, describe, expect, it } from 'vitest';
import { databaseForEach } from './fixtures.js';
import { aPool } from './ledger-fixtures.js';
import { as } from '../support/database.js';

const data = databaseForEach();
let ledger: RatingStores;
let bots: PostgresBots;
beforeEach(() => {
  ledger = new RatingStores(as('rating', data().db));
  bots = new PostgresBots(as('rating', data().db));
});

/** A row of some earlier match. */
async function hold(pool: string, playerId: string, generation = 1): Promise<void> {
  await data().db.rating.create({
    data: { pool, generation, playerId, state: { of: playerId }, matches: 3, updatedAt: new Date(0) },
  });
}

describe('the bots of a pool', () => {
  it('are its ratings with bot ids, of the generation in force', async () => {
    const { pool } = await ledger.pools.create(aPool('ctf'));
    await ledger.pools.create(aPool('dm'));
    for (const id of ['ann', 'bot', 'bots:x', 'Bot:y', botId('Loque'), botId('Skaarj Lord')])
      await hold('ctf', id);
    await hold('dm', botId('Xan'));
    await hold('ctf', botId('Old'), 2);

    const found = await bots.of(pool, 10);
    expect([...found.keys()].toSorted()).toEqual(['bot:Loque', 'bot:Skaarj_Lord']);
    expect(found.get('bot:Loque')).toEqual({
      state: { of: 'bot:Loque' },
      matches: 3,
      division: null,
      lastRatedAt: null,
    });
    expect((await bots.of(pool, 1)).size).toBe(1);
  });

  it('are found without reading all ratings', async () => {
    const { db } = data();
    await ledger.pools.create(aPool('ctf'));
    await db.$executeRaw`
      INSERT INTO rating (pool, generation, player_id, state, matches, updated_at)
      SELECT 'ctf', 1, CASE WHEN i % 1000 = 0 THEN 'bot:' ELSE 'p' END || i, '{}', 1, now() FROM generate_series(1, 20000) AS i`;
    await db.$executeRaw`ANALYZE rating`;
    // With a linguistic collation, the primary key does not support prefix searches.
    await db.$executeRaw`ALTER TABLE rating DROP CONSTRAINT rating_pkey`;
    const plan = await db.$queryRaw<Record<string, string>[]>`
      EXPLAIN SELECT player_id, state FROM rating
      WHERE pool = ${'ctf'} AND generation = ${1} AND player_id LIKE 'bot:%' LIMIT ${100}`;
    expect(plan.map((row) => Object.values(row).join(' ')).join('\n')).toContain('rating_bots_idx');
  });
});
