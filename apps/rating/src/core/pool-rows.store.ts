import type { Sql } from '@muster/db';
import { type Calibration, type PoolRules, type RatingPool, type Season, UnknownPool } from '@muster/domain';

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
    // Only this service writes the columns, from values of these types.
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

/** @throws UnknownPool */
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
