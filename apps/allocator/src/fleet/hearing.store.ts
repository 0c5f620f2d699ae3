import type { ReplicaHearing, UnwrittenHeartbeat } from '@muster/domain';
import type { Db } from '@muster/db';

interface Row {
  id: string;
  seen_at: Date;
  hears_since: Date;
}

/**
 * Renews a replica and writes its pending heartbeats in one statement, so that other replicas see both or neither.
 * Returns the other replicas as they were before the statement, and this replica as it is after it.
 */
export async function hear(
  db: Db,
  replicaId: string,
  renewed: boolean,
  unwritten: readonly UnwrittenHeartbeat[],
  toleranceMs: number,
  now: number,
): Promise<ReplicaHearing[]> {
  const at = new Date(now);
  const beats = unwritten.map(({ serverId, incarnation, at: beatAt }) => ({
    id: serverId,
    incarnation,
    at: new Date(beatAt),
  }));
  const rows = await db.$sql.$queryRaw<Row[]>`
    WITH beat AS (
      SELECT id, incarnation, at FROM jsonb_to_recordset(${JSON.stringify(beats)}::jsonb) AS row(id text, incarnation int, at timestamptz)
    ), held AS (
      -- Placements lock servers in this order, too.
      SELECT id FROM server WHERE id = ANY(${unwritten.map(({ serverId }) => serverId)}::text[])
      ORDER BY id FOR NO KEY UPDATE
    ), written AS (
      UPDATE server SET heartbeat_at = greatest(heartbeat_at, beat.at) FROM beat
      WHERE server.id = ANY(ARRAY(SELECT held.id FROM held)) AND server.id = beat.id
        AND server.incarnation = beat.incarnation AND server.state IN ('ready', 'draining')
    ), own AS (
      INSERT INTO allocator_replica AS known (id, seen_at, hears_since) VALUES (${replicaId}, ${at}, ${at})
      ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, hears_since = CASE
        WHEN ${renewed} OR known.seen_at > excluded.seen_at
          OR known.seen_at < excluded.seen_at - make_interval(secs => ${toleranceMs / 1000}::float8)
        THEN excluded.seen_at ELSE known.hears_since END
      RETURNING id, seen_at, hears_since
    )
    SELECT id, seen_at, hears_since FROM own
    UNION ALL SELECT id, seen_at, hears_since FROM allocator_replica WHERE id <> ${replicaId}`;
  return rows.map(({ id, seen_at, hears_since }) => ({
    replicaId: id,
    seenAt: seen_at.getTime(),
    hearsSince: hears_since.getTime(),
  }));
}

export async function forgetReplica(db: Db, replicaId: string, seenBefore: number): Promise<void> {
  await db.$sql.$executeRaw`
    DELETE FROM allocator_replica WHERE id = ${replicaId} OR seen_at < ${new Date(seenBefore)}`;
}
