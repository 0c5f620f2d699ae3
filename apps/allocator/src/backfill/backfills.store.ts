import { outboxJobsOf } from '@muster/contracts';
import { type Db, enqueueAfterCommit, transact } from '@muster/db';
import {
  backfillFor,
  type BackfillFound,
  type BackfillRequest,
  type BackfillResult,
  closedJob,
  decideBackfill,
  decideSeatOrder,
  decideWithdrawal,
  type ServerIdentity,
  type TakenSeat,
} from '@muster/domain';
import { carryOut } from '../sessions/changes.store.js';
import { holdSession } from '../sessions/facts.store.js';
import { holdBackfill, holdTaken, readAsking, readHosted } from './backfill-facts.store.js';

/** A server asks for players; see `decideBackfill`. */
export function request(
  db: Db,
  sessionId: string,
  server: ServerIdentity,
  asked: BackfillRequest,
  now: number,
): Promise<BackfillResult> {
  return transact(db, async (tx) => {
    // The session's row first, as in `receive`: the end of the match and this wait for one another.
    const session = await holdSession(tx, sessionId);
    const asking = session && (await readAsking(tx, session, asked));
    return carryOut(tx, decideBackfill(asking, server, asked, now));
  });
}

export async function find(
  db: Db,
  sessionId: string,
  backfillId: string,
  serverId: string,
): Promise<BackfillFound> {
  return backfillFor(await readHosted(db.$sql, sessionId, backfillId), serverId);
}

/** A server wants no more players; see `decideWithdrawal`. */
export function withdraw(
  db: Db,
  sessionId: string,
  backfillId: string,
  serverId: string,
  now: number,
): Promise<BackfillFound> {
  return transact(db, async (tx) => {
    // The session's row first, as in `request`: who blames players, or clears them, holds it.
    await holdSession(tx, sessionId);
    // A statement of its own: one that waited for the lock sees the players as they were before it waited.
    await holdBackfill(tx, backfillId);
    return carryOut(tx, decideWithdrawal(await readHosted(tx, sessionId, backfillId), serverId, now));
  });
}

/** Ends backfills in one statement, as `decideOverdue` says. @returns their ids */
export function endOverdue(db: Db, now: number, limit: number): Promise<string[]> {
  return transact(db, async (tx) => {
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
export function seatFilled(db: Db, taken: TakenSeat, now: number): Promise<string | null> {
  return transact(db, async (tx) => {
    const [backfill] = await tx.$queryRaw<{ sessionId: string }[]>`
      SELECT session_id AS "sessionId" FROM backfill WHERE id = ${taken.backfillId}`;
    const session = backfill ? await holdSession(tx, backfill.sessionId) : null;
    const facts = session && (await holdTaken(tx, session, taken));
    return carryOut(tx, decideSeatOrder(facts, taken, now));
  });
}
