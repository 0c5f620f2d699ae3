import { matchUpdateJobs, writeReason } from '@muster/contracts';
import { type Db, enqueueAfterCommit, type Sql, transact, sqlPart } from '@muster/db';
import {
  type CapacityFacts,
  decideRequests,
  type FoundShortage,
  labelsKeyOf,
  requestable,
  type ScaleOutLimits,
  type ScaleOutOutcome,
  type ServerDemand,
  type ServerShortage,
  shortageOf,
  shortageReason,
  type UnplacedMatch,
  type WaitingMatches,
  type WantedServers,
} from '@muster/domain';
import { countFreedSlots } from '../slots/counts.store.js';
import { countKinds, openRegionsOf, type RegionColumns } from '../slots/kinds.store.js';
import { capacities, requestsOnTheirWay } from './capacity.store.js';

/** The maximum number of shortages that one call claims. */
const claimsAtOnce = 20;
/** The number of overloaded servers that a match is told of at most. */
const overloadedCounted = 100;
/** Rows of unused builds are deleted after this time. */
const forgetMs = 86_400_000;

/**
 * A key of the regions and of the labels that a server must have, the same in any order; names of regions contain no commas
 * or bars.
 */
function keyOf(regions: readonly string[], labels?: ServerDemand['labels']): string {
  const key = labelsKeyOf(labels);
  return `${regions.toSorted().join(',')}${key === '' ? '' : `|${key}`}`;
}

/**
 * The regions in which servers are requested for a match: those that were open at its last attempt; of a release before, when
 * it was formed. Where all are open, these are still the nearest, and servers are requested there.
 */
const wantedRegions = sqlPart`coalesce(placement.open_regions, match.regions)`;

/** The same in SQL, for a match. Collation "C" sorts as JavaScript does. */
const matchKey = sqlPart`array_to_string(ARRAY(SELECT unnest(${wantedRegions}) COLLATE "C" ORDER BY 1), ',')
  || coalesce('|' || (SELECT string_agg(name || '=' || value, ',' ORDER BY name COLLATE "C")
    FROM jsonb_each_text(match.rules->'serverLabels') AS demanded (name, value)), '')`;

/** Matches that found no free server and have no open session. */
const waits = sqlPart`placement.shortage IS NOT NULL AND match.state = 'formed'
  AND NOT EXISTS (SELECT 1 FROM session WHERE session.match_id = match.id AND session.state IN ('reserved', 'live'))`;

/**
 * What to report for a match without a server (`shortageOf`), with the servers that have free slots and are overloaded.
 */
export async function shortageNow(tx: Sql, match: UnplacedMatch, now: number): Promise<FoundShortage> {
  const { build, open, shortage, serverLabels } = match;
  const { regions, anywhere } = open;
  const near = anywhere ? sqlPart`` : sqlPart`AND region = ANY(${[...regions]}::text[])`;
  const { known, fit } = await countKinds(tx, match);
  const [found] = await tx.$queryRaw<{ outcome: string | null; overloaded: number }[]>`
    SELECT (SELECT outcome FROM scale_out WHERE build = ${build ?? ''} AND regions = ${keyOf(regions, serverLabels)}
        AND ask_again_at > ${new Date(now)}) AS outcome,
      (SELECT count(*)::int FROM (
        SELECT 1 FROM server WHERE state = 'ready' AND used_slots < slots AND overloaded AND build = ${build ?? ''} ${near}
        LIMIT ${overloadedCounted}) AS each) AS overloaded`;
  const { outcome = null, overloaded = 0 } = found ?? {};
  const requested = outcome === 'starting' || outcome === 'failed' ? outcome : null;
  // Where some servers do not fit, those that are overloaded may be these: nothing is claimed of them.
  return shortageOf(shortage, requested, fit < known ? 0 : overloaded, known > 0 && fit === 0);
}

interface Waiting extends WaitingMatches {
  /** Whether no servers were requested for a while. */
  readonly isDue: boolean;
}

