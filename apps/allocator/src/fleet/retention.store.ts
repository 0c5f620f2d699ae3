import { type Db, type Sql, transact } from '@muster/db';
import { deleteAllocations } from '../hosting/claims.store.js';
import { countFreedSlots } from '../slots/counts.store.js';

/** Retention limits, in milliseconds since the epoch. */
export interface Retention {
  /** Servers that are lost or have left and were last heard before this. */
  readonly servers: number;
  /** Sessions that closed before this, with their commands, reports, conflicts and backfills. */
  readonly sessions: number;
}

/** An arbitrary key that all allocators share. It excludes registrations while servers are deleted. */
const retentionLock = 7_267_002;

/** The first incarnation of an unknown server. No token of a deleted server carries it. */
export async function firstIncarnation(tx: Sql): Promise<number> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(${retentionLock})`;
  const [row] = await tx.$queryRaw<
    { first: number }[]
  >`SELECT last_value::int AS first FROM server_incarnation`;
  return row?.first ?? 1;
}

/** Deletes what is past retention. */
export class FleetRetention {
  constructor(private readonly db: Db) {}

  /**
   * Deletes rows past retention, oldest first, one batch of each kind. Several replicas may run it at once.
   *
   * The rows are named by `= ANY (ARRAY …)`: the planner estimates an `IN` of a parameterised limit as a tenth of the
   * table and scans it.
   *
   * @param limit rows of each kind
   * @returns whether more may be due
   */
  async forget(before: Retention, limit: number): Promise<boolean> {
    // Placements count them; there may be none for long.
    await countFreedSlots(this.db);
    const counts = [
      await deleteServers(this.db, new Date(before.servers), limit),
      await deleteSessions(this.db, new Date(before.sessions), limit),
      await deleteCommands(this.db, new Date(before.sessions), limit),
      await deleteBackfills(this.db, new Date(before.sessions), limit),
      await deleteConflicts(this.db, new Date(before.sessions), limit),
      await deleteAllocations(this.db.$sql, new Date(before.servers), limit),
    ];
    return counts.some((count) => count >= limit);
  }
}

/**
 * Deletes servers that are gone, with their commands and the slots written by an older version. These rows are deleted
 * first, in batches of their own: one server may have many.
 */
function deleteServers(db: Db, before: Date, limit: number): Promise<number> {
  return transact(db, async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${retentionLock})`;
    const gone = await tx.$queryRaw<{ id: string; incarnation: number }[]>`
      SELECT id, incarnation FROM server WHERE state IN ('lost', 'left') AND heartbeat_at < ${before}
      ORDER BY heartbeat_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
    if (gone.length === 0) return 0;
    const ids = gone.map(({ id }) => id);
    const commands = await tx.$executeRaw`
      DELETE FROM command WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM command WHERE server_id = ANY(${ids}::text[]) LIMIT ${limit}))`;
    const slots = await tx.$executeRaw`
      DELETE FROM slot WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM slot WHERE server_id = ANY(${ids}::text[]) LIMIT ${limit}))`;
    if (commands >= limit || slots >= limit) return limit;
    const next = Math.max(...gone.map(({ incarnation }) => incarnation)) + 1;
    await tx.$executeRaw`
      SELECT setval('server_incarnation', greatest(last_value, ${next}::bigint)) FROM server_incarnation`;
    return tx.$executeRaw`DELETE FROM server WHERE id = ANY(${ids}::text[])`;
  });
}

/** Deletes closed sessions with the reports of their results. The match row keeps the outcome. */
function deleteSessions(db: Db, before: Date, limit: number): Promise<number> {
  return transact(db, async (tx) => {
    const old = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM session WHERE closed_at < ${before} ORDER BY closed_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
    if (old.length === 0) return 0;
    const ids = old.map(({ id }) => id);
    await tx.$executeRaw`DELETE FROM result WHERE session_id = ANY(${ids}::text[])`;
    return tx.$executeRaw`DELETE FROM session WHERE id = ANY(${ids}::text[])`;
  });
}

function deleteCommands(db: Db, before: Date, limit: number): Promise<number> {
  return db.$sql.$executeRaw`
    DELETE FROM command WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM command WHERE created_at < ${before} ORDER BY created_at LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
}

function deleteBackfills(db: Db, before: Date, limit: number): Promise<number> {
  return db.$sql.$executeRaw`
    DELETE FROM backfill WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM backfill WHERE state IN ('filled', 'withdrawn', 'expired') AND expires_at < ${before}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
}

/** Ids ascend by insertion, so the oldest are read first and the cost does not depend on the number of rows. */
function deleteConflicts(db: Db, before: Date, limit: number): Promise<number> {
  return db.$sql.$executeRaw`
    DELETE FROM result_conflict WHERE id = ANY(ARRAY(
      SELECT id FROM (SELECT id, received_at FROM result_conflict ORDER BY id LIMIT ${limit}) AS oldest
      WHERE received_at < ${before}))`;
}
