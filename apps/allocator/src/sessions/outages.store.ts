import { outboxJobsOf, readOffences } from '@muster/contracts';
import { enqueueAfterCommit, type Db, type Sql, transact } from '@muster/db';
import { acquit, outagesOf, outageWindowsMs, type Outage, type FinishedMatch } from '@muster/domain';
import { noteBlame } from '../match-life/changes.store.js';

/** The most matches that are examined: the newest. */
const examined = 5_000;

/** Outages in the matches that were over lately. Any number of replicas may look: the first lifts the penalties. */
export class PostgresOutages {
  constructor(private readonly db: Db) {}

  /**
   * Lifts the penalties of matches that had an outage; see `outagesOf`. Each match is written in a transaction of its own.
   *
   * @returns the outages, with the matches whose penalties this call lifted
   */
  async lift(now: number): Promise<Outage[]> {
    const lifted: Outage[] = [];
    for (const outage of outagesOf(await finishedMatches(this.db.$sql, now), now)) {
      const matchIds: string[] = [];
      for (const matchId of outage.matchIds)
        if (await transact(this.db, (tx) => excuse(tx, matchId, outage, now))) matchIds.push(matchId);
      if (matchIds.length > 0) lifted.push({ ...outage, matchIds });
    }
    return lifted;
  }
}

/** Matches that were over with a word of their server. Those whose server was lost blame nobody. */
function finishedMatches(sql: Sql, now: number): Promise<FinishedMatch[]> {
  const since = new Date(now - Math.max(...outageWindowsMs));
  return sql.$queryRaw<FinishedMatch[]>`
    SELECT match.id AS "matchId", over.server_id AS "serverId", coalesce(match.region, '') AS region, (extract(epoch FROM over.closed_at) * 1000)::float8 AS "overAt",
      (match.rules->>'massBlameShare')::float8 AS "massBlameShare",
      jsonb_path_query_first(match.blame, '$[*].outage') #>> '{}' AS "excusedBy", counts.*
    FROM (
      SELECT match_id, server_id, closed_at FROM session
      WHERE closed_at > ${since} AND closed_at <= ${new Date(now)} AND state IN ('ended', 'abandoned')
      ORDER BY closed_at DESC LIMIT ${examined}
    ) AS over
    JOIN match ON match.id = over.match_id
    CROSS JOIN LATERAL (
      SELECT count(DISTINCT coalesce(ticket_id, player_id))::int AS parties,
        (count(DISTINCT coalesce(ticket_id, player_id)) FILTER (
          WHERE jsonb_path_exists(match.blame, '$[*] ? (@.playerId == $id && !exists(@.withdrawnAt))',
            jsonb_build_object('id', player_id))))::int AS blamed
      FROM match_player WHERE match_id = match.id
    ) AS counts`;
}

/** @returns whether any offence of the match counted until now */
async function excuse(
  tx: Sql,
  matchId: string,
  { scope, why }: Pick<Outage, 'scope' | 'why'>,
  now: number,
): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ queue: string | null; blame: unknown }[]>`
    SELECT queue, blame FROM match WHERE id = ${matchId} FOR NO KEY UPDATE`;
  const blame = readOffences(row?.blame);
  const { jobs } = acquit({ matchId, queue: row?.queue ?? null, blame }, why, now);
  if (jobs.length === 0) return false;
  await noteBlame(
    tx,
    matchId,
    blame.map((each) => ({ ...each, lifted: true, outage: scope })),
  );
  await enqueueAfterCommit(tx, 'allocator', outboxJobsOf(jobs));
  return true;
}
