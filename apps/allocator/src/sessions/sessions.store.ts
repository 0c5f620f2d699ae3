import { readMessages, type ConflictDecision, type SentOrder } from '@muster/contracts';
import { BatchedTransactions, type Db, type Sql, transact } from '@muster/db';
import {
  type CalledOff,
  type CallOffResult,
  decideCallOff,
  decideEnd,
  decideFinish,
  decideOvertime,
  decideUnanswered,
  type EndableMatch,
  type EndMatchRequest,
  type EndMatchResult,
  type FinishResult,
  type MatchState,
  type Message,
  type ReceivedResult,
  type ResultReceived,
  type ServerIdentity,
} from '@muster/domain';
import { carryOut } from '../match-life/changes.store.js';
import { endSession, lockServer } from '../match-life/end-session.store.js';
import { holdSession, readMatch } from '../match-life/facts.store.js';
import { command, lockOrder } from '../match-life/queue-command.store.js';
import { noteMiss } from '../trust/trust.store.js';
import { receive, receiveTogether, resultsAtOnce, type SessionReport } from './results.store.js';

/** The minimum time between two batches of results, in milliseconds. */
const receivingMs = 50;

/** A report that does not count. */
export interface ResultConflict {
  readonly conflictId: number;
  readonly matchId: string;
  readonly reportedBy: string;
  readonly reason: string;
  /** The messages of `reason`; absent when the previous release wrote it. */
  readonly messages: readonly Message[] | undefined;
  readonly receivedAt: number;
  readonly body: unknown;
  /** What an operator decided; null: nothing yet. */
  readonly decision: {
    readonly as: ConflictDecision;
    readonly at: number;
    readonly by: string;
    readonly reason: string;
  } | null;
}

/** The sessions of matches. Each method is one transaction for each session, with its outbox entries. */
export class PostgresSessionStore {
  private readonly results: BatchedTransactions<SessionReport, ResultReceived>;

  constructor(private readonly db: Db) {
    this.results = new BatchedTransactions(db, {
      maxItems: resultsAtOnce,
      paceMs: receivingMs,
      together: receiveTogether,
      alone: (report: SessionReport) => receive(db, report),
    });
  }

  /** Accepts a result from the server that hosts the session, ends it, and enqueues its rating; see `decideResult`. */
  receive(
    sessionId: string,
    server: ServerIdentity,
    result: ReceivedResult,
    now: number,
  ): Promise<ResultReceived> {
    return this.results.submit('', { sessionId, server, result, now });
  }

  /** A server ends its session without a result: the match is abandoned and nobody is rated; see `decideCallOff`. */
  callOff(
    sessionId: string,
    server: ServerIdentity,
    calledOff: CalledOff,
    now: number,
  ): Promise<CallOffResult> {
    return transact(this.db, async (tx) =>
      carryOut(tx, decideCallOff(await holdHosted(tx, sessionId), server, calledOff, now)),
    );
  }

  /** Players are finished in a match that goes on: they are free; see `decideFinish`. */
  finish(
    sessionId: string,
    server: ServerIdentity,
    playerIds: readonly string[],
    now: number,
  ): Promise<FinishResult> {
    return transact(this.db, async (tx) =>
      carryOut(tx, decideFinish(await holdHosted(tx, sessionId), server, playerIds, now)),
    );
  }

  /** An operator ends a match that is formed or played; see `decideEnd`. */
  async endMatch(matchId: string, request: EndMatchRequest, now: number): Promise<EndMatchResult> {
    for (;;) {
      const result = await transact(this.db, async (tx) => {
        const ending = await holdEndable(tx, matchId);
        return ending === 'moved' ? null : carryOut(tx, decideEnd(ending, request, now));
      });
      if (result) return result;
    }
  }

  /**
   * Commands the server of a live session to move players. Repeating an order is a no-op.
   *
   * @returns the server to wake, or null for a no-op
   */
  commandBalance(
    sessionId: string,
    order: SentOrder & { readonly number: number },
    now: number,
  ): Promise<string | null> {
    return transact(this.db, async (tx) => {
      const [session] = await tx.$queryRaw<{ server_id: string; state: string }[]>`
        SELECT server_id, state FROM session WHERE id = ${sessionId} FOR UPDATE`;
      if (session?.state !== 'live') return null;
      const existing = await tx.$queryRaw<object[]>`
        SELECT 1 FROM command WHERE session_id = ${sessionId} AND kind = 'balance' AND payload->>'number' = ${String(order.number)}`;
      if (existing.length > 0) return null;
      await command(tx, session.server_id, 'balance', sessionId, order, now);
      return session.server_id;
    });
  }

