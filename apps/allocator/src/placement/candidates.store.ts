import { type Sql, sqlPart } from '@muster/db';
import {
  demandOf,
  type LoadedServer,
  type PlacementTimeouts,
  trialPlace,
  type UnplacedMatch,
  type WantedSlot,
} from '@muster/domain';
import { demandColumns, kindFits, kinds } from '../slots/kinds.store.js';

/** Sessions that servers were asked to create lately, of which those by newcomers are trials. */
const askedLately = 200;

/** Servers read whose slots are not counted yet: an allocator is counting them, or they were freed a moment ago. */
const uncountedAtOnce = 64;
interface CountedServer extends LoadedServer {
  /** Slots in use as the index has them. */
  readonly counted: number;
}

/** What a choice of servers is based on. */
export interface Candidates {
  readonly servers: readonly CountedServer[];
  /** Servers with more slots in use than counted: they hide others from the index until they are counted. */
  readonly undercounted: readonly string[];
  /** Servers that recently failed a match, by match. */
  readonly avoided: ReadonlyMap<string, readonly string[]>;
  /** Matches with an open session. */
  readonly open: ReadonlySet<string>;
  /** Places where a newcomer is asked to create a session right now; see `trialPlace`. */
  readonly trials: ReadonlySet<string>;
}

interface Row {
  readonly servers: CountedServer[];
  readonly avoided: { readonly match: string; readonly server: string }[];
  readonly open: string[];
  readonly trials: [build: string, region: string][];
}

/**
 * Reads the least-loaded servers that fit the matches, and the fullest ones for matches that are packed. The index gives as
 * many of each build, region, set of labels and degree of doubt as matches want it, so that the choice is that among all servers; the slots
 * of these alone are counted. The cost grows with the number of different sets of labels, not with that of servers.
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
  const open = sqlPart`state = 'ready' AND used_slots < slots AND NOT overloaded`;
  const share = sqlPart`used_slots::float8 / greatest(slots, 1)`;
  const heardAfter = new Date(now - timeouts.silenceMs);
  const wants = wantsOf(matches);
  const here = sqlPart`${open} AND server.build = fitting.build AND server.region = fitting.region
    AND server.kind = fitting.kind AND heartbeat_at > ${heardAfter}`;
  const most = sqlPart`fitting.matches + ${spare} + (SELECT count(DISTINCT server) FROM avoided)`;
  const [found] = await tx.$queryRaw<Row[]>`
    WITH RECURSIVE avoided AS (
      SELECT match_id AS match, server_id AS server FROM session
      WHERE match_id = ANY(${ids}::text[]) AND closed_at > ${new Date(now - timeouts.avoidMs)}
    ), asked AS (SELECT DISTINCT build FROM unnest(${wants.map(({ build }) => build)}::text[]) AS each (build)
    ), kinds AS (${kinds}), fitting AS (
      SELECT kinds.build, kinds.region, kinds.kind, wants.packs, sum(wants.matches)::int AS matches
      FROM jsonb_to_recordset(${JSON.stringify(wants)}::jsonb)
        AS wants (build text, region text, packs bool, matches int, mode text, map text, labels jsonb)
      JOIN kinds ON kinds.build = wants.build AND (wants.region IS NULL OR wants.region = kinds.region) AND ${kindFits}
      GROUP BY kinds.build, kinds.region, kinds.kind, wants.packs
    ), near AS (
      SELECT least.id, least.doubt FROM fitting CROSS JOIN LATERAL (
        SELECT id, doubt FROM server WHERE ${here} ORDER BY doubt, ${share}, greatest(cpu_load, tick_load), id LIMIT ${most}
      ) AS least
      UNION SELECT fullest.id, 0 FROM fitting CROSS JOIN LATERAL (
        SELECT id FROM server WHERE ${here} AND doubt = 0
        ORDER BY ${share} DESC, greatest(cpu_load, tick_load) DESC, id DESC LIMIT ${most}
      ) AS fullest WHERE fitting.packs
      UNION SELECT newest.id, 1 FROM fitting CROSS JOIN LATERAL (
        SELECT id FROM server WHERE ${here} AND doubt = 1
        ORDER BY ${share}, greatest(cpu_load, tick_load), id LIMIT ${most}
      ) AS newest WHERE NOT fitting.packs
      UNION SELECT server_id, NULL FROM (SELECT server_id FROM freed_slot ORDER BY id LIMIT ${uncountedAtOnce}) AS uncounted
    )
    SELECT (
      SELECT coalesce(jsonb_agg(jsonb_build_object('serverId', id, 'region', region, 'build', build, 'incarnation', incarnation,
        'slots', slots, 'cpuLoad', cpu_load, 'tickLoad', tick_load, 'overloaded', overloaded, 'labels', labels, 'doubt', doubt,
        'counted', used_slots, 'used', (
          SELECT count(*) FROM session WHERE server_id = server.id AND session.state IN ('reserved', 'live')))), '[]')
      FROM server WHERE id = ANY(ARRAY(SELECT near.id FROM near)) AND state = 'ready' AND heartbeat_at > ${heardAfter}
    ) AS servers,
    (SELECT coalesce(jsonb_agg(to_jsonb(avoided)), '[]') FROM avoided) AS avoided,
    ARRAY(SELECT match_id FROM session WHERE match_id = ANY(${ids}::text[]) AND state IN ('reserved', 'live')) AS open,
    (SELECT coalesce(jsonb_agg(DISTINCT jsonb_build_array(build, region)), '[]') FROM server
      WHERE id = ANY(ARRAY(
        SELECT server_id FROM session WHERE state = 'reserved' AND answer_by > ${new Date(now)} ORDER BY answer_by DESC LIMIT ${askedLately}
      )) AND doubt > 0 AND EXISTS (SELECT 1 FROM near WHERE near.doubt = 1)) AS trials`;
  return asCandidates(found ?? { servers: [], avoided: [], open: [], trials: [] });
}

/** How many matches want a server of a build and region that fits. */
interface Wants extends ReturnType<typeof demandColumns> {
  readonly build: string;
  /** Null: any region. */
  readonly region: string | null;
  /** Whether the fullest servers are wanted, not the least loaded ones. */
  readonly packs: boolean;
  readonly matches: number;
}

function wantsOf(matches: readonly UnplacedMatch[]): Wants[] {
  const wants = new Map<string, Wants>();
  for (const match of matches) {
    const { build, open, policy } = match;
    for (const region of open.anywhere ? [null] : open.regions) {
      const want = {
        build: build ?? '',
        region,
        packs: policy === 'pack',
        ...demandColumns(demandOf(match)),
      };
      const key = JSON.stringify(want);
      wants.set(key, { ...want, matches: (wants.get(key)?.matches ?? 0) + 1 });
    }
  }
  return [...wants.values()];
}

function asCandidates({ servers, avoided, open, trials }: Row): Candidates {
  const failed = new Map<string, string[]>();
  for (const { match, server } of avoided) failed.set(match, [...(failed.get(match) ?? []), server]);
  return {
    servers,
    undercounted: servers.filter(({ used, counted }) => used > counted).map(({ serverId }) => serverId),
    avoided: failed,
    open: new Set(open),
    trials: new Set(trials.map(([build, region]) => trialPlace({ build, region }))),
  };
}

/** What a match needs of a server. */
export const wanted =
  ({ avoided }: Candidates) =>
  (match: UnplacedMatch): WantedSlot => ({
    build: match.build ?? '',
    ...match.open,
    avoid: avoided.get(match.matchId) ?? [],
    policy: match.policy ?? undefined,
    demand: demandOf(match),
  });
