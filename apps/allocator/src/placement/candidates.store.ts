import { type Db, Prisma, type Sql } from '@muster/db';
import type { LoadedServer, PlacementTimeouts, UnplacedMatch, WantedSlot } from '@muster/domain';

/** Servers read whose slots are not counted yet: an allocator is counting them, or they were freed a moment ago. */
const uncountedAtOnce = 64;
/** The number of freed slots that are counted at once. */
const countedAtOnce = 1_000;

/** What a choice of servers is based on. */
export interface Candidates {
  readonly servers: readonly LoadedServer[];
  /** Servers with more slots in use than counted: they hide others from the index until they are counted. */
  readonly undercounted: readonly string[];
  /** Servers that recently failed a match, by match. */
  readonly avoided: ReadonlyMap<string, readonly string[]>;
  /** Matches with an open session. */
  readonly open: ReadonlySet<string>;
}

interface Row {
  readonly servers: (LoadedServer & { readonly counted: number })[];
  readonly avoided: { readonly match: string; readonly server: string }[];
  readonly open: string[];
}

/**
 * Reads the least-loaded servers of the matches' builds and regions, and the fullest ones for matches that are packed. The
 * index gives as many of each build and region as matches want it, so that the choice is that among all servers; the
 * slots of these alone are counted.
 *
 * @param matches whose placement rows are locked
 * @param spare servers of a region read beyond those that the matches need, to pass over those that others hold
 */
export async function candidates(
  tx: Sql,
  matches: readonly UnplacedMatch[],
  spare: number,
  timeouts: PlacementTimeouts,
  now: number,
): Promise<Candidates> {
  const ids = matches.map(({ matchId }) => matchId);
  const { places, anywhere } = placesOf(matches);
  const open = Prisma.sql`state = 'ready' AND used_slots < slots AND NOT overloaded`;
  const share = Prisma.sql`used_slots::float8 / greatest(slots, 1)`;
  const heardAfter = new Date(now - timeouts.silenceMs);
  const [found] = await tx.$queryRaw<Row[]>`
    WITH RECURSIVE avoided AS (
      SELECT match_id AS match, server_id AS server FROM session
      WHERE match_id = ANY(${ids}::text[]) AND closed_at > ${new Date(now - timeouts.avoidMs)}
    ), anywhere (build, matches, packs, region) AS (
      SELECT each.build, each.matches, each.packs, (
        SELECT region FROM server WHERE ${open} AND server.build = each.build ORDER BY region LIMIT 1)
      FROM unnest(${anywhere.map(({ build }) => build)}::text[], ${anywhere.map(({ count }) => count)}::int[],
        ${anywhere.map(({ packs }) => packs)}::bool[]) AS each (build, matches, packs)
      UNION ALL
      SELECT anywhere.build, anywhere.matches, anywhere.packs, (
        SELECT server.region FROM server WHERE ${open} AND server.build = anywhere.build
          AND server.region > anywhere.region ORDER BY server.region LIMIT 1)
      FROM anywhere WHERE anywhere.region IS NOT NULL
    ), wanted AS (
      SELECT build, region, packs, sum(matches)::int AS matches FROM (
        SELECT build, region, packs, matches FROM anywhere WHERE region IS NOT NULL
        UNION ALL SELECT place.build, place.region, place.packs, place.matches
        FROM unnest(${places.map(({ build }) => build)}::text[], ${places.map(({ region }) => region)}::text[],
          ${places.map(({ count }) => count)}::int[], ${places.map(({ packs }) => packs)}::bool[])
          AS place (build, region, matches, packs)
      ) AS each GROUP BY build, region, packs
    ), near AS (
      SELECT least.id FROM wanted CROSS JOIN LATERAL (
        SELECT id FROM server
        WHERE ${open} AND server.build = wanted.build AND server.region = wanted.region AND heartbeat_at > ${heardAfter}
        ORDER BY ${share}, greatest(cpu_load, tick_load), id
        LIMIT wanted.matches + ${spare} + (SELECT count(DISTINCT server) FROM avoided)
      ) AS least WHERE NOT wanted.packs
      UNION SELECT fullest.id FROM wanted CROSS JOIN LATERAL (
        SELECT id FROM server
        WHERE ${open} AND server.build = wanted.build AND server.region = wanted.region AND heartbeat_at > ${heardAfter}
        ORDER BY ${share} DESC, greatest(cpu_load, tick_load) DESC, id DESC
        LIMIT wanted.matches + ${spare} + (SELECT count(DISTINCT server) FROM avoided)
      ) AS fullest WHERE wanted.packs
      UNION SELECT server_id FROM (SELECT server_id FROM freed_slot ORDER BY id LIMIT ${uncountedAtOnce}) AS uncounted
    )
    SELECT (
      SELECT coalesce(jsonb_agg(jsonb_build_object('serverId', id, 'region', region, 'build', build, 'incarnation', incarnation,
        'slots', slots, 'cpuLoad', cpu_load, 'tickLoad', tick_load, 'overloaded', overloaded, 'counted', used_slots, 'used', (
          SELECT count(*) FROM session WHERE server_id = server.id AND session.state IN ('reserved', 'live')))), '[]')
      FROM server WHERE id = ANY(ARRAY(SELECT near.id FROM near)) AND state = 'ready' AND heartbeat_at > ${heardAfter}
    ) AS servers,
    (SELECT coalesce(jsonb_agg(to_jsonb(avoided)), '[]') FROM avoided) AS avoided,
    ARRAY(SELECT match_id FROM session WHERE match_id = ANY(${ids}::text[]) AND state IN ('reserved', 'live')) AS open`;
  return asCandidates(found ?? { servers: [], avoided: [], open: [] });
}

/** A build and region, with the number of matches that may be placed there. */
interface Place {
  readonly build: string;
  /** Empty: any region. */
  readonly region: string;
  readonly count: number;
  /** Whether the fullest servers are wanted, not the least loaded ones. */
  readonly packs: boolean;
}

function placesOf(matches: readonly UnplacedMatch[]): { places: Place[]; anywhere: Place[] } {
  const places = new Map<string, Place>();
  for (const { build, regions, policy } of matches) {
    const packs = policy === 'pack';
    for (const region of regions.length === 0 ? [''] : regions) {
      const key = JSON.stringify([build, region, packs]);
      places.set(key, { build: build ?? '', region, packs, count: (places.get(key)?.count ?? 0) + 1 });
    }
  }
  const all = [...places.values()];
  return {
    places: all.filter(({ region }) => region !== ''),
    anywhere: all.filter(({ region }) => region === ''),
  };
}

function asCandidates({ servers, avoided, open }: Row): Candidates {
  const failed = new Map<string, string[]>();
  for (const { match, server } of avoided) failed.set(match, [...(failed.get(match) ?? []), server]);
  return {
    servers,
    undercounted: servers.filter(({ used, counted }) => used > counted).map(({ serverId }) => serverId),
    avoided: failed,
    open: new Set(open),
  };
}

/** What a match needs of a server. */
export const wanted =
  ({ avoided }: Candidates) =>
  ({ matchId, build, regions, policy }: UnplacedMatch): WantedSlot => ({
    build: build ?? '',
    regions,
    avoid: avoided.get(matchId) ?? [],
    policy: policy ?? undefined,
  });

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
