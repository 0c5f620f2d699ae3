import { type Db, type Sql, transact } from '@muster/db';
import {
  decideLoss,
  decideSilence,
  decideSilenced,
  defaultResumeSeconds,
  message,
  type PlacementTimeouts,
  type SilencedSession,
  silentMs,
} from '@muster/domain';
import { endAllocation, lostGraceMs } from '../hosting/claims.store.js';
import { endSession } from '../match-life/end-session.store.js';

/** A silent server, and when at least half of each of its groups were heard. */
interface Silent {
  readonly id: string;
  readonly heardAt: Date;
  /** `since` is null when fewer than half of the group are heard. */
  readonly groups: readonly { readonly until: number; readonly since: number | null }[];
}

/** What servers lose by their silence. */
export class PostgresSilence {
  constructor(private readonly db: Db) {}

  /**
   * Ends live sessions whose servers have been silent for longer than the rules of their matches allow (`decideSilence`), and
   * marks servers without such matches lost. Silence counts only while most servers were heard (`silentMs`). One transaction
   * per server, so that a blocked one does not delay the others.
   *
   * @returns the ids of servers that were lost or lost a session
   */
  async loseSilent(timeouts: PlacementTimeouts, now: number, limit: number): Promise<string[]> {
    const silentSince = new Date(now - timeouts.silenceMs);
    // Mostly nobody is silent, and then no server is read.
    const [first] = await this.db.$sql.$queryRaw<object[]>`
      SELECT 1 FROM server WHERE state IN ('ready', 'draining') AND heartbeat_at < ${silentSince} ORDER BY heartbeat_at LIMIT 1`;
    const lost: string[] = [];
    for (const silent of first ? await this.silentServers(timeouts, now, limit) : [])
      if (await transact(this.db, (tx) => silence(tx, silent, timeouts, now))) lost.push(silent.id);
    return lost;
  }

  /**
   * The servers that lose something, by `silentMs` and `decideSilence`: those without a live session, or with one that may not
   * be resumed any more.
   */
  private silentServers(
    { silenceMs, massSilenceMs }: PlacementTimeouts,
    now: number,
    limit: number,
  ): Promise<Silent[]> {
    const at = new Date(now);
    const silentSince = new Date(now - silenceMs);
    const massSince = new Date(now - massSilenceMs);
    // Groups are marked by GROUPING: 3 is all servers, 1 a region, 2 an allocator.
    return this.db.$sql.$queryRaw<Silent[]>`
      WITH heard AS MATERIALIZED (
        SELECT GROUPING(region, heard_by) AS kind, region, heard_by, count(*) AS servers,
          percentile_disc(0.5) WITHIN GROUP (ORDER BY heartbeat_at DESC) AS until,
          percentile_disc(0.5) WITHIN GROUP (ORDER BY CASE
            WHEN heartbeat_at > ${silentSince}::timestamptz THEN heard_since ELSE 'infinity' END) AS since
        FROM server WHERE state IN ('ready', 'draining') GROUP BY GROUPING SETS ((), (region), (heard_by))
      ), silent AS MATERIALIZED (
        SELECT server.id, server.heartbeat_at, min(CASE
            WHEN heard.until < ${massSince}::timestamptz THEN ${at}::timestamptz - server.heartbeat_at
            WHEN heard.since = 'infinity' THEN interval '0'
            ELSE heard.until - greatest(server.heartbeat_at, heard.since) END) AS silence,
          jsonb_agg(jsonb_build_object('until', extract(epoch FROM heard.until) * 1000,
            'since', CASE WHEN heard.since < 'infinity' THEN extract(epoch FROM heard.since) * 1000 END)) AS groups
        FROM server JOIN heard ON heard.kind = 3
          OR (heard.kind = 1 AND heard.servers > 1 AND heard.region = server.region)
          OR (heard.kind = 2 AND heard.servers > 1 AND heard.heard_by = server.heard_by)
        WHERE state IN ('ready', 'draining') AND server.heartbeat_at < ${silentSince}
        GROUP BY server.id
      ), due AS (
        SELECT silent.id, silent.heartbeat_at, silent.groups, count(session.id) AS live, count(session.id) FILTER (
            WHERE silent.silence > make_interval(secs => coalesce((match.rules->>'resumeSeconds')::float8, ${defaultResumeSeconds}))
          ) AS over
        FROM silent
        LEFT JOIN session ON session.server_id = silent.id AND session.state = 'live'
        LEFT JOIN match ON match.id = session.match_id
        WHERE silent.silence > make_interval(secs => ${silenceMs / 1000}::float8)
        GROUP BY silent.id, silent.heartbeat_at, silent.groups
      )
      SELECT id, heartbeat_at AS "heardAt", groups FROM due WHERE live = 0 OR over > 0 ORDER BY heartbeat_at LIMIT ${limit}`;
  }
}

/** @returns whether the server lost something; false when it was heard meanwhile */
async function silence(
  tx: Sql,
  { id, heardAt, groups }: Silent,
  timeouts: PlacementTimeouts,
  now: number,
): Promise<boolean> {
  const held = await tx.$queryRaw<object[]>`
    SELECT 1 FROM server WHERE id = ${id} AND state IN ('ready', 'draining') AND heartbeat_at = ${heardAt} FOR NO KEY UPDATE`;
  if (held.length === 0) return false;
  // A statement of its own: one that waited for the lock has a snapshot from before.
  const sessions = await tx.$queryRaw<SilencedSession[]>`
    SELECT session.id AS "sessionId", session.state, (match.rules->>'resumeSeconds')::float8 AS "resumeSeconds"
    FROM session JOIN match ON match.id = session.match_id
    WHERE session.server_id = ${id} AND session.state IN ('reserved', 'live') ORDER BY session.id`;
  const heard = groups.map(({ until, since }) => ({ until, since: since ?? Infinity }));
  const { isLost, sessionIds } = decideSilence(
    silentMs(heardAt.getTime(), heard, now, timeouts),
    sessions,
    timeouts,
  );
  const reason = message('session.server-silent');
  if (isLost) {
    await tx.$executeRaw`UPDATE server SET state = 'lost', incarnation = incarnation + 1 WHERE id = ${id}`;
    await endAllocation(tx, id, now + lostGraceMs);
  }
  for (const sessionId of sessionIds)
    await endSession(tx, sessionId, (session, match) =>
      isLost
        ? decideLoss(session, match, reason, now, heardAt.getTime())
        : decideSilenced(session, match, heardAt.getTime(), now),
    );
  return isLost || sessionIds.length > 0;
}
