import { readResultRules } from '@muster/contracts';
import { type Db, type Sql, transact, sqlPart } from '@muster/db';
import {
  decideResult,
  type Decision,
  isLate,
  type ReceivedResult,
  type ReportedSession,
  type ResultDecided,
  type ResultReceived,
  type RosteredPlayer,
  type ServerIdentity,
  type SessionFacts,
  type TicketSeats,
} from '@muster/domain';
import { answer } from '../commands/answers.store.js';
import { carryOut } from '../match-life/changes.store.js';
import { count } from './count.store.js';
import { unseat } from '../match-life/seats.store.js';
import {
  asMatch,
  holdSession,
  matchColumns,
  outstandingSeats,
  playerJson,
  type MatchRow,
} from '../match-life/facts.store.js';
import { holdLateFacts } from './late-result.store.js';

/** The maximum number of results in one transaction. */
export const resultsAtOnce = 32;

/** The result of a session as its server reports it. */
export interface SessionReport {
  readonly sessionId: string;
  readonly server: ServerIdentity;
  readonly result: ReceivedResult;
  readonly now: number;
}

/** Processes the reported result of a session in any state; see `decideResult`. */
export async function receive(db: Db, report: SessionReport): Promise<ResultReceived> {
  const received = await receiveOnce(db, report);
  if (received.outcome !== 'unanswered') return received;
  const { server, now } = report;
  // The server played the match, so it created the session. Its answer to the command may still be in flight to a
  // stalled replica.
  await answer(db, { server, seq: received.seq, reply: { status: 'done' }, now });
  const again = await receiveOnce(db, report);
  return again.outcome === 'unanswered' ? { outcome: 'withdrawn', state: 'reserved' } : again;
}

function receiveOnce(db: Db, { sessionId, server, result, now }: SessionReport): Promise<ResultDecided> {
  return transact(db, async (tx) => {
    const decision = decideResult(await holdReported(tx, sessionId), server, result, now);
    if (decision.outcome.outcome !== 'counted') return carryOut(tx, decision);
    await count(tx, [decision]);
    for (const seats of decision.changes?.unseated ?? []) await unseat(tx, decision.outcome.matchId, seats);
    return decision.outcome;
  });
}

/**
 * Processes first results of live sessions; see `decideResult`. The locks are skipped where another transaction holds
 * them, so the batch neither waits nor takes part in a deadlock.
 *
 * @returns null for a result that does not count, a repeat, and a result whose rows are locked or in another state
 */
export async function receiveTogether(
  tx: Sql,
  reports: readonly SessionReport[],
): Promise<readonly (ResultReceived | null)[]> {
  const held = await holdLive(tx, [...new Set(reports.map(({ sessionId }) => sessionId))]);
  const results = new Map<SessionReport, ResultReceived>();
  const counted: Decision<ResultDecided>[] = [];
  for (const report of reports) {
    const { sessionId, server, result, now } = report;
    const decision = decideResult(held.get(sessionId) ?? null, server, result, now);
    // One that takes seats back is processed alone.
    if (decision.outcome.outcome !== 'counted' || decision.changes?.unseated) continue;
    counted.push(decision);
    results.set(report, decision.outcome);
    // Another result of the session is processed after it.
    held.delete(sessionId);
  }
  await count(tx, counted);
  return reports.map((report) => results.get(report) ?? null);
}

type LiveRow = SessionFacts & { matchState: MatchRow['state']; rules: unknown } & Pick<
    MatchRow,
    'queue' | 'blame' | 'massBlameShare'
  >;

interface Roster {
  matchId: string;
  players: RosteredPlayer[];
  outstanding: TicketSeats[] | null;
}

/** The rules for results of the pool of a match. */
const resultRules = sqlPart`(SELECT pool_version.rules -> 'results' FROM rating_pool
  JOIN pool_version ON pool_version.pool = rating_pool.name AND pool_version.version = rating_pool.version
  WHERE rating_pool.name = match.pool)`;

/**
 * Locks sessions and their matches, and reads the facts of the first results of those that are live. The states are not
 * conditions of the statement: Postgres may read all live sessions, by their partial index, rather than those that are named.
 * `ARRAY(SELECT unnest(…))`: a list in a parameter is planned at each execution, because a plan for its length seems cheaper
 * than the generic one.
 */
async function holdLive(tx: Sql, sessionIds: readonly string[]): Promise<Map<string, ReportedSession>> {
  const held = await tx.$queryRaw<LiveRow[]>`
    SELECT session.id AS "sessionId", match_id AS "matchId", session.server_id AS "serverId", incarnation, session.state,
      (extract(epoch FROM live_at) * 1000)::float8 AS "liveAt", match.state AS "matchState", queue, blame, (rules->>'massBlameShare')::float8 AS "massBlameShare",
      ${resultRules} AS rules
    FROM session JOIN match ON match.id = match_id
    WHERE session.id = ANY(ARRAY(SELECT unnest(${[...sessionIds]}::text[])))
    ORDER BY session.id FOR NO KEY UPDATE OF session, match SKIP LOCKED`;
  const sessions = held.filter(({ state, matchState }) => state === 'live' && matchState === 'placed');
  if (sessions.length === 0) return new Map();
  // A separate statement, which sees the players who joined or left before the session was locked.
  const rosters = await tx.$queryRaw<Roster[]>`
    SELECT match_id AS "matchId", json_agg(${playerJson} ORDER BY player_id) AS players,
      CASE WHEN count(backfill_id) > 0 THEN (SELECT ${outstandingSeats} FROM match WHERE match.id = match_id) END AS outstanding
    FROM match_player WHERE match_id = ANY(ARRAY(SELECT unnest(${sessions.map(({ matchId }) => matchId)}::text[]))) GROUP BY match_id`;
  const byMatch = new Map(rosters.map((row) => [row.matchId, row]));
  return new Map(
    sessions.map(({ matchState: state, queue, blame, massBlameShare, rules, ...row }) => [
      row.sessionId,
      {
        session: row,
        match: asMatch(row.matchId, {
          state,
          queue,
          blame,
          massBlameShare,
          players: null,
          ...byMatch.get(row.matchId),
        }),
        rules: readResultRules(rules),
        // The transaction that counts a result or answers the command also ends or starts the session.
        counted: null,
        unansweredSeq: null,
        late: null,
      },
    ]),
  );
}

interface ReportedRow extends MatchRow {
  counted: string | null;
  unansweredSeq: number | null;
  rules: unknown;
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
      ${resultRules} AS rules, ${matchColumns}
    FROM match WHERE id = ${matchId}`;
  if (!row) throw new Error(`there is no match ${matchId}`);
  const { counted, unansweredSeq } = row;
  const rules = readResultRules(row.rules);
  const late = isLate(session, counted) ? await holdLateFacts(tx, session) : null;
  return { session, counted, unansweredSeq, match: asMatch(matchId, row), rules, late };
}
