import { outboxJobsOf } from '@muster/contracts';
import { type Db, outboxJson, type Sql, transact } from '@muster/db';
import {
  type Changes,
  decideResult,
  type Decision,
  isLate,
  type ReceivedResult,
  type ReportedSession,
  type ResultDecided,
  type ResultReceived,
  type ServerIdentity,
} from '@muster/domain';
import { answer } from './answers.store.js';
import { noteBlame } from './blame.store.js';
import { carryOut } from './changes.store.js';
import { asMatch, holdSession, type MatchRow } from './facts.store.js';
import { holdLateFacts } from './late-result.store.js';

/** Processes the reported result of a session; see `decideResult`. */
export async function receive(
  db: Db,
  sessionId: string,
  server: ServerIdentity,
  result: ReceivedResult,
  now: number,
): Promise<ResultReceived> {
  const received = await receiveOnce(db, sessionId, server, result, now);
  if (received.outcome !== 'unanswered') return asReceived(received);
  // The server played the match, so it created the session. Its answer to the command may still be in flight to a
  // stalled replica.
  await answer(db, server, received.seq, { status: 'done' }, now);
  return asReceived(await receiveOnce(db, sessionId, server, result, now));
}

function asReceived(decided: ResultDecided): ResultReceived {
  if (decided.outcome === 'unanswered') return { outcome: 'withdrawn', state: 'reserved' };
  if (decided.outcome !== 'withdrawn') return decided;
  const { outcome, state, why } = decided;
  return { outcome, state, ...(why === null ? {} : { why: [why] }) };
}

function receiveOnce(
  db: Db,
  sessionId: string,
  server: ServerIdentity,
  result: ReceivedResult,
  now: number,
): Promise<ResultDecided> {
  return transact(db, async (tx) => {
    const decision = decideResult(await holdReported(tx, sessionId), server, result, now);
    return decision.outcome.outcome === 'counted' ? count(tx, decision) : carryOut(tx, decision);
  });
}

interface ReportedRow extends MatchRow {
  counted: string | null;
  unansweredSeq: number | null;
}

/** Locks a session and reads the facts of its result. */
async function holdReported(tx: Sql, sessionId: string): Promise<ReportedSession | null> {
  const session = await holdSession(tx, sessionId);
  if (!session) return null;
  const { matchId } = session;
  // A separate statement: one that waited for the lock reads the other tables by its older snapshot, and of two equal
  // concurrent reports the second would miss the first.
  const [row] = await tx.$queryRaw<ReportedRow[]>`
    SELECT (SELECT digest FROM result WHERE session_id = ${sessionId}) AS counted,
      (SELECT seq FROM command WHERE session_id = ${sessionId} AND kind = 'create-session' AND command.state = 'pending') AS "unansweredSeq",
      state, queue, blame, (
        SELECT jsonb_agg(jsonb_build_object('playerId', player_id, 'team', team, 'ticketId', ticket_id,
          'joinedAt', floor(extract(epoch FROM joined_at) * 1000), 'leftAt', floor(extract(epoch FROM left_at) * 1000)) ORDER BY player_id)
        FROM match_player WHERE match_id = match.id) AS players
    FROM match WHERE id = ${matchId}`;
  if (!row) throw new Error(`there is no match ${matchId}`);
  const { counted, unansweredSeq } = row;
  const late = isLate(session, counted) ? await holdLateFacts(tx, session) : null;
  return { session, counted, unansweredSeq, match: asMatch(matchId, row), late };
}

const none: Partial<Changes> = {};

/** Writes a result that counts, in one statement. */
async function count(tx: Sql, { outcome, changes, jobs }: Decision<ResultDecided>): Promise<ResultDecided> {
  const { matchId, session, match, result, blame = [] } = changes ?? none;
  if (session?.to !== 'ended' || match?.to !== 'ended' || !result)
    throw new Error('the decision counts no result');
  await noteBlame(tx, matchId ?? '', blame);
  const at = new Date(match.endedAt);
  const ended = await tx.$executeRaw`
    WITH counted AS (
      INSERT INTO result (session_id, match_id, digest, body, received_at)
      VALUES (${result.sessionId}, ${matchId}, ${result.digest}, ${JSON.stringify(result.body)}::jsonb, ${at})
    ), closed AS (
      UPDATE session SET state = 'ended', closed_at = coalesce(closed_at, ${at}) WHERE id = ${result.sessionId}
    ), enqueued AS (
      INSERT INTO outbox (owner, queue, job_id, payload)
      SELECT 'allocator', row.queue, row.job_id, row.payload
      FROM jsonb_to_recordset(${outboxJson(outboxJobsOf(jobs))}::jsonb) AS row(queue text, job_id text, payload jsonb)
    )
    UPDATE match SET state = 'ended', ended_at = ${at}, ranks = ${[...match.ranks]}::int[],
      played = ${JSON.stringify(match.played)}::jsonb, closed_at = NULL, close_reason = NULL, close_messages = NULL
    WHERE id = ${matchId} AND state = ANY(${[...match.from]}::text[])`;
  if (ended === 0) throw new Error(`match ${matchId} is not ${match.from.join(' or ')}, unlike its session`);
  return outcome;
}
