import { outboxJobsOf } from '@muster/contracts';
import { type Db, enqueueAfterCommit, type Sql, transact } from '@muster/db';
import {
  backfillFor,
  type BackfillFound,
  type BackfillRequest,
  type BackfillResult,
  closedJob,
  decideBackfill,
  decideSeatOrder,
  decideSeatWithdrawal,
  decideWithdrawal,
  type SeatOrder,
  type ServerIdentity,
  type TakenSeat,
} from '@muster/domain';
import { carryOut } from '../match-life/changes.store.js';
import { holdSession } from '../match-life/facts.store.js';
import { holdBackfill, holdTaken, readAsking, readHosted } from './backfill-facts.store.js';

/** Backfill requests of servers. Each method is one transaction with its outbox entries, `withdrawSeats` one for each command. */
export class PostgresBackfillStore {
  constructor(private readonly db: Db) {}

  /** A server asks for players; see `decideBackfill`. */
  request(
    sessionId: string,
    server: ServerIdentity,
    asked: BackfillRequest,
    now: number,
  ): Promise<BackfillResult> {
    return transact(this.db, async (tx) => {
      // The session's row first, as in `receive`: the end of the match and this wait for one another.
      const session = await holdSession(tx, sessionId);
      const asking = session && (await readAsking(tx, session, asked));
      return carryOut(tx, decideBackfill(asking, server, asked, now));
    });
  }

  async find(sessionId: string, backfillId: string, serverId: string): Promise<BackfillFound> {
    return backfillFor(await readHosted(this.db.$sql, sessionId, backfillId), serverId);
  }

  /** A server wants no more players; see `decideWithdrawal`. */
  withdraw(sessionId: string, backfillId: string, serverId: string, now: number): Promise<BackfillFound> {
    return transact(this.db, async (tx) => {
      // The session's row first, as in `request`: who blames players, or clears them, holds it.
      await holdSession(tx, sessionId);
      // A statement of its own: one that waited for the lock sees the players as they were before it waited.
      await holdBackfill(tx, backfillId);
      return carryOut(tx, decideWithdrawal(await readHosted(tx, sessionId, backfillId), serverId, now));
    });
  }

  /** Ends backfills with their sessions, or when their time is over, in one statement. @returns their ids */
  endOverdue(now: number, limit: number): Promise<string[]> {
    return transact(this.db, async (tx) => {
      const at = new Date(now);
      const ended = await tx.$queryRaw<{ id: string; queue: string | null }[]>`
        WITH due AS MATERIALIZED (
          SELECT backfill.id, session.state = 'live' AS live, match.queue FROM backfill
          JOIN session ON session.id = backfill.session_id JOIN match ON match.id = backfill.match_id
          WHERE backfill.state = 'open' AND (backfill.expires_at <= ${at} OR session.state <> 'live')
          LIMIT ${limit} FOR UPDATE OF backfill SKIP LOCKED
        )
        UPDATE backfill SET state = CASE WHEN due.live THEN 'expired' ELSE 'withdrawn' END, closed_at = ${at}
        FROM due WHERE backfill.id = due.id RETURNING backfill.id, due.queue`;
      await enqueueAfterCommit(
        tx,
        'allocator',
        outboxJobsOf(ended.map(({ id, queue }) => closedJob(id, queue))),
      );
      return ended.map(({ id }) => id);
    });
  }

  /** Commands a server to let a ticket in; see `decideSeatOrder`. @returns the server to wake, or null */
  seatFilled(taken: TakenSeat, now: number): Promise<string | null> {
    return transact(this.db, async (tx) => {
      const [backfill] = await tx.$queryRaw<{ sessionId: string }[]>`
        SELECT session_id AS "sessionId" FROM backfill WHERE id = ${taken.backfillId}`;
      const session = backfill ? await holdSession(tx, backfill.sessionId) : null;
      const facts = session && (await holdTaken(tx, session, taken));
      return carryOut(tx, decideSeatOrder(facts, taken, now));
    });
  }

  /** Withdraws commands to let players in that are older than that; see `decideSeatWithdrawal`. @returns the ids of their proposals */
  async withdrawSeats(sentBefore: number, limit: number): Promise<string[]> {
    // Kind and state are literals in the statement: only then can a cached plan use the partial index.
    const late = await this.db.$sql.$queryRaw<{ serverId: string; seq: number; payload: unknown }[]>`
      SELECT server_id AS "serverId", seq, payload FROM command
      WHERE kind = 'add-players' AND state = 'pending' AND created_at <= ${new Date(sentBefore)}
      ORDER BY created_at LIMIT ${limit}`;
    const withdrawn: string[] = [];
    for (const { serverId, seq, payload } of late) {
      // Written by `decideSeatOrder`.
      const order = payload as SeatOrder;
      const isWithdrawn = await transact(this.db, async (tx) =>
        carryOut(tx, decideSeatWithdrawal(await holdLate(tx, serverId, seq, order))),
      );
      if (isWithdrawn) withdrawn.push(order.proposalId);
    }
    return withdrawn;
  }
}

/** Locks a command, then its session: the order of `answer`, so that a late answer and this wait for one another. */
async function holdLate(tx: Sql, serverId: string, seq: number, order: SeatOrder) {
  const [command] = await tx.$queryRaw<{ sessionId: string }[]>`
    SELECT session_id AS "sessionId" FROM command
    WHERE server_id = ${serverId} AND seq = ${seq} AND state = 'pending' FOR UPDATE`;
  const session = command && (await holdSession(tx, command.sessionId));
  if (!session) return null;
  const { sessionId, matchId, state } = session;
  return { serverId, seq, order, sessionId, matchId, sessionLive: state === 'live' };
}
