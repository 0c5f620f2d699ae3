import { type Db, type Sql, transact } from '@muster/db';
import { decideSeatWithdrawal, type SeatCommand, type SeatOrder } from '@muster/domain';
import { carryOut } from '../sessions/changes.store.js';
import { holdSession } from '../sessions/facts.store.js';

/** A command to let players in, with the address of its server. */
export interface SeatCommandRow {
  readonly payload: unknown;
  readonly sessionId: string;
  readonly matchId: string;
  readonly region: string;
  readonly host: string;
  readonly port: number;
}

/** Locks the session of an unanswered command to let players in, whose row the caller holds, and reads where players connect. */
export async function holdSeatCommand(
  tx: Sql,
  serverId: string,
  seq: number,
  { payload, sessionId, matchId, region, ...server }: SeatCommandRow,
): Promise<SeatCommand> {
  const [session] = await tx.$queryRaw<{ live: boolean; host: string | null; port: number | null }[]>`
    SELECT state = 'live' AS live, host, port FROM session WHERE id = ${sessionId} FOR UPDATE`;
  return {
    serverId,
    seq,
    // Written by `decideSeatOrder`.
    order: payload as SeatOrder,
    sessionId,
    matchId,
    sessionLive: session?.live ?? false,
    region,
    host: session?.host ?? server.host,
    port: session?.port ?? server.port,
  };
}

/** Withdraws commands to let players in that are older than that; see `decideSeatWithdrawal`. @returns the ids of their proposals */
export async function withdrawSeats(db: Db, sentBefore: number, limit: number): Promise<string[]> {
  // Kind and state are literals in the statement: only then can a cached plan use the partial index.
  const late = await db.$sql.$queryRaw<{ serverId: string; seq: number; payload: unknown }[]>`
    SELECT server_id AS "serverId", seq, payload FROM command
    WHERE kind = 'add-players' AND state = 'pending' AND created_at <= ${new Date(sentBefore)}
    ORDER BY created_at LIMIT ${limit}`;
  const withdrawn: string[] = [];
  for (const { serverId, seq, payload } of late) {
    // Written by `decideSeatOrder`.
    const order = payload as SeatOrder;
    const isWithdrawn = await transact(db, async (tx) =>
      carryOut(tx, decideSeatWithdrawal(await holdLate(tx, serverId, seq, order))),
    );
    if (isWithdrawn) withdrawn.push(order.proposalId);
  }
  return withdrawn;
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
