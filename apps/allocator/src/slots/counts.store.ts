import type { Db, Sql } from '@muster/db';

/** The number of freed slots that are counted at once. */
const countedAtOnce = 1_000;

/** Has the slots of servers counted before the next placement. */
export async function noteUncounted(tx: Sql, serverIds: readonly string[]): Promise<void> {
  if (serverIds.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO freed_slot (server_id) SELECT id FROM unnest(${[...serverIds]}::text[]) AS uncounted (id)`;
}

/**
 * Counts the slots in use of servers whose sessions closed. It waits for nobody: a server that another caller holds is
 * counted next time, and `candidates` reads it meanwhile. A count that misses a reservation of the same moment is too
 * low, which `candidates` finds.
 */
export async function countFreedSlots(db: Db): Promise<void> {
  await db.$sql.$executeRaw`
    WITH freed AS (
      SELECT id, server_id FROM freed_slot ORDER BY id LIMIT ${countedAtOnce} FOR UPDATE SKIP LOCKED
    ), held AS (
      SELECT id FROM server WHERE id = ANY(ARRAY(SELECT server_id FROM freed)) FOR NO KEY UPDATE SKIP LOCKED
    ), counted AS (
      UPDATE server SET used_slots = (
        SELECT count(*) FROM session WHERE server_id = server.id AND session.state IN ('reserved', 'live'))
      WHERE id = ANY(ARRAY(SELECT held.id FROM held))
    )
    DELETE FROM freed_slot WHERE id = ANY(ARRAY(
      SELECT freed.id FROM freed WHERE server_id IN (SELECT held.id FROM held)
        OR server_id <> ALL(ARRAY(SELECT server.id FROM server WHERE server.id = ANY(ARRAY(SELECT server_id FROM freed))))))`;
}
