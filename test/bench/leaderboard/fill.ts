import type { Stack } from '../../support/stack.js';
import { createDb } from '../../support/prisma.js';

/** The pool of the benchmark. */
export const pool = 'ranks';

/** The id of the n-th player, from 0. */
export const playerOf = (n: number): string => `player-${n}`;

/** Ratings that one statement inserts. */
const atOnce = 100_000;

/**
 * Fills a pool with ratings as if all players had played: means around 25, with equal ones among them, three regions and names.
 */
export async function fillPool(stack: Stack, players: number): Promise<void> {
  await stack.operator.createPool({ name: pool, shadowMatches: 1, staleAfterDays: 3_650 });
  await stack.operator.reportMatch({ eventId: 'first', pool, teams: [['first'], ['second']], ranks: [1, 2] });
  const db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
  try {
    for (let from = 0; from < players; from += atOnce)
      await db.$executeRaw`
        INSERT INTO rating (pool, generation, player_id, state, matches, division, last_rated_at, region, updated_at)
        SELECT pool, generation, 'player-' || i,
          jsonb_set(state, '{mu}', to_jsonb(round((10 + 30 * ((i::bigint * 7919) % 1000003) / 1000003.0)::numeric, 4))),
          1 + i % 200, NULL, last_rated_at, (ARRAY['eu', 'us', 'asia'])[1 + i % 3], now()
        FROM rating, generate_series(${from}::int, ${Math.min(players, from + atOnce) - 1}::int) AS i
        WHERE pool = ${pool} AND player_id = 'first'`;
    await db.$executeRaw`
      INSERT INTO player_name (player_id, name, seen_at)
      SELECT 'player-' || i, 'Name ' || i, now() FROM generate_series(0, ${players - 1}::int) AS i`;
    await db.$executeRawUnsafe('VACUUM ANALYZE rating');
    await db.$executeRawUnsafe('VACUUM ANALYZE player_name');
  } finally {
    await db.$disconnect();
  }
}
