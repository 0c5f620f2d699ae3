import { type Db, sqlPart, type SqlPart } from '@muster/db';
import type { ReplicaHearing, ServerIdentity } from '@muster/domain';

/** A heartbeat that could not be written on arrival. */
export interface UnwrittenHeartbeat extends ServerIdentity {
  readonly at: number;
  /** The server was silent if its last heartbeat was before this time. */
  readonly silentBefore: number;
}

/**
 * By which allocator a server is heard after a heartbeat. For a minute after a gap it is the one before: what that one's
 * other servers were silent for ends with the gap.
 *
 * @param at when the heartbeat was received
 * @param before the last heartbeat, if older than this, left a gap
 */
export const heardBy = (replicaId: string | null, at: SqlPart, before: SqlPart): SqlPart => sqlPart`
  CASE WHEN heard_by IS NOT NULL AND (heartbeat_at < ${before} OR heard_since > ${at} - interval '1 minute')
    THEN heard_by ELSE ${replicaId}::text END`;

/** Since when a server is heard without a gap, after a heartbeat. */
export const heardSince = (at: SqlPart, before: SqlPart): SqlPart =>
  sqlPart`CASE WHEN heartbeat_at < ${before} THEN ${at} ELSE heard_since END`;

/** In a statement that names heartbeats `beat`. */
export const beatTimes = [sqlPart`beat.at`, sqlPart`beat.before`] as const;

/** The shared state of the allocators' hearing. */
export class PostgresHearing {
  constructor(private readonly db: Db) {}

  /**
   * Renews a replica and writes heartbeats that it received and did not write, in one statement, so that other replicas see
   * both or neither.
   *
   * @param renewed whether it had an outage: then it hears from now on. The statement detects the same from the time when the
   *   replica was last seen
   * @returns the other replicas as they were before the statement, and this replica as it is after it
   */
  async hear(
    replicaId: string,
    renewed: boolean,
    unwritten: readonly UnwrittenHeartbeat[],
    toleranceMs: number,
    now: number,
  ): Promise<ReplicaHearing[]> {
    const at = new Date(now);
    const beats = unwritten.map(({ serverId, incarnation, at: receivedAt, silentBefore }) => ({
      id: serverId,
      incarnation,
      at: new Date(receivedAt),
      before: new Date(silentBefore),
    }));
    return this.db.$sql.$queryRaw<ReplicaHearing[]>`
      WITH beat AS (
        SELECT id, incarnation, at, before
        FROM jsonb_to_recordset(${JSON.stringify(beats)}::jsonb) AS row(id text, incarnation int, at timestamptz, before timestamptz)
      ), held AS (
        -- Placements lock servers in this order, too.
        SELECT id FROM server WHERE id = ANY(${unwritten.map(({ serverId }) => serverId)}::text[])
        ORDER BY id FOR NO KEY UPDATE
      ), written AS (
        UPDATE server SET heartbeat_at = greatest(heartbeat_at, beat.at), heard_by = ${heardBy(replicaId, ...beatTimes)},
          heard_since = ${heardSince(...beatTimes)}
        FROM beat
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
      SELECT id AS "replicaId", (extract(epoch FROM seen_at) * 1000)::float8 AS "seenAt",
        (extract(epoch FROM hears_since) * 1000)::float8 AS "hearsSince"
      FROM (SELECT id, seen_at, hears_since FROM own
        UNION ALL SELECT id, seen_at, hears_since FROM allocator_replica WHERE id <> ${replicaId}) AS replica`;
  }

  /** A replica shuts down: nobody calls it any more. Rows last seen before `seenBefore` are deleted with it. */
  async forgetReplica(replicaId: string, seenBefore: number): Promise<void> {
    await this.db.$sql.$executeRaw`
      DELETE FROM allocator_replica WHERE id = ${replicaId} OR seen_at < ${new Date(seenBefore)}`;
  }
}
