import { type Db, transact } from '@muster/db';
import { type Avoided, type AvoidEntry, type AvoidStore, newestAvoiders } from '@muster/domain';

interface AroundRow {
  player_id: string;
  other: string;
  scope: string;
}

/** Avoid-lists in Postgres. */
export class PostgresAvoidStore implements AvoidStore {
  constructor(private readonly db: Db) {}

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

  async remove(playerId: string, avoidedId: string): Promise<boolean> {
    const count = await this.db.$sql.$executeRaw`
      DELETE FROM avoided_player WHERE player_id = ${playerId} AND avoided_id = ${avoidedId}`;
    return count > 0;
  }

  async list(playerId: string): Promise<AvoidEntry[]> {
    const rows = await this.db.$sql.$queryRaw<{ avoided_id: string; scope: string; since: Date }[]>`
      SELECT avoided_id, scope, since FROM avoided_player WHERE player_id = ${playerId} ORDER BY since DESC, avoided_id`;
    return rows.map(({ avoided_id, scope, since }) => ({
      playerId: avoided_id,
      scope: scopeOf(scope),
      since: since.getTime(),
    }));
  }

  async around(playerIds: readonly string[]): Promise<ReadonlyMap<string, readonly Avoided[]>> {
    const rows = await this.db.$sql.$queryRaw<AroundRow[]>`
      SELECT player_id, avoided_id AS other, scope FROM avoided_player WHERE player_id = ANY(${[...playerIds]}::text[])
      UNION ALL
      SELECT asked.player_id, newest.player_id AS other, newest.scope
      FROM unnest(${[...playerIds]}::text[]) AS asked (player_id) CROSS JOIN LATERAL (
        SELECT player_id, scope FROM avoided_player WHERE avoided_id = asked.player_id ORDER BY since DESC LIMIT ${newestAvoiders}
      ) AS newest`;
    const around = new Map<string, Avoided[]>();
    for (const { player_id, other, scope } of rows) {
      const theirs = around.get(player_id) ?? [];
      theirs.push({ playerId: other, scope: scopeOf(scope) });
      around.set(player_id, theirs);
    }
    return around;
  }
}

function scopeOf(text: string): Avoided['scope'] {
  if (text === 'team' || text === 'match') return text;
  throw new TypeError(`somebody is kept off a team or off a match, not off ${text}`);
}
