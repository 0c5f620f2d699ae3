import type { Tx } from '@muster/db';
import type { ServerCommand } from '@muster/domain';

/** Queues a command for a server. The server row is locked by the count, so commands commit in the order of their `seq`. */
export async function command(
  tx: Tx,
  serverId: string,
  kind: ServerCommand['kind'],
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

/**
 * Locks the unanswered command that creates a session. The command's row comes before the session's in every transaction, so that
 * an answer and the end of the session do not deadlock.
 */
export async function lockOrder(tx: Tx, sessionId: string): Promise<void> {
  await tx.$executeRaw`
    SELECT 1 FROM command WHERE session_id = ${sessionId} AND kind = 'create-session' AND state = 'pending' FOR UPDATE`;
}

/** Withdraws the command that creates a session, unless it is answered. */
export async function withdrawOrder(tx: Tx, sessionId: string): Promise<void> {
  // Of this kind alone: a command to end the session, which another allocator gave meanwhile, has to stand.
  const where = { sessionId, kind: 'create-session', state: 'pending' };
  await tx.command.updateMany({ where, data: { state: 'withdrawn' } });
}
