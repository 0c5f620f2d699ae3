import type { Db } from '@muster/db';

/** What was compared. */
export interface LedgerCheck {
  readonly ratings: number;
  readonly changes: number;
}

/**
 * Checks that every rating in force is what the last change of the ledger left, and that each change begins with what
 * the one before left. Reads the whole ledger.
 *
 * @throws Error with the first players whose ratings differ
 */
export async function checkLedger(db: Db): Promise<LedgerCheck> {
  const broken = await db.$sql.$queryRaw<{ player: string; pool: string }[]>`
    WITH chain AS (
      SELECT change.pool, change.player_id, change.sequence, change.before, change.after,
        lag(change.after) OVER player AS earlier, lead(change.sequence) OVER player IS NULL AS is_last
      FROM rating_change AS change JOIN rating_pool AS pool ON pool.name = change.pool AND pool.generation = change.generation
      WINDOW player AS (PARTITION BY change.pool, change.player_id ORDER BY change.sequence))
    SELECT chain.player_id AS player, chain.pool FROM chain
    LEFT JOIN rating_pool ON rating_pool.name = chain.pool
    LEFT JOIN rating ON rating.pool = chain.pool AND rating.generation = rating_pool.generation
      AND rating.player_id = chain.player_id
    WHERE earlier <> before OR (is_last AND rating.state IS DISTINCT FROM chain.after) LIMIT 5`;
  if (broken.length > 0) {
    const players = broken.map(({ player, pool }) => `${player} in ${pool}`).join(', ');
    throw new Error(
      `The ledger does not lead to the ratings of ${players}. The rows are restored; "muster pools rebuild" makes ratings of the ledger.`,
    );
  }
  const [found] = await db.$sql.$queryRaw<LedgerCheck[]>`
    SELECT (SELECT count(*)::int FROM rating JOIN rating_pool ON name = rating.pool AND rating_pool.generation = rating.generation) AS ratings,
      (SELECT count(*)::int FROM rating_change AS change JOIN rating_pool AS pool ON pool.name = change.pool AND pool.generation = change.generation) AS changes`;
  return found ?? { ratings: 0, changes: 0 };
}
