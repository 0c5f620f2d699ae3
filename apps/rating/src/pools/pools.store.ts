import { ratingsChangedJob, writeReason } from '@muster/contracts';
import { type Db, enqueueAfterCommit, type Sql, transact } from '@muster/db';
import {
  type Calibration,
  message,
  type NewPool,
  type PoolRules,
  type RatingPool,
  type Explanation,
} from '@muster/domain';
import { readPool, unknownPool } from '../core/pool-rows.store.js';

const created = writeReason([message('pool.created')]);

/** Creates pools, changes them by version, and remembers when they were tuned. */
export class PostgresPools {
  constructor(
    private readonly db: Db,
    /** Is told that jobs wait in the outbox. */
    private readonly committed: () => void = () => undefined,
  ) {}

  /** Creates a pool; an existing one stays unchanged. */
  create(given: NewPool): Promise<{ pool: RatingPool; created: boolean }> {
    const { name, gameMode, modifiers, rules, calibration } = given;
    return transact(this.db, async (tx) => {
      const count = await tx.$executeRaw`
      INSERT INTO rating_pool (name, game_mode, modifiers) VALUES (${name}, ${gameMode}, ${[...modifiers]}::text[])
      ON CONFLICT DO NOTHING`;
      if (count === 1)
        await tx.$executeRaw`
        INSERT INTO pool_version (pool, version, rules, calibration, why, why_messages)
        VALUES (${name}, 1, ${JSON.stringify(rules)}::jsonb, ${JSON.stringify(calibration)}::jsonb, ${created.reason},
          ${JSON.stringify(created.messages)}::jsonb)`;
      return { pool: await readPool(tx, name), created: count === 1 };
    });
  }

  /**
   * Puts a new version of a pool's rules or calibration in force, if `from` is still in force and no rebuild runs.
   *
   * @returns the pool afterwards, or null when another change came first or a rebuild runs
   */
  async change(
    from: RatingPool,
    rules: PoolRules,
    calibration: Calibration,
    why: Explanation,
  ): Promise<RatingPool | null> {
    const changed = await transact(this.db, async (tx) => {
      // Locked by a separate statement: a statement that waits for a lock keeps its older snapshot.
      await tx.$executeRaw`SELECT 1 FROM rating_pool WHERE name = ${from.name} FOR UPDATE`;
      const [locked] = await tx.$queryRaw<{ version: number; running: boolean }[]>`
      SELECT version, EXISTS (SELECT FROM pool_rebuild WHERE pool = name AND state = 'running' AND pool_rebuild.rules IS NOT NULL) AS running
      FROM rating_pool WHERE name = ${from.name}`;
      if (!locked || locked.version !== from.version || locked.running) return null;
      const version = await addVersion(tx, from.name, rules, calibration, why);
      await tx.$executeRaw`UPDATE rating_pool SET version = ${version} WHERE name = ${from.name}`;
      // Time without a match may count otherwise. A calibration changes no rating.
      if (rules !== from.rules)
        await enqueueAfterCommit(tx, 'rating', [ratingsChangedJob(from.name, null, `version-${version}`)]);
      return readPool(tx, from.name);
    });
    this.committed();
    return changed;
  }

  /** Rated matches of the pool at the last tuning; null: it was never tuned. */
  async tunedAt(pool: string): Promise<number | null> {
    const [row] = await this.db.$sql.$queryRaw<{ matches: bigint }[]>`
      SELECT matches FROM pool_tuning WHERE pool = ${pool}`;
    return row ? Number(row.matches) : null;
  }

  async tuned(pool: string, matches: number, now: number): Promise<void> {
    await this.db.$sql.$executeRaw`
      INSERT INTO pool_tuning (pool, matches, tuned_at) VALUES (${pool}, ${matches}::bigint, ${new Date(now)})
      ON CONFLICT (pool) DO UPDATE SET matches = EXCLUDED.matches, tuned_at = EXCLUDED.tuned_at`;
  }
}

/** Inserts a version; it takes effect once the pool's row names it. */
export async function addVersion(
  db: Sql,
  pool: string,
  rules: PoolRules,
  calibration: Calibration,
  why: Explanation,
): Promise<number> {
  const { reason, messages } = writeReason(why);
  const [row] = await db.$queryRaw<{ version: number }[]>`
    INSERT INTO pool_version (pool, version, rules, calibration, why, why_messages)
    SELECT ${pool}, max(version) + 1, ${JSON.stringify(rules)}::jsonb, ${JSON.stringify(calibration)}::jsonb, ${reason},
      ${messages ? JSON.stringify(messages) : null}::jsonb
    FROM pool_version WHERE pool = ${pool} RETURNING version`;
  if (!row) throw unknownPool(pool);
  return row.version;
}
