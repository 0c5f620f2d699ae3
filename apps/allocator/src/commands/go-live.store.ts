import { outboxJobsOf } from '@muster/contracts';
import type { Sql } from '@muster/db';
import type { AnswerResult, Changes, Decision, ServerIdentity } from '@muster/domain';

/** A decision that makes a session live, and the registration under which its server answered. */
export interface GoingLive {
  readonly decision: Decision<AnswerResult>;
  readonly server: ServerIdentity;
}

/** Whether a decision makes a session live. */
export function isLive({ changes }: Decision<unknown>): boolean {
  return changes?.match?.to === 'placed';
}

const none: Partial<Changes> = {};

/**
 * Makes sessions live, in one statement: a session and its match change together or not at all. The caller holds the
 * sessions' pending commands. The former states are values, not literals: no partial index is read instead of the keys.
 *
 * @returns the results, in order; `withdrawn` for a session that is not reserved any more
 */
export async function goLive(tx: Sql, all: readonly GoingLive[]): Promise<readonly AnswerResult[]> {
  if (all.length === 0) return [];
  const rows = all.map(rowOf);
  const jobs = all.flatMap(({ decision }, i) =>
    outboxJobsOf(decision.jobs).map(({ queue, jobId, payload }) => ({
      match_id: rows[i]?.match_id,
      queue,
      job_id: jobId,
      payload,
    })),
  );
  const sessionIds = rows.map(({ session_id }) => session_id);
  const matchIds = rows.map(({ match_id }) => match_id);
  const moved = await tx.$queryRaw<{ id: string; placed: boolean }[]>`
    WITH asked AS MATERIALIZED (
      SELECT session_id, match_id, server_id, seq, incarnation, session_from, match_from, region, host, port, at
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row(session_id text, match_id text, server_id text, seq int,
        incarnation int, session_from text[], match_from text[], region text, host text, port int, at timestamptz)
    ), live AS (
      UPDATE session SET state = 'live', host = asked.host, port = asked.port, live_at = asked.at FROM asked
      WHERE session.id = asked.session_id AND session.id = ANY(${sessionIds}::text[])
        AND session.state = ANY(asked.session_from) AND session.incarnation = asked.incarnation
      RETURNING session.id, asked.match_id, asked.server_id, asked.seq, asked.match_from, asked.region, asked.at
    ), answered AS (
      UPDATE command SET state = 'done' FROM live WHERE command.server_id = live.server_id AND command.seq = live.seq
    ), placed AS (
      UPDATE match SET state = 'placed', session_id = live.id, server_id = live.server_id, region = live.region,
        placed_at = live.at
      FROM live
      WHERE match.id = live.match_id AND match.id = ANY(${matchIds}::text[]) AND match.state = ANY(live.match_from)
      RETURNING match.id
    ), settled AS (
      DELETE FROM placement USING placed
      WHERE placement.match_id = placed.id AND placement.match_id = ANY(${matchIds}::text[])
    ), enqueued AS (
      INSERT INTO outbox (owner, queue, job_id, payload)
      SELECT 'allocator', row.queue, row.job_id, row.payload
      FROM jsonb_to_recordset(${JSON.stringify(jobs)}::jsonb) AS row(match_id text, queue text, job_id text, payload jsonb)
      JOIN placed ON placed.id = row.match_id
    )
    SELECT live.id, placed.id IS NOT NULL AS placed FROM live LEFT JOIN placed ON placed.id = live.match_id`;
  const isPlaced = new Map(moved.map(({ id, placed }) => [id, placed]));
  return all.map(({ decision: { outcome } }, i): AnswerResult => {
    const { session_id = '', match_id = '' } = rows[i] ?? {};
    const placed = isPlaced.get(session_id);
    if (placed === undefined) return { outcome: 'withdrawn' };
    // A match leaves `formed` only with its reserved session, so this is a broken invariant; the transaction is rolled
    // back.
    if (!placed)
      throw new Error(`match ${match_id} is not formed although session ${session_id} was reserved for it`);
    return outcome;
  });
}

function rowOf({ decision, server: { incarnation } }: GoingLive) {
  const { matchId, session, match, answered } = decision.changes ?? none;
  if (matchId === undefined || session?.to !== 'live' || match?.to !== 'placed' || answered?.state !== 'done')
    throw new Error('the decision does not make a session live');
  const { sessionId, host, port, liveAt } = session;
  const { serverId, seq } = answered;
  return {
    session_id: sessionId,
    match_id: matchId,
    server_id: serverId,
    seq,
    incarnation,
    session_from: session.from,
    match_from: match.from,
    region: match.region,
    host,
    port,
    at: new Date(liveAt),
  };
}
