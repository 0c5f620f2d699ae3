import { RegionOpenings } from '@muster/contracts';
import { type Sql, sqlPart } from '@muster/db';
import {
  demandOf,
  type OpenRegions,
  openRegions,
  type ServerDemand,
  type UnplacedMatch,
} from '@muster/domain';

/** Servers that are there, as the index of kinds says it. */
const present = sqlPart`server.state IN ('ready', 'draining')`;

/**
 * The kinds of servers of the builds in `asked`: one row for each region and each set of labels. It reads one index entry a
 * kind, independent of the number of servers.
 */
export const kinds = sqlPart`
  SELECT first.build, first.region, first.kind, first.labels FROM asked CROSS JOIN LATERAL (
    SELECT server.build, server.region, server.kind, server.labels FROM server
    WHERE ${present} AND server.build = asked.build ORDER BY server.region, server.kind LIMIT 1
  ) AS first
  UNION ALL
  SELECT further.build, further.region, further.kind, further.labels FROM kinds CROSS JOIN LATERAL (
    SELECT server.build, server.region, server.kind, server.labels FROM server
    WHERE ${present} AND server.build = kinds.build AND (server.region, server.kind) > (kinds.region, kinds.kind)
    ORDER BY server.region, server.kind LIMIT 1
  ) AS further`;

/** `fitsServer` for a row of `kinds` and a row of `wants`. */
export const kindFits = sqlPart`(wants.mode IS NULL OR kinds.labels->'modes' IS NULL OR kinds.labels->'modes' @> to_jsonb(wants.mode))
  AND (wants.map IS NULL OR kinds.labels->'maps' IS NULL OR kinds.labels->'maps' @> to_jsonb(wants.map))
  AND kinds.labels @> wants.labels`;

/** A demand as columns of `wants`. Labels of servers are lists. */
export function demandColumns({ mode = null, map = null, labels }: ServerDemand) {
  const lists = Object.entries(labels ?? {}).map(([name, value]) => [name, [value]] as const);
  return { mode, map, labels: Object.fromEntries(lists) };
}

/** The columns of a match that say where it may be played. */
export interface RegionColumns {
  regions: string[];
  /** `region_openings`. */
  openings: unknown;
  proposedAt: Date | null;
}

/** The regions that are open to a match of a row. A clock that is behind does not close those of when it was proposed. */
export function openRegionsOf({ regions, openings, proposedAt }: RegionColumns, now: number): OpenRegions {
  const at = Math.max(now, proposedAt?.getTime() ?? 0);
  return openRegions({ regions, openings: RegionOpenings.nullish().parse(openings) }, at);
}

/** The number of kinds of servers of a match's build in its regions, and how many of them fit it. */
export async function countKinds(
  tx: Sql,
  match: UnplacedMatch,
): Promise<{ readonly known: number; readonly fit: number }> {
  const { build, open } = match;
  const wants = JSON.stringify([demandColumns(demandOf(match))]);
  const [counted] = await tx.$queryRaw<{ known: number; fit: number }[]>`
    WITH RECURSIVE asked AS (SELECT ${build ?? ''}::text AS build), kinds AS (${kinds})
    SELECT count(*)::int AS known, (count(*) FILTER (WHERE ${kindFits}))::int AS fit FROM kinds
    CROSS JOIN jsonb_to_recordset(${wants}::jsonb) AS wants (mode text, map text, labels jsonb)
    WHERE ${open.anywhere}::boolean OR kinds.region = ANY(${[...open.regions]}::text[])`;
  return counted ?? { known: 0, fit: 0 };
}
