import { type EndOfMatch, matchEndJobs, matchUpdateJobs } from '@muster/contracts';
import { enqueueAfterCommit, type Tx } from '@muster/db';

/**
 * Takes a server's row. Whoever touches a server and its sessions takes it first: then those who end the same session for
 * different reasons wait for one another instead of locking up.
 */
export async function lockServer(tx: Tx, serverId: string): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM server WHERE id = ${serverId} FOR NO KEY UPDATE`;
}

/** Queues a command for a server. The server row is locked by the count, so commands commit in the order of their `seq`. */
export async function command(
  tx: Tx,
  serverId: string,
  kind: 'create-session' | 'add-players' | 'balance' | 'end-session',
  sessionId: string,
  payload: object,
  now: number,
): Promise<number> {
  const { commandSeq } = await tx.server.update({
    where: { id: serverId },
    data: { commandSeq: { increment: 1 } },
    select: { commandSeq: true },
  });
  await tx.command.create({
    data: { serverId, seq: commandSeq, kind, sessionId, payload, state: 'pending', createdAt: new Date(now) },
  });
  return commandSeq;
}

/** The tickets of a match. */
export async function ticketsOf(tx: Tx, matchId: string): Promise<{ ticketId: string; team: number }[]> {
  const rows = await tx.matchPlayer.findMany({
    where: { matchId, ticketId: { not: null } },
    select: { ticketId: true, team: true },
    distinct: ['ticketId'],
  });
  return rows.flatMap(({ ticketId, team }) => (ticketId === null ? [] : [{ ticketId, team }]));
}

/**
 * Ends a match that never came to a result: frees its players and promises to tell them. No effect on a closed match.
 *
 * @param tell what its tickets are told; that it is abandoned unless given
 */
export async function abandon(
  tx: Tx,
  matchId: string,
  reason: string,
  now: number,
  tell: (ticketIds: string[]) => EndOfMatch = (ticketIds) => ({
    kind: 'abandoned',
    matchId,
    ticketIds,
    reason,
  }),
): Promise<boolean> {
  const [ended] = await tx.match.updateManyAndReturn({
    where: { id: matchId, state: { in: ['formed', 'placed'] } },
    data: { state: 'abandoned', closedAt: new Date(now), closeReason: reason },
    select: { queue: true, blame: true },
  });
  if (!ended) return false;
  await tx.livePlayer.deleteMany({ where: { matchId } });
  await tx.placement.deleteMany({ where: { matchId } });
  const ticketIds = (await ticketsOf(tx, matchId)).map((ticket) => ticket.ticketId);
  await enqueueAfterCommit(tx, 'allocator', matchEndJobs(tell(ticketIds), ended.queue, ended.blame));
  return true;
}

/** Takes back the order to create a session, should it not be answered yet. */
export async function withdrawOrder(tx: Tx, sessionId: string): Promise<void> {
  // Of this kind alone: an order to end the session, which another allocator gave meanwhile, has to stand.
  const where = { sessionId, kind: 'create-session', state: 'pending' };
  await tx.command.updateMany({ where, data: { state: 'withdrawn' } });
}

/**
 * Loses a session: one that was reserved sends its match on to the next server, one that was live ends its match.
 * The command's row comes before the session's, as in `answer`, so that an answer and this do not lock each other up.
 *
 * @returns false when it had ended before
 */
export async function loseSession(
  tx: Tx,
  session: { id: string; matchId: string },
  reason: string,
  now: number,
): Promise<boolean> {
  await withdrawOrder(tx, session.id);
  const [lost] = await tx.session.updateManyAndReturn({
    where: { id: session.id, state: { in: ['reserved', 'live'] } },
    data: { state: 'lost', reason, closedAt: new Date(now) },
    select: { liveAt: true },
  });
  if (!lost) return false;
  // Whether it was live is asked of the row as it was lost: since the caller read it, the server may have answered.
  if (lost.liveAt) await abandon(tx, session.matchId, reason, now);
  else await goOn(tx, session.matchId, 'The server that was asked is gone; the next best is asked.', now);
  return true;
}

/** A match whose server is not to be goes on to the next best: it is due now, and its tickets are told why. */
export async function goOn(tx: Tx, matchId: string, reason: string, now: number): Promise<void> {
  await tryAgain(tx, matchId, now);
  const ticketIds = (await ticketsOf(tx, matchId)).map((ticket) => ticket.ticketId);
  await enqueueAfterCommit(tx, 'allocator', matchUpdateJobs({ kind: 'placing', matchId, ticketIds, reason }));
}

/** Makes the match's next placement attempt due now. */
async function tryAgain(tx: Tx, matchId: string, now: number): Promise<void> {
  await tx.placement.updateMany({ where: { matchId }, data: { nextAttemptAt: new Date(now) } });
}
