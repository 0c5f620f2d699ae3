import type { Db } from '@muster/db';
import type { Habits } from '@muster/domain';
import type { FactoryProvider } from '@nestjs/common';
import type { ServiceSettings } from '../core/config.js';
import { habitHash, type HashHabits } from './habit-hash.js';
import { DB, SETTINGS } from '../core/injection.js';

/**
 * Keeps the habits of players, as hashes, where their pool watches. Each service that receives results writes what they tell:
 * codes that were passed on would be stored on the way.
 */
export class HabitNotes {
  constructor(
    private readonly db: Db,
    private readonly hashed: HashHabits,
  ) {}

  /**
   * Notes what the result of a match told of its players; of a pool that does not watch nothing is kept.
   *
   * @param habits by player
   */
  async note(matchId: string, habits: Readonly<Record<string, Habits>>, now: number): Promise<void> {
    if (Object.keys(habits).length === 0) return;
    const pool = await this.watchedPoolOf(matchId);
    if (pool !== null) await this.write(pool, JSON.stringify(this.hashed(pool, habits)), new Date(now));
  }

  /** The pool of a match; null if it does not watch. */
  private async watchedPoolOf(matchId: string): Promise<string | null> {
    const [row] = await this.db.$sql.$queryRaw<{ pool: string }[]>`
      SELECT match.pool FROM match
      JOIN rating_pool ON name = match.pool
      JOIN pool_version ON pool_version.pool = name AND pool_version.version = rating_pool.version
      WHERE match.id = ${matchId} AND jsonb_typeof(pool_version.rules->'integrity') = 'object'`;
    return row?.pool ?? null;
  }

  /** Writes only what differs: most habits are told again and again. The order keeps concurrent calls from a deadlock. */
  private async write(pool: string, rows: string, at: Date): Promise<void> {
    await this.db.$sql.$executeRaw`
      INSERT INTO player_habit AS known (pool, player_id, kind, code, first_seen_at, seen_at)
      SELECT ${pool}, "playerId", kind, code, ${at}::timestamptz, ${at}::timestamptz
      FROM jsonb_to_recordset(${rows}::jsonb) AS row("playerId" text, kind text, code text) ORDER BY "playerId", kind
      ON CONFLICT (pool, player_id, kind) DO UPDATE SET code = EXCLUDED.code, seen_at = EXCLUDED.seen_at
      WHERE known.code <> EXCLUDED.code OR known.seen_at < EXCLUDED.seen_at - interval '1 day'`;
  }
}

/** For the services that receive results. */
export const habitNotes: FactoryProvider<HabitNotes> = {
  provide: HabitNotes,
  inject: [DB, SETTINGS],
  useFactory: (db: Db, { COORDINATOR_KEY }: ServiceSettings) =>
    new HabitNotes(db, habitHash(COORDINATOR_KEY)),
};