  /**
   * Withdraws sessions that their servers did not create in time; see `decideUnanswered`. @returns the ids of their
   * matches
   */
  async withdrawUnanswered(now: number, limit: number): Promise<string[]> {
    // The state is a literal in the statement: only then can a cached plan use the partial index.
    const late = await this.db.$sql.$queryRaw<{ id: string; matchId: string; serverId: string }[]>`
      SELECT id, match_id AS "matchId", server_id AS "serverId" FROM session
      WHERE state = 'reserved' AND answer_by <= ${new Date(now)} ORDER BY answer_by LIMIT ${limit}`;
    const matches: string[] = [];
    for (const { id, matchId, serverId } of late) {
      const withdrawn = await transact(this.db, async (tx) => {
        await lockServer(tx, serverId);
        const isWithdrawn = await endSession(tx, id, (session, match) =>
          decideUnanswered(session, match, now),
        );
        if (isWithdrawn) await noteMiss(tx, serverId, now);
        return isWithdrawn;
      });
      if (withdrawn) matches.push(matchId);
    }
    return matches;
  }

  /** Ends matches beyond the time limit; see `decideOvertime`. @returns the ids of their sessions */
  async loseOverdue(liveBefore: number, now: number, limit: number): Promise<string[]> {
    const overdue = await this.db.$sql.$queryRaw<{ id: string; serverId: string }[]>`
      SELECT id, server_id AS "serverId" FROM session
      WHERE state = 'live' AND live_at < ${new Date(liveBefore)} ORDER BY live_at LIMIT ${limit}`;
    const lost: string[] = [];
    for (const { id, serverId } of overdue) {
      const isLost = await transact(this.db, async (tx) => {
        await lockServer(tx, serverId);
        return endSession(tx, id, (session, match) => decideOvertime(session, match, now));
      });
      if (isLost) lost.push(id);
    }
    return lost;
  }

  /** Reports that do not count, the newest first. */
  async conflicts(limit: number): Promise<ResultConflict[]> {
    const rows = await this.db.$sql.$queryRaw<(Omit<ResultConflict, 'messages'> & { messages: unknown })[]>`
      SELECT id AS "conflictId", match_id AS "matchId", reported_by AS "reportedBy", reason, messages,
        (extract(epoch FROM received_at) * 1000)::float8 AS "receivedAt", body,
        CASE WHEN decision IS NOT NULL THEN jsonb_build_object('as', decision, 'at', (extract(epoch FROM decided_at) * 1000)::bigint,
          'by', decided_by, 'reason', decided_why) END AS decision
      FROM result_conflict ORDER BY id DESC LIMIT ${limit}`;
    return rows.map(({ messages, ...conflict }) => ({
      ...conflict,
      messages: messages === null ? undefined : readMessages(messages, conflict.reason),
    }));
  }
}

/** Locks a session and reads its match. A result and another end of the session lock in the same order, so one of them counts. */
async function holdHosted(tx: Sql, sessionId: string) {
  const session = await holdSession(tx, sessionId);
  return session && { session, match: await readMatch(tx, session.matchId) };
}

/**
 * Locks the open session of a match, or its placement while it has none, and reads it.
 *
 * @returns `moved` when it got or lost a session meanwhile
 */
async function holdEndable(tx: Sql, matchId: string): Promise<EndableMatch | null | 'moved'> {
  const [known] = await tx.$queryRaw<{ state: MatchState }[]>`SELECT state FROM match WHERE id = ${matchId}`;
  if (!known) return null;
  const before = await openSession(tx, matchId);
  if (before) {
    await lockServer(tx, before.serverId);
    await lockOrder(tx, before.id);
  } else await tx.$executeRaw`SELECT 1 FROM placement WHERE match_id = ${matchId} FOR UPDATE`;
  const session = before ? await holdSession(tx, before.id) : null;
  // A statement of its own, which sees what the previous holder of the lock committed.
  if ((await openSession(tx, matchId))?.id !== before?.id) return 'moved';
  // A late result may be counted at the same time, and has no lock in common with this but the match itself.
  if (!before) await tx.$executeRaw`SELECT 1 FROM match WHERE id = ${matchId} FOR UPDATE`;
  return { match: await readMatch(tx, matchId), session };
}

async function openSession(tx: Sql, matchId: string): Promise<{ id: string; serverId: string } | undefined> {
  const [session] = await tx.$queryRaw<{ id: string; serverId: string }[]>`
    SELECT id, server_id AS "serverId" FROM session WHERE match_id = ${matchId} AND state IN ('reserved', 'live')`;
  return session;
}
