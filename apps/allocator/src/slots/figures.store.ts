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

/** Matches of a queue without a server, and when the oldest of them was formed. */
export interface UnplacedMatches {
  readonly queue: string;
  readonly matches: number;
  readonly since: Date;
}

/** The matches without a server, of the 1,000 that are given up first. */
export function unplacedMatches(db: Db): Promise<UnplacedMatches[]> {
  return db.$sql.$queryRaw<UnplacedMatches[]>`
    WITH waits AS MATERIALIZED (SELECT match_id FROM placement ORDER BY give_up_at LIMIT 1000)
    SELECT match.queue, count(*)::int AS matches, min(match.formed_at) AS since
    FROM waits JOIN match ON match.id = waits.match_id
    WHERE match.queue IS NOT NULL AND match.formed_at IS NOT NULL GROUP BY match.queue`;
}

/** Contradictions between results that nobody has decided, of the newest 1,000. */
export async function openConflicts(db: Db): Promise<number> {
  const [row] = await db.$sql.$queryRaw<{ open: number }[]>`
    SELECT (count(*) FILTER (WHERE decision IS NULL))::int AS open
    FROM (SELECT decision FROM result_conflict ORDER BY id DESC LIMIT 1000) AS newest`;
  return row?.open ?? 0;
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
