import { type Db, transact } from '@muster/db';
import type { SentOrder } from '@muster/domain';
import { command } from './commands.store.js';

/**
 * Commands the server of a live session to move players. Repeating an order is a no-op.
 *
 * @returns the server to wake, or null for a no-op
 */
export function commandBalance(
  db: Db,
  sessionId: string,
  order: SentOrder & { readonly number: number },
  now: number,
): Promise<string | null> {
  return transact(db, async (tx) => {
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
