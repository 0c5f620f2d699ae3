import type { Db } from '@muster/db';
import type { Clock } from '@muster/domain';

/** The last display names of players. Ids identify; names are for people. */
export class PostgresPlayerNames {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
  ) {}

  /** @returns the names that are known, by player */
  async of(playerIds: readonly string[]): Promise<Map<string, string>> {
    if (playerIds.length === 0) return new Map();
    const rows = await this.db.$sql.$queryRaw<{ player_id: string; name: string }[]>`
      SELECT player_id, name FROM player_name WHERE player_id = ANY(${[...playerIds]}::text[])`;
    return new Map(rows.map(({ player_id: playerId, name }) => [playerId, name]));
  }

  /** Deletes names that were last told before a time, oldest first. @returns whether there may be more */
  async deleteUnseen(before: number, limit: number): Promise<boolean> {
    const count = await this.db.$sql.$executeRaw`
      DELETE FROM player_name WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM player_name WHERE seen_at < ${new Date(before)} ORDER BY seen_at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED))`;
    return count >= limit;
  }

  /** Stores names as the last ones seen. Writes only what differs: most names are told again and again. */
  async note(names: ReadonlyMap<string, string>): Promise<void> {
    if (names.size === 0) return;
    const rows = [...names].map(([playerId, name]) => ({ player_id: playerId, name }));
    await this.db.$sql.$executeRaw`
      INSERT INTO player_name AS known (player_id, name, seen_at)
      SELECT player_id, name, ${new Date(this.clock.now())}::timestamptz
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row(player_id text, name text) ORDER BY player_id
      ON CONFLICT (player_id) DO UPDATE SET name = EXCLUDED.name, seen_at = EXCLUDED.seen_at
      WHERE known.name <> EXCLUDED.name OR known.seen_at < EXCLUDED.seen_at - interval '1 day'`;
  }
}