/** The matches that wait, of builds that may be requested. */
async function waitingMatches(
  sql: Pick<Sql, '$queryRaw'>,
  { builds }: ScaleOutLimits,
  now: number,
): Promise<Waiting[]> {
  const allowed = builds
    ? sqlPart`match.build = ANY(${[...builds]}::text[])`
    : sqlPart`EXISTS (SELECT 1 FROM server WHERE server.build = match.build)`;
  return sql.$queryRaw<Waiting[]>`
    SELECT build, "waitingMatches", "unfitMatches", regions, labels, NOT EXISTS (
      SELECT 1 FROM scale_out WHERE scale_out.build = each.build AND scale_out.regions = each.key
        AND scale_out.ask_again_at > ${new Date(now)}) AS "isDue"
    FROM (
      SELECT match.build, ${matchKey} AS key, count(*)::int AS "waitingMatches",
        count(*) FILTER (WHERE placement.shortage = 'unfit')::int AS "unfitMatches",
        coalesce((array_agg(match.rules->'serverLabels'))[1], '{}') AS labels,
        (array_agg(to_jsonb(${wantedRegions}) ORDER BY match.formed_at, match.id))[1] AS regions
      FROM placement JOIN match ON match.id = placement.match_id
      WHERE ${waits} AND match.build IS NOT NULL AND ${allowed} GROUP BY 1, 2
    ) AS each ORDER BY build, key`;
}

/** Shortages, the requests for servers, and the messages to their tickets. Each method is one transaction. */
export class PostgresShortageStore {
  constructor(private readonly db: Db) {}

  /** Whether matches wait for servers of which none were requested for a while. */
  async hasShortages(limits: ScaleOutLimits, now: number): Promise<boolean> {
    return (await waitingMatches(this.db.$sql, limits, now)).some(
      (each) => each.isDue && requestable(each) > 0,
    );
  }

  /**
   * Claims due shortages for one replica.
   *
   * 1. Count the slots, what waits and what is on its way.
   * 2. Decide what is missing (`decideRequests`).
   * 3. Claim what was requested longest ago. The insert decides: a row that another replica wrote meanwhile is skipped.
   * 4. Store what is on its way from now on.
   */
  async claimShortages(limits: ScaleOutLimits, now: number): Promise<ServerShortage[]> {
    const { everyMs, spares, builds } = limits;
    await countFreedSlots(this.db);
    return transact(this.db, async (tx) => {
      const wanted = decideRequests(await count(tx, limits, now), spares, builds);
      const rows = wanted.map(({ build, regions, labels }, nth) => ({
        nth,
        build,
        key: keyOf(regions, labels),
      }));
      const askAgainAt = new Date(now + everyMs);
      const written = await tx.$queryRaw<{ build: string; regions: string }[]>`
        INSERT INTO scale_out (build, regions, outcome, asked_at, ask_again_at)
        SELECT build, key, 'asking', ${new Date(now)}, ${askAgainAt} FROM (
          SELECT row.build, row.key
          FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row(nth int, build text, key text)
          LEFT JOIN scale_out AS last ON last.build = row.build AND last.regions = row.key
          WHERE last.ask_again_at IS NULL OR last.ask_again_at <= ${new Date(now)}
          ORDER BY last.asked_at NULLS FIRST, row.build, row.key LIMIT ${claimsAtOnce}) AS due
        -- Replicas lock rows in the same order.
        ORDER BY build, key
        ON CONFLICT (build, regions) DO UPDATE
          SET outcome = 'asking', asked_at = excluded.asked_at, ask_again_at = excluded.ask_again_at
          WHERE scale_out.ask_again_at <= ${new Date(now)}
        RETURNING build, regions`;
      if (written.length === 0) return [];
      const keys = new Set(written.map(({ build, regions }) => JSON.stringify([build, regions])));
      const claimed = wanted.filter(({ build, regions, labels }) =>
        keys.has(JSON.stringify([build, keyOf(regions, labels)])),
      );
      await noteRequests(tx, claimed, now, now + everyMs);
      await tx.$executeRaw`DELETE FROM scale_out WHERE ask_again_at < ${new Date(now - forgetMs)}`;
      return claimed.map((each) => ({ ...each, at: now }));
    });
  }

