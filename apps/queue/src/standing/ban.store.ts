import type { Db } from '@muster/db';
import { grouped, type Ban } from '@muster/domain';
import { batched, ofAll } from './batched.store.js';

interface Row {
  player_id: string;
  reason: string;
  since: Date;
  until: Date;
  by: string;
}

/** Bans in Postgres: at most one of a player. */
export class PostgresBans {
  private readonly loader = batched((playerIds) => this.read(playerIds));

  constructor(private readonly db: Db) {}

  /** Also bans that are over. Those of all who queue in one turn are read in one statement. */
  async of(playerIds: readonly string[]): Promise<Ban[]> {
    return [...(await ofAll(playerIds, (playerId) => this.loader.load(playerId))).values()].flat();
  }

  private async read(playerIds: readonly string[]): Promise<ReadonlyMap<string, readonly Ban[]>> {
    const rows = await this.db.$sql.$queryRaw<Row[]>`
      SELECT * FROM player_ban WHERE player_id = ANY(${[...playerIds]}::text[])`;
    return grouped(rows.map(banOf), ({ playerId }) => playerId);
  }

  /** Replaces the ban of the player. One that goes on keeps the time since when. */
  async put({ playerId, reason, since, until, by }: Ban): Promise<void> {
    await this.db.$sql.$executeRaw`
      INSERT INTO player_ban AS known (player_id, reason, since, until, by)
      VALUES (${playerId}, ${reason}, ${new Date(since)}, ${new Date(until)}, ${by})
      ON CONFLICT (player_id) DO UPDATE SET reason = EXCLUDED.reason, until = EXCLUDED.until, by = EXCLUDED.by,
        since = CASE WHEN known.until > EXCLUDED.since THEN known.since ELSE EXCLUDED.since END`;
  }

  /** @returns whether there was one */
  async lift(playerId: string): Promise<boolean> {
    const count = await this.db.$sql.$executeRaw`DELETE FROM player_ban WHERE player_id = ${playerId}`;
    return count > 0;
  }

  /** Bans that end after a time, in the order of players. @param after the last player of the page before */
  async list(endingAfter: number, after: string, limit: number): Promise<Ban[]> {
    const rows = await this.db.$sql.$queryRaw<Row[]>`
      SELECT * FROM player_ban WHERE player_id > ${after} AND until > ${new Date(endingAfter)} ORDER BY player_id LIMIT ${limit}`;
    return rows.map(banOf);
  }

  /** Bans that began at a time or later. */
  async begunSince(time: number, limit: number): Promise<Ban[]> {
    const rows = await this.db.$sql.$queryRaw<Row[]>`
      SELECT * FROM player_ban WHERE since >= ${new Date(time)} ORDER BY since LIMIT ${limit}`;
    return rows.map(banOf);
  }

  /** Deletes bans that ended before a time, oldest first. @returns whether there may be more */
  async deleteOver(before: number, limit: number): Promise<boolean> {
    const count = await this.db.$sql.$executeRaw`
      DELETE FROM player_ban WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM player_ban WHERE until < ${new Date(before)} ORDER BY until LIMIT ${limit}))`;
    return count >= limit;
  }
}

function banOf({ player_id, reason, since, until, by }: Row): Ban {
  return { playerId: player_id, reason, since: since.getTime(), until: until.getTime(), by };
}
