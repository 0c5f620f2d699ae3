import { outboxJobsOf } from '@muster/contracts';
import { outboxJson, type Sql } from '@muster/db';
import type { Changes, Decision } from '@muster/domain';

const none: Partial<Changes> = {};

/**
 * Writes results that count, in one statement. The caller holds the sessions.
 *
 * @throws Error when a match has left the state that its decision assumed
 */
export async function count(tx: Sql, decisions: readonly Decision<unknown>[]): Promise<void> {
  if (decisions.length === 0) return;
  const rows = decisions.map(rowOf);
  const jobs = outboxJson(decisions.flatMap((decision) => outboxJobsOf(decision.jobs)));
  const matchIds = rows.map(({ match_id }) => match_id);
  const ended = await tx.$queryRaw<{ id: string }[]>`
    WITH asked AS MATERIALIZED (
      SELECT session_id, match_id, digest, body, at, from_states, ranks, played, blame
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row(session_id text, match_id text, digest text, body jsonb,
        at timestamptz, from_states text[], ranks int[], played jsonb, blame jsonb)
    ), counted AS (
      INSERT INTO result (session_id, match_id, digest, body, received_at)
      SELECT session_id, match_id, digest, body, at FROM asked
    ), closed AS (
      UPDATE session SET state = 'ended', closed_at = coalesce(session.closed_at, asked.at) FROM asked
      WHERE session.id = asked.session_id AND session.id = ANY(${rows.map(({ session_id }) => session_id)}::text[])
    ), enqueued AS (
      INSERT INTO outbox (owner, queue, job_id, payload)
      SELECT 'allocator', row.queue, row.job_id, row.payload
      FROM jsonb_to_recordset(${jobs}::jsonb) AS row(queue text, job_id text, payload jsonb)
    )
    UPDATE match SET state = 'ended', ended_at = asked.at, ranks = asked.ranks, played = asked.played,
      blame = coalesce(asked.blame, match.blame),
      closed_at = NULL, close_reason = NULL, close_messages = NULL
    FROM asked
    WHERE match.id = asked.match_id AND match.id = ANY(${matchIds}::text[]) AND match.state = ANY(asked.from_states)
    RETURNING match.id`;
  if (ended.length === rows.length) return;
  const done = new Set(ended.map(({ id }) => id));
  const unlike = rows.find(({ match_id }) => !done.has(match_id));
  throw new Error(`match ${unlike?.match_id} is not ${unlike?.from_states.join(' or ')}, unlike its session`);
}

function rowOf({ changes }: Decision<unknown>) {
  const { matchId, session, match, result, blame = null } = changes ?? none;
  if (matchId === undefined || session?.to !== 'ended' || match?.to !== 'ended' || !result)
    throw new Error('the decision counts no result');
  return {
    session_id: result.sessionId,
    match_id: matchId,
    digest: result.digest,
    body: result.body,
    at: new Date(match.endedAt),
    from_states: match.from,
    ranks: match.ranks,
    played: match.played,
    blame,
  };
}
