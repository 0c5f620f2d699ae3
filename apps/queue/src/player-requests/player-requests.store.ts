import type { Db } from '@muster/db';
import { oneOf, playerRequestKinds, type PlayerRequest, type PlayerRequestKind } from '@muster/domain';

interface Row {
  kind: string;
  requested_at: Date;
  done_at: Date | null;
}

/** Requests of players about their own data, in Postgres: at most one of a kind. The commands of the operator carry them out. */
export class PostgresPlayerRequests {
  constructor(private readonly db: Db) {}

  async of(playerId: string): Promise<PlayerRequest[]> {
    const rows = await this.db.$sql.$queryRaw<Row[]>`
      SELECT kind, requested_at, done_at FROM player_request WHERE player_id = ${playerId} ORDER BY kind`;
    return rows.map(({ kind, requested_at, done_at }) => ({
      kind: oneOf(playerRequestKinds, kind),
      requestedAt: requested_at.getTime(),
      doneAt: done_at?.getTime() ?? null,
    }));
  }

  /** Asks; a request that waits, or was done a short while ago, stays as it is. */
  async ask(playerId: string, kind: PlayerRequestKind, now: number): Promise<void> {
    await this.db.$sql.$executeRaw`
      INSERT INTO player_request (player_id, kind, requested_at) VALUES (${playerId}, ${kind}, ${new Date(now)})
      ON CONFLICT (player_id, kind) DO NOTHING`;
  }

  /** Withdraws a request that waits. Idempotent. */
  async withdraw(playerId: string, kind: PlayerRequestKind): Promise<void> {
    await this.db.$sql.$executeRaw`
      DELETE FROM player_request WHERE player_id = ${playerId} AND kind = ${kind} AND done_at IS NULL`;
  }

  /** Deletes requests that were done before a time, oldest first. @returns whether there may be more */
  async deleteDone(before: number, limit: number): Promise<boolean> {
    const count = await this.db.$sql.$executeRaw`
      DELETE FROM player_request WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM player_request WHERE done_at < ${new Date(before)} ORDER BY done_at LIMIT ${limit}))`;
    return count >= limit;
  }
}
