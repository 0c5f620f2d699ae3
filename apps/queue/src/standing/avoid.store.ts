import { type Db, transact } from '@muster/db';
import {
  type Avoided,
  type AvoidedByList,
  type AvoidEntry,
  grouped,
  newestAvoiders,
  oneOf,
} from '@muster/domain';
import { batched, ofAll } from './batched.store.js';

interface AroundRow {
  player_id: string;
  other: string;
  scope: string;
  place: number;
}

const scopes: readonly Avoided['scope'][] = ['team', 'match'];

/** Avoid-lists in Postgres. */
export class PostgresAvoidStore {
  private readonly loader = batched((playerIds) => this.read(playerIds));

  constructor(private readonly db: Db) {}

  /** Adds a player to a list, or changes the scope of an entry. @param limit most entries of one list */
  put(
    playerId: string,
    { playerId: avoidedId, scope }: Avoided,
    limit: number,
    now: number,
  ): Promise<'put' | 'full'> {
    return transact(this.db, async (tx) => {
      // One at a time for a player, so that two at once do not both find the last place.
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('avoided_player'), hashtext(${playerId}))`;
      const changed = await tx.$executeRaw`
        UPDATE avoided_player SET scope = ${scope} WHERE player_id = ${playerId} AND avoided_id = ${avoidedId}`;
      if (changed > 0) return 'put';
      const added = await tx.$executeRaw`
        INSERT INTO avoided_player (player_id, avoided_id, scope, since)
        SELECT ${playerId}, ${avoidedId}, ${scope}, ${new Date(now)}
        WHERE (SELECT count(*) FROM avoided_player WHERE player_id = ${playerId}) < ${limit}`;
      return added > 0 ? 'put' : 'full';
    });
  }

  /** @returns whether the player was on the list */
  async remove(playerId: string, avoidedId: string): Promise<boolean> {
    const count = await this.db.$sql.$executeRaw`
      DELETE FROM avoided_player WHERE player_id = ${playerId} AND avoided_id = ${avoidedId}`;
    return count > 0;
  }

  /** Newest first. */
  async list(playerId: string): Promise<AvoidEntry[]> {
    const rows = await this.db.$sql.$queryRaw<{ avoided_id: string; scope: string; since: Date }[]>`
      SELECT avoided_id, scope, since FROM avoided_player WHERE player_id = ${playerId} ORDER BY since DESC, avoided_id`;
    return rows.map(({ avoided_id, scope, since }) => ({
      playerId: avoided_id,
      scope: oneOf(scopes, scope),
      since: since.getTime(),
    }));
  }

  /**
   * The players whom each of these players avoids, and who avoid them: of the latter the newest only (see {@link
   * newestAvoiders}), since the others' own tickets carry it once they queue. Players without entries are missing. Those of
   * all who queue in one turn are read in one statement.
   */
  around(playerIds: readonly string[]): Promise<ReadonlyMap<string, readonly AvoidedByList[]>> {
    return ofAll(playerIds, (playerId) => this.loader.load(playerId));
  }

  private async read(playerIds: readonly string[]): Promise<ReadonlyMap<string, readonly AvoidedByList[]>> {
    const rows = await this.db.$sql.$queryRaw<AroundRow[]>`
      SELECT player_id, avoided_id AS other, scope,
        (row_number() OVER (PARTITION BY player_id ORDER BY since DESC, avoided_id) - 1)::int AS place
      FROM avoided_player WHERE player_id = ANY(${[...playerIds]}::text[])
      UNION ALL
      SELECT asked.player_id, newest.player_id AS other, newest.scope, (
        SELECT count(*)::int FROM avoided_player AS newer WHERE newer.player_id = newest.player_id
          AND (newer.since > newest.since OR (newer.since = newest.since AND newer.avoided_id < newest.avoided_id)))
      FROM unnest(${[...playerIds]}::text[]) AS asked (player_id) CROSS JOIN LATERAL (
        SELECT player_id, avoided_id, scope, since FROM avoided_player
        WHERE avoided_id = asked.player_id ORDER BY since DESC LIMIT ${newestAvoiders}
      ) AS newest`;
    const entryOf = ({ other, scope, place }: AroundRow) => ({
      playerId: other,
      scope: oneOf(scopes, scope),
      place,
    });
    const byPlayer = grouped(rows, ({ player_id }) => player_id);
    return new Map([...byPlayer].map(([playerId, theirs]) => [playerId, theirs.map(entryOf)]));
  }
}
