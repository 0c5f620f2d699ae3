import { matchUpdateJobs, writeReason } from '@muster/contracts';
import { type Db, enqueueAfterCommit, Prisma, type Sql, transact } from '@muster/db';
import {
  type ScaleOutOutcome,
  type ServerShortage,
  type Shortage,
  shortageReason,
  type UnplacedMatch,
} from '@muster/domain';

/** Shortages that one call claims; the others are claimed by the next. */
const claimsAtOnce = 20;
/** Rows about builds that nobody plays any more are taken away after so long. */
const forgetMs = 86_400_000;

/** The regions of a shortage whatever their order: names hold no commas. */
const keyOf = (regions: readonly string[]): string => regions.toSorted().join(',');

/** The same in SQL, of a match's regions. "C": in the order that JavaScript has. */
const matchKey = Prisma.sql`array_to_string(ARRAY(SELECT unnest(match.regions) COLLATE "C" ORDER BY 1), ',')`;

/** Matches that found no free server and ask none right now. */
const waits = Prisma.sql`placement.shortage IS NOT NULL AND match.state = 'formed'
  AND NOT EXISTS (SELECT 1 FROM session WHERE session.match_id = match.id AND session.state IN ('reserved', 'live'))`;

/** What a match without a server is to be told: what came of asking lately, or what it was told before. */
export async function shortageNow(
  tx: Sql,
  { build, regions, shortage }: Pick<UnplacedMatch, 'build' | 'regions' | 'shortage'>,
  now: number,
): Promise<Shortage> {
  const [asked] = await tx.$queryRaw<{ outcome: string; ask_again_at: Date }[]>`
    SELECT outcome, ask_again_at FROM scale_out WHERE build = ${build ?? ''} AND regions = ${keyOf(regions)}`;
  const outcome = asked && asked.ask_again_at.getTime() > now ? asked.outcome : 'asking';
  return outcome === 'starting' || outcome === 'failed' ? outcome : (shortage ?? 'none-free');
}

/** Whoever writes the row asks: a row that another replica wrote meanwhile is passed over. */
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

/** Tells those who wait, but for matches that somebody is at right now: these learn it at their next attempt. */
export function settleShortage(
  db: Db,
  { build, regions, at }: ServerShortage,
  outcome: ScaleOutOutcome,
): Promise<void> {
  return transact(db, async (tx) => {
    const key = keyOf(regions);
    // An answer that comes when somebody else has been asked since is old news.
    const kept = await tx.$executeRaw`
      UPDATE scale_out SET outcome = ${outcome} WHERE build = ${build} AND regions = ${key} AND asked_at = ${new Date(at)}`;
    if (kept === 0) return;
    const told = await tx.$queryRaw<{ id: string; regions: string[]; tickets: string[] }[]>`
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
    const news = told.flatMap(({ id, regions: theirs, tickets }) => {
      const reason = writeReason([shortageReason(outcome, { build, regions: theirs })]);
      return matchUpdateJobs({ kind: 'placing', matchId: id, ticketIds: tickets, ...reason });
    });
    await enqueueAfterCommit(tx, 'allocator', news);
  });
}
