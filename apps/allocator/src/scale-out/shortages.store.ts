import { matchUpdateJobs, writeReason } from '@muster/contracts';
import { type Db, enqueueAfterCommit, Prisma, type Sql, transact } from '@muster/db';
import {
  type ScaleOutOutcome,
  type ServerShortage,
  type Shortage,
  shortageReason,
  type UnplacedMatch,
} from '@muster/domain';

/** The maximum number of shortages that one call claims. */
const claimsAtOnce = 20;
/** Rows of unused builds are deleted after this time. */
const forgetMs = 86_400_000;

/** A key of the regions that does not depend on their order; names contain no commas. */
const keyOf = (regions: readonly string[]): string => regions.toSorted().join(',');

/** The same in SQL, for a match's regions. Collation "C" sorts as JavaScript does. */
const matchKey = Prisma.sql`array_to_string(ARRAY(SELECT unnest(match.regions) COLLATE "C" ORDER BY 1), ',')`;

/** Matches that found no free server and have no open session. */
const waits = Prisma.sql`placement.shortage IS NOT NULL AND match.state = 'formed'
  AND NOT EXISTS (SELECT 1 FROM session WHERE session.match_id = match.id AND session.state IN ('reserved', 'live'))`;

/**
 * The shortage to report for a match without a server: the outcome of a recent request, else what was last reported.
 */
export async function shortageNow(
  tx: Sql,
  { build, regions, shortage }: Pick<UnplacedMatch, 'build' | 'regions' | 'shortage'>,
  now: number,
): Promise<Shortage> {
  const [request] = await tx.$queryRaw<{ outcome: string; ask_again_at: Date }[]>`
    SELECT outcome, ask_again_at FROM scale_out WHERE build = ${build ?? ''} AND regions = ${keyOf(regions)}`;
  const outcome = request && request.ask_again_at.getTime() > now ? request.outcome : 'asking';
  return outcome === 'starting' || outcome === 'failed' ? outcome : (shortage ?? 'none-free');
}

/** Claims due shortages for one replica. The insert decides: a row that another replica wrote meanwhile is skipped. */
export function claimShortages(
  db: Db,
  everyMs: number,
  now: number,
  builds?: readonly string[],
): Promise<ServerShortage[]> {
  const allowed = builds
    ? Prisma.sql`match.build = ANY(${[...builds]}::text[])`
    : Prisma.sql`EXISTS (SELECT 1 FROM server WHERE server.build = match.build)`;
  return transact(db, async (tx) => {
    const rows = await tx.$queryRaw<{ build: string; key: string; regions: string[]; waiting: number }[]>`
      SELECT match.build, ${matchKey} AS key, count(*)::int AS waiting,
        (array_agg(to_jsonb(match.regions) ORDER BY match.formed_at, match.id))[1] AS regions
      FROM placement JOIN match ON match.id = placement.match_id
      WHERE ${waits} AND match.build IS NOT NULL AND ${allowed}
        AND NOT EXISTS (SELECT 1 FROM scale_out WHERE scale_out.build = match.build
          AND scale_out.regions = ${matchKey} AND scale_out.ask_again_at > ${new Date(now)})
      GROUP BY 1, 2 ORDER BY 1, 2 LIMIT ${claimsAtOnce}`;
    const claimed: ServerShortage[] = [];
    for (const { build, key, regions, waiting } of rows) {
      const written = await tx.$executeRaw`
        INSERT INTO scale_out (build, regions, outcome, asked_at, ask_again_at)
        VALUES (${build}, ${key}, 'asking', ${new Date(now)}, ${new Date(now + everyMs)})
        ON CONFLICT (build, regions) DO UPDATE
          SET outcome = 'asking', asked_at = excluded.asked_at, ask_again_at = excluded.ask_again_at
          WHERE scale_out.ask_again_at <= ${new Date(now)}`;
      if (written === 1) claimed.push({ build, regions, waitingMatches: waiting, at: now });
    }
    if (claimed.length > 0)
      await tx.$executeRaw`DELETE FROM scale_out WHERE ask_again_at < ${new Date(now - forgetMs)}`;
    return claimed;
  });
}

/**
 * Records the outcome and notifies the waiting tickets. Skips matches that are being placed now: their next attempt
 * reports it.
 */
export function settleShortage(
  db: Db,
  { build, regions, at }: ServerShortage,
  outcome: ScaleOutOutcome,
): Promise<void> {
  return transact(db, async (tx) => {
    const key = keyOf(regions);
    // An outcome that arrives after a newer request is discarded.
    const updated = await tx.$executeRaw`
      UPDATE scale_out SET outcome = ${outcome} WHERE build = ${build} AND regions = ${key} AND asked_at = ${new Date(at)}`;
    if (updated === 0) return;
    const notified = await tx.$queryRaw<{ id: string; regions: string[]; tickets: string[] }[]>`
      WITH waiting AS (
        SELECT match.id, match.regions FROM placement JOIN match ON match.id = placement.match_id
        WHERE ${waits} AND placement.shortage <> ${outcome} AND match.build = ${build} AND ${matchKey} = ${key}
        FOR UPDATE OF placement SKIP LOCKED
      ), changed AS (
        UPDATE placement SET shortage = ${outcome} FROM waiting WHERE placement.match_id = waiting.id
      )
      SELECT waiting.id, waiting.regions, ARRAY(
        SELECT DISTINCT ticket_id FROM match_player WHERE match_id = waiting.id AND ticket_id IS NOT NULL ORDER BY 1
      ) AS tickets FROM waiting ORDER BY waiting.id`;
    const updates = notified.flatMap(({ id, regions: theirs, tickets }) => {
      const reason = writeReason([shortageReason(outcome, { build, regions: theirs })]);
      return matchUpdateJobs({ kind: 'placing', matchId: id, ticketIds: tickets, ...reason });
    });
    await enqueueAfterCommit(tx, 'allocator', updates);
  });
}
