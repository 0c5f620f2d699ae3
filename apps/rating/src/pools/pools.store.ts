import { ratingsChangedJob, writeReason } from '@muster/contracts';
import { type Db, enqueueAfterCommit, type Sql, transact } from '@muster/db';
import {
  type Calibration,
  message,
  type NewPool,
  type PoolRules,
  type RatingPool,
  type Explanation,
  type Season,
  UnknownPool,
} from '@muster/domain';

/** A pool's row with the rules and the calibration of its version. */
export interface PoolRow {
  name: string;
  game_mode: string | null;
  modifiers: string[];
  version: number;
  generation: number;
  rules: unknown;
  calibration: unknown;
  seasons: unknown;
}

export function asPool(row: PoolRow): RatingPool {
  const { name, modifiers, version, generation } = row;
  return {
    name,
    gameMode: row.game_mode,
    modifiers,
    // Only this file writes the column, from values of these types.
    rules: row.rules as PoolRules,
    calibration: row.calibration as Calibration,
    version,
    generation,
    ...(Array.isArray(row.seasons) && row.seasons.length > 0 ? { seasons: row.seasons as Season[] } : {}),
  };
}

export function unknownPool(name: string): UnknownPool {
  return new UnknownPool(`There is no rating pool "${name}". An operator can create it: POST /v1/pools.`, {
    pool: name,
  });
}

export async function readPools(db: Sql): Promise<RatingPool[]> {
  const rows = await db.$queryRaw<PoolRow[]>`
    SELECT name, game_mode, modifiers, rating_pool.version, generation, rules, calibration, seasons
    FROM rating_pool JOIN pool_version ON pool = name AND pool_version.version = rating_pool.version ORDER BY name`;
  return rows.map(asPool);
}

export async function readPool(db: Sql, name: string): Promise<RatingPool> {
  const [row] = await db.$queryRaw<PoolRow[]>`
    SELECT name, game_mode, modifiers, rating_pool.version, generation, rules, calibration, seasons
    FROM rating_pool JOIN pool_version ON pool = name AND pool_version.version = rating_pool.version WHERE name = ${name}`;
  if (!row) throw unknownPool(name);
  return asPool(row);
}

/** A pool as it was, or will be, under a version of its rules. @throws UnknownPool */
export async function readPoolVersion(db: Sql, name: string, version: number): Promise<RatingPool> {
  const [row] = await db.$queryRaw<PoolRow[]>`
    SELECT name, game_mode, modifiers, pool_version.version, generation, rules, calibration, seasons
    FROM rating_pool JOIN pool_version ON pool = name AND pool_version.version = ${version} WHERE name = ${name}`;
  if (!row) throw unknownPool(name);
  return asPool(row);
}

export function createPool(db: Db, given: NewPool): Promise<{ pool: RatingPool; created: boolean }> {
  const { name, gameMode, modifiers, rules, calibration } = given;
  return transact(db, async (tx) => {
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

export function changePool(
  db: Db,
  from: RatingPool,
  rules: PoolRules,
  calibration: Calibration,
  why: Explanation,
): Promise<RatingPool | null> {
  return transact(db, async (tx) => {
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
}

const created = writeReason([message('pool.created')]);

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
