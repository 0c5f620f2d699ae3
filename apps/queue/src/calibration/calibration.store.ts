import { type Db, transact } from '@muster/db';
import { grouped } from '@muster/domain';
import { readSearch, type Search } from '@muster/skill';
import DataLoader from 'dataloader';

interface Row {
  player_id: string;
  search: unknown;
}

interface Key {
  readonly pool: string;
  readonly playerId: string;
}

/** The effect of a match on a search. `ignored`: it was counted before, or no search of this player is open. */
export type SearchMoved = 'moved' | 'concluded' | 'ignored';

/** A concluded search whose player has no rating from it yet. */
export interface ConcludedSearch extends Key {
  readonly search: Search;
}

/**
 * The calibration searches of newcomers in Postgres, one per player and pool, for good: a player who had one gets no second.
 * A search is `open`, then `concluded` by its last match, then `seeded`, or `dropped` when no rating can be set. All times are
 * milliseconds since the epoch.
 */
export class PostgresCalibrationStore {
  private readonly loader: DataLoader<Key, Search | null>;

  constructor(private readonly db: Db) {
    this.loader = new DataLoader((keys) => this.load(keys), { cache: false, maxBatchSize: 500 });
  }

  /**
   * The open searches of some players; players without one are missing. Those requested in one turn of the event loop are
   * read in one statement per pool: ratings of many tickets come in one reply (see `RatingClient`), so their searches are
   * requested together.
   */
  async open(pool: string, playerIds: readonly string[]): Promise<ReadonlyMap<string, Search>> {
    const found = await Promise.all(
      playerIds.map(async (playerId) => [playerId, await this.loader.load({ pool, playerId })] as const),
    );
    return new Map(found.flatMap(([playerId, search]) => (search ? [[playerId, search] as const] : [])));
  }

  private async load(keys: readonly Key[]): Promise<(Search | null)[]> {
    const byPool = grouped(keys, ({ pool }) => pool);
    const open = new Map(
      await Promise.all(
        [...byPool].map(async ([pool, of]) => {
          const playerIds = new Set(of.map(({ playerId }) => playerId));
          return [pool, await this.readOpen(pool, [...playerIds])] as const;
        }),
      ),
    );
    return keys.map(({ pool, playerId }) => open.get(pool)?.get(playerId) ?? null);
  }

  private async readOpen(pool: string, playerIds: readonly string[]): Promise<Map<string, Search>> {
    return byPlayer(
      await this.db.$sql.$queryRaw<Row[]>`
        SELECT player_id, search FROM calibration_search
        WHERE pool = ${pool} AND player_id = ANY(${[...playerIds]}::text[]) AND state = 'open'`,
    );
  }

  /** The searches of some players in any state; players who never had one are missing. */
  async searches(pool: string, playerIds: readonly string[]): Promise<ReadonlyMap<string, Search>> {
    return byPlayer(
      await this.db.$sql.$queryRaw<Row[]>`
        SELECT player_id, search FROM calibration_search
        WHERE pool = ${pool} AND player_id = ANY(${[...playerIds]}::text[])`,
    );
  }

  /**
   * Begins this search for each of these players who never had one in the pool. Of concurrent callers, one begins it.
   *
   * @returns the open searches afterwards, as `open` does
   */
  async begin(
    pool: string,
    playerIds: readonly string[],
    search: Search,
    now: number,
  ): Promise<ReadonlyMap<string, Search>> {
    // In the order of their ids, so that parties which share players wait for one another instead of deadlocking.
    const created = byPlayer(
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

  /**
   * Counts a match exactly once, for any repetition and order of matches. The last one concludes the search in the same
   * step.
   *
   * @param apply the search after the match; pure, since it may run again
   */
  async move(
    pool: string,
    playerId: string,
    matchId: string,
    apply: (search: Search) => Search,
    now: number,
  ): Promise<SearchMoved> {
    return transact(this.db, async (tx): Promise<SearchMoved> => {
      const [row] = await tx.$queryRaw<{ search: unknown; counted: boolean }[]>`
        SELECT search, ${matchId} = ANY(match_ids) AS counted FROM calibration_search
        WHERE pool = ${pool} AND player_id = ${playerId} AND state = 'open' FOR UPDATE`;
      if (!row || row.counted) return 'ignored';
      const search = apply(readSearch(row.search));
      const state = search.matches >= search.of ? 'concluded' : 'open';
      await tx.$executeRaw`
        UPDATE calibration_search SET search = ${JSON.stringify(search)}::jsonb, state = ${state},
          match_ids = array_append(match_ids, ${matchId}), updated_at = ${new Date(now)}
        WHERE pool = ${pool} AND player_id = ${playerId}`;
      return state === 'concluded' ? 'concluded' : 'moved';
    });
  }

  /** Searches that are concluded and neither seeded nor dropped, oldest first. */
  async concluded(limit: number): Promise<ConcludedSearch[]> {
    const rows = await this.db.$sql.$queryRaw<(Row & { pool: string })[]>`
      SELECT pool, player_id, search FROM calibration_search WHERE state = 'concluded' ORDER BY updated_at LIMIT ${limit}`;
    return rows.map(({ pool, player_id, search }) => ({
      pool,
      playerId: player_id,
      search: readSearch(search),
    }));
  }

  /** Marks a search as seeded. No effect unless it is concluded. */
  seeded(pool: string, playerId: string, now: number): Promise<void> {
    return this.end(pool, playerId, 'seeded', now);
  }

  /** Marks a search as dropped. No effect unless it is concluded. */
  dropped(pool: string, playerId: string, now: number): Promise<void> {
    return this.end(pool, playerId, 'dropped', now);
  }

  private async end(pool: string, playerId: string, state: string, now: number): Promise<void> {
    await this.db.$sql.$executeRaw`
      UPDATE calibration_search SET state = ${state}, updated_at = ${new Date(now)}
      WHERE pool = ${pool} AND player_id = ${playerId} AND state = 'concluded'`;
  }
}

function byPlayer(rows: readonly Row[]): Map<string, Search> {
  return new Map(rows.map(({ player_id, search }) => [player_id, readSearch(search)]));
}
