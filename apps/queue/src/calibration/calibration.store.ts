import { type Db, transact } from '@muster/db';
import type { CalibrationStore, ConcludedSearch, LevelSearch, SearchMoved } from '@muster/domain';

interface Row {
  player_id: string;
  search: unknown;
}

/** Calibration searches in Postgres. */
export class PostgresCalibrationStore<S extends LevelSearch> implements CalibrationStore<S> {
  /** @param read parses a search from JSON, and throws when it is invalid */
  constructor(
    private readonly db: Db,
    private readonly read: (json: unknown) => S,
  ) {}

  async open(pool: string, playerIds: readonly string[]): Promise<ReadonlyMap<string, S>> {
    return this.byPlayer(
      await this.db.$sql.$queryRaw<Row[]>`
        SELECT player_id, search FROM calibration_search
        WHERE pool = ${pool} AND player_id = ANY(${[...playerIds]}::text[]) AND state = 'open'`,
    );
  }

  async searches(pool: string, playerIds: readonly string[]): Promise<ReadonlyMap<string, S>> {
    return this.byPlayer(
      await this.db.$sql.$queryRaw<Row[]>`
        SELECT player_id, search FROM calibration_search
        WHERE pool = ${pool} AND player_id = ANY(${[...playerIds]}::text[])`,
    );
  }

  async begin(
    pool: string,
    playerIds: readonly string[],
    search: S,
    now: number,
  ): Promise<ReadonlyMap<string, S>> {
    // In the order of their ids, so that parties which share players wait for one another instead of deadlocking.
    const created = this.byPlayer(
      await this.db.$sql.$queryRaw<Row[]>`
        INSERT INTO calibration_search (pool, player_id, search, match_ids, state, updated_at)
        SELECT ${pool}, player_id, ${JSON.stringify(search)}::jsonb, '{}', 'open', ${new Date(now)}
        FROM unnest(${[...playerIds]}::text[]) AS player_id ORDER BY player_id
        ON CONFLICT DO NOTHING RETURNING player_id, search`,
    );
    const others = playerIds.filter((playerId) => !created.has(playerId));
    // Another transaction began these searches. A separate statement reads them: the snapshot of the first one is older.
    return others.length === 0 ? created : new Map([...created, ...(await this.open(pool, others))]);
  }

  async move(
    pool: string,
    playerId: string,
    matchId: string,
    apply: (search: S) => S,
    now: number,
  ): Promise<SearchMoved> {
    return transact(this.db, async (tx): Promise<SearchMoved> => {
      const [row] = await tx.$queryRaw<{ search: unknown; counted: boolean }[]>`
        SELECT search, ${matchId} = ANY(match_ids) AS counted FROM calibration_search
        WHERE pool = ${pool} AND player_id = ${playerId} AND state = 'open' FOR UPDATE`;
      if (!row || row.counted) return 'ignored';
      const search = apply(this.read(row.search));
      const state = search.matches >= search.of ? 'concluded' : 'open';
      await tx.$executeRaw`
        UPDATE calibration_search SET search = ${JSON.stringify(search)}::jsonb, state = ${state},
          match_ids = array_append(match_ids, ${matchId}), updated_at = ${new Date(now)}
        WHERE pool = ${pool} AND player_id = ${playerId}`;
      return state === 'concluded' ? 'concluded' : 'moved';
    });
  }

  async concluded(limit: number): Promise<ConcludedSearch<S>[]> {
    const rows = await this.db.$sql.$queryRaw<(Row & { pool: string })[]>`
      SELECT pool, player_id, search FROM calibration_search WHERE state = 'concluded' ORDER BY updated_at LIMIT ${limit}`;
    return rows.map(({ pool, player_id, search }) => ({
      pool,
      playerId: player_id,
      search: this.read(search),
    }));
  }

  seeded(pool: string, playerId: string, now: number): Promise<void> {
    return this.end(pool, playerId, 'seeded', now);
  }

  dropped(pool: string, playerId: string, now: number): Promise<void> {
    return this.end(pool, playerId, 'dropped', now);
  }

  private async end(pool: string, playerId: string, state: string, now: number): Promise<void> {
    await this.db.$sql.$executeRaw`
      UPDATE calibration_search SET state = ${state}, updated_at = ${new Date(now)}
      WHERE pool = ${pool} AND player_id = ${playerId} AND state = 'concluded'`;
  }

  private byPlayer(rows: readonly Row[]): Map<string, S> {
    return new Map(rows.map(({ player_id, search }) => [player_id, this.read(search)]));
  }
}
