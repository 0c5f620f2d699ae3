import type { Db } from '@muster/db';
import type { RegionSlots, SlotPage } from './slot-walk.js';

type Row = Omit<RegionSlots, 'region'> & {
  readonly region: string | null;
  readonly read: number;
  readonly last: string | null;
};

/** When the server was last heard that is silent for longest, milliseconds since the epoch; null without one. */
export async function oldestHeartbeat(db: Db): Promise<number | null> {
  const [row] = await db.$sql.$queryRaw<{ at: Date | null }[]>`
    SELECT min(heartbeat_at) AS at FROM server WHERE state IN ('ready', 'draining')`;
  return row?.at?.getTime() ?? null;
}

/**
 * The slots of the next servers by id, summed by region. Servers that are lost or have left count as read and have no
 * slots.
 *
 * @param after the last id of the page before
 */
export async function slotPage(db: Db, after: string, limit: number): Promise<SlotPage> {
  const rows = await db.$sql.$queryRaw<Row[]>`
    WITH page AS MATERIALIZED (
      SELECT id, region, state, slots, used_slots FROM server WHERE id > ${after} ORDER BY id LIMIT ${limit}
    ), sums AS (
      SELECT region, sum(used_slots)::int AS used,
        coalesce(sum(greatest(slots - used_slots, 0)) FILTER (WHERE state = 'ready'), 0)::int AS free,
        coalesce(sum(greatest(slots - used_slots, 0)) FILTER (WHERE state = 'draining'), 0)::int AS draining
      FROM page WHERE state IN ('ready', 'draining') GROUP BY region
    )
    SELECT sums.*, whole.read, whole.last
    FROM (SELECT count(*)::int AS read, max(id) AS last FROM page) AS whole LEFT JOIN sums ON true`;
  const [first] = rows;
  return {
    read: first?.read ?? 0,
    last: first?.last ?? after,
    regions: rows.flatMap(({ region, used, free, draining }) =>
      region === null ? [] : [{ region, used, free, draining }],
    ),
  };
}
