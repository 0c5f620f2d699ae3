import type { Sql } from '@muster/db';
import type { ServerCommand } from '@muster/domain';

/** Queues a command for a server. The count locks the server row, so commands commit in the order of their `seq`. */
export async function command(
  tx: Sql,
  serverId: string,
  kind: ServerCommand['kind'],
  sessionId: string,
  payload: object,
  now: number,
): Promise<number> {
  const [queued] = await tx.$queryRaw<{ seq: number }[]>`
    WITH counted AS (
      UPDATE server SET command_seq = command_seq + 1 WHERE id = ${serverId} RETURNING command_seq
    )
    INSERT INTO command (server_id, seq, session_id, kind, payload, state, created_at)
    SELECT ${serverId}, command_seq, ${sessionId}, ${kind}, ${JSON.stringify(payload)}::jsonb, 'pending', ${new Date(now)}
    FROM counted RETURNING seq`;
  if (!queued) throw new Error(`there is no server ${serverId}`);
  return queued.seq;
}

/**
 * Locks the unanswered command that creates a session. Every transaction locks the command's row before the session's,
 * so that an answer and the end of the session do not deadlock.
 */
export async function lockOrder(tx: Sql, sessionId: string): Promise<void> {
  await tx.$executeRaw`
    SELECT 1 FROM command WHERE session_id = ${sessionId} AND kind = 'create-session' AND state = 'pending' FOR UPDATE`;
}

/** Withdraws the command that creates a session, unless it was answered. */
export async function withdrawOrder(tx: Sql, sessionId: string): Promise<void> {
  // Only this kind: a command to end the session, from another allocator, must remain.
  await tx.$executeRaw`
    UPDATE command SET state = 'withdrawn'
    WHERE session_id = ${sessionId} AND kind = 'create-session' AND state = 'pending'`;
}
