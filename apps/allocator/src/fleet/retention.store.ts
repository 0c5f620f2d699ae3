import { atomically, type Db, type Tx } from '@muster/db';
import type { Retention } from '@muster/domain';

/** Any number will do, as long as every allocator uses the same: nobody registers while servers are forgotten. */
const forgetLock = 7_267_002;

/** The incarnation that a server begins with which is not known: no token of a server that was forgotten names it. */
export async function firstIncarnation(tx: Tx): Promise<number> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(${forgetLock})`;
  const [row] = await tx.$queryRaw<
    { first: number }[]
  >`SELECT last_value::int AS first FROM server_incarnation`;
  return row?.first ?? 1;
}

/**
 * Forgets what nobody asks for any more, the oldest first, a batch of each kind. Safe to do in every replica at once.
 *
 * The rows are named by `= ANY (ARRAY …)`: an `IN` of a limit that is passed is planned for a tenth of the table, and scans it.
 *
 * @param limit rows of each kind
 * @returns whether there may be more
 */
export async function forget(db: Db, before: Retention, limit: number): Promise<boolean> {
  const counts = [
    await forgetServers(db, new Date(before.servers), limit),
    await forgetSessions(db, new Date(before.sessions), limit),
    await forgetCommands(db, new Date(before.sessions), limit),
    await forgetBackfills(db, new Date(before.sessions), limit),
    await forgetConflicts(db, new Date(before.sessions), limit),
  ];
  return counts.some((count) => count >= limit);
}

/**
 * Servers that are gone, with their commands and the slots that a version before wrote. These go first, in batches of their own:
 * one server may have very many.
 */
function forgetServers(db: Db, before: Date, limit: number): Promise<number> {
  return atomically(db, async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${forgetLock})`;
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

/** Sessions that are over, with the reports of their results. The match keeps what came of it. */
function forgetSessions(db: Db, before: Date, limit: number): Promise<number> {
  return atomically(db, async (tx) => {
    const old = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM session WHERE closed_at < ${before} ORDER BY closed_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
    if (old.length === 0) return 0;
    const ids = old.map(({ id }) => id);
    await tx.$executeRaw`DELETE FROM result WHERE session_id = ANY(${ids}::text[])`;
    return tx.$executeRaw`DELETE FROM session WHERE id = ANY(${ids}::text[])`;
  });
}

function forgetCommands(db: Db, before: Date, limit: number): Promise<number> {
  return db.$sql.$executeRaw`
    DELETE FROM command WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM command WHERE created_at < ${before} ORDER BY created_at LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
}

function forgetBackfills(db: Db, before: Date, limit: number): Promise<number> {
  return db.$sql.$executeRaw`
    DELETE FROM backfill WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM backfill WHERE state IN ('filled', 'withdrawn', 'expired') AND expires_at < ${before}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
}

/** They are numbered as they come: those that are looked at are the oldest, however many there are. */
function forgetConflicts(db: Db, before: Date, limit: number): Promise<number> {
  return db.$sql.$executeRaw`
    DELETE FROM result_conflict WHERE id = ANY(ARRAY(
      SELECT id FROM (SELECT id, received_at FROM result_conflict ORDER BY id LIMIT ${limit}) AS oldest
      WHERE received_at < ${before}))`;
}