  /** Counts slots and requests. It reads all servers in one statement: not more often than every few seconds. */
  async countCapacity(limits: ScaleOutLimits, now: number): Promise<CapacityFacts> {
    await countFreedSlots(this.db);
    return transact(this.db, (tx) => count(tx, limits, now));
  }

  /**
   * Records the outcome and notifies the waiting tickets. Skips matches that are being placed now: their next attempt
   * reports it.
   */
  settleShortage(
    { build, regions, labels, at }: ServerShortage,
    outcome: ScaleOutOutcome,
    startMs: number,
  ): Promise<void> {
    return transact(this.db, async (tx) => {
      const key = keyOf(regions, labels);
      if (outcome === 'failed')
        await tx.$executeRaw`
          DELETE FROM server_request WHERE build = ${build} AND key = ${key} AND asked_at = ${new Date(at)}`;
      else
        await tx.$executeRaw`
          UPDATE server_request SET until = ${new Date(at + startMs)}
          WHERE build = ${build} AND key = ${key} AND asked_at = ${new Date(at)}`;
      // An outcome that arrives after a newer request is discarded.
      const updated = await tx.$executeRaw`
        UPDATE scale_out SET outcome = ${outcome} WHERE build = ${build} AND regions = ${key} AND asked_at = ${new Date(at)}`;
      if (updated === 0) return;
      const notified = await tx.$queryRaw<Notified[]>`
        WITH waiting AS (
          SELECT match.id, match.regions, match.region_openings AS openings, match.proposed_at AS "proposedAt" FROM placement JOIN match ON match.id = placement.match_id
          WHERE ${waits} AND placement.shortage <> ${outcome}
            AND (placement.shortage <> 'unfit' OR ${outcome === 'starting'}) AND match.build = ${build} AND ${matchKey} = ${key}
          FOR UPDATE OF placement SKIP LOCKED
        ), changed AS (
          UPDATE placement SET shortage = ${outcome} FROM waiting WHERE placement.match_id = waiting.id
        )
        SELECT waiting.*, ARRAY(
          SELECT DISTINCT ticket_id FROM match_player WHERE match_id = waiting.id AND ticket_id IS NOT NULL ORDER BY 1
        ) AS tickets FROM waiting ORDER BY waiting.id`;
      const updates = notified.flatMap(({ id, tickets, ...theirs }) => {
        const open = openRegionsOf(theirs, at);
        const reason = writeReason([shortageReason(outcome, { build, open })]);
        return matchUpdateJobs({ kind: 'placing', matchId: id, ticketIds: tickets, ...reason });
      });
      await enqueueAfterCommit(tx, 'allocator', updates);
    });
  }
}

async function count(tx: Sql, limits: ScaleOutLimits, now: number): Promise<CapacityFacts> {
  const waiting = await waitingMatches(tx, limits, now);
  const { places, arrived } = await capacities(tx, now);
  return { places, waiting, requests: await requestsOnTheirWay(tx, arrived, now) };
}

/** Stores requests, and forgets those that are over. */
async function noteRequests(
  tx: Sql,
  wanted: readonly WantedServers[],
  now: number,
  until: number,
): Promise<void> {
  const rows = wanted.map(({ build, regions, labels, slots }) => ({
    build,
    key: keyOf(regions, labels),
    regions,
    labels: labels ?? {},
    slots,
  }));
  await tx.$executeRaw`
    INSERT INTO server_request (build, key, asked_at, regions, labels, slots, until)
    SELECT build, key, ${new Date(now)}, regions, labels, slots, ${new Date(until)}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS row(build text, key text, regions text[], labels jsonb, slots int)
    ON CONFLICT (build, key, asked_at) DO UPDATE SET slots = excluded.slots, until = excluded.until`;
  await tx.$executeRaw`DELETE FROM server_request WHERE until <= ${new Date(now)}`;
}

interface Notified extends RegionColumns {
  readonly id: string;
  readonly tickets: string[];
}
