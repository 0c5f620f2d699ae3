import type { Sql } from '@muster/db';
import {
  type ArrivedServer,
  type Capacity,
  onTheirWay,
  type OpenRequest,
  type ServerRequest,
} from '@muster/domain';

interface Row extends Capacity {
  readonly arrived: readonly Pick<ArrivedServer, 'slots' | 'labels' | 'at'>[];
}

/**
 * Counts the slots of all servers by build and region, in one statement that reads each server once. It counts with
 * `used_slots`, which `countFreedSlots` brings up to date.
 *
 * @returns the counts, and the servers that came since the oldest request that is not over
 */
export async function capacities(
  tx: Sql,
  now: number,
): Promise<{ places: Capacity[]; arrived: ArrivedServer[] }> {
  const rows = await tx.$queryRaw<Row[]>`
    SELECT build, region,
      count(*) FILTER (WHERE state = 'ready')::int AS servers,
      coalesce(sum(slots) FILTER (WHERE state = 'ready'), 0)::int AS slots,
      coalesce(sum(least(used_slots, slots)) FILTER (WHERE state = 'ready'), 0)::int AS used,
      coalesce(sum(greatest(slots - used_slots, 0)) FILTER (WHERE state = 'ready' AND NOT overloaded), 0)::int AS free,
      count(*) FILTER (WHERE state = 'ready' AND overloaded)::int AS "overloadedServers",
      coalesce(sum(greatest(slots - used_slots, 0)) FILTER (WHERE state = 'ready' AND overloaded), 0)::int AS "overloadedSlots",
      count(*) FILTER (WHERE state = 'draining')::int AS "drainingServers",
      coalesce(sum(slots) FILTER (WHERE state = 'draining'), 0)::int AS "drainingSlots",
      count(*) FILTER (WHERE state = 'ready' AND NOT overloaded AND used_slots = 0)::int AS "emptyServers",
      coalesce(jsonb_agg(jsonb_build_object('slots', slots, 'labels', labels, 'at', extract(epoch FROM arrived_at) * 1000)) FILTER (
        WHERE arrived_at >= (SELECT min(asked_at) FROM server_request WHERE until > ${new Date(now)})), '[]') AS arrived
    FROM server WHERE state IN ('ready', 'draining') GROUP BY build, region ORDER BY build, region`;
  const counted = rows.map(({ arrived, ...place }) => ({
    place,
    arrived: arrived.map((each) => ({ ...each, build: place.build, region: place.region })),
  }));
  return {
    places: counted.map(({ place }) => place),
    arrived: counted.flatMap(({ arrived }) => arrived),
  };
}

/** The requests that are not over, with what is on its way of each. */
export async function requestsOnTheirWay(
  tx: Sql,
  arrived: readonly ArrivedServer[],
  now: number,
): Promise<OpenRequest[]> {
  const requests = await tx.$queryRaw<ServerRequest[]>`
    SELECT build, regions, labels, slots, (extract(epoch FROM asked_at) * 1000)::float8 AS at,
      (extract(epoch FROM until) * 1000)::float8 AS until
    FROM server_request WHERE until > ${new Date(now)}`;
  return onTheirWay(requests, arrived, now);
}
