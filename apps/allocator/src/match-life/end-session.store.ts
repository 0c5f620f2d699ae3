import type { Sql } from '@muster/db';
import { decideLoss, type Decision, type MatchFacts, type Message, type SessionFacts } from '@muster/domain';
import { carryOut } from './changes.store.js';
import { lockOrder } from './queue-command.store.js';
import { holdSession, readMatch } from './facts.store.js';

/**
 * Locks a server. A transaction that changes a server and its sessions locks the server first: concurrent ends of one
 * session wait instead of deadlocking.
 */
export async function lockServer(tx: Sql, serverId: string): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM server WHERE id = ${serverId} FOR NO KEY UPDATE`;
}

/**
 * Locks a session whose server is silent or gone, and ends it by the decision.
 *
 * @returns false if it had already ended
 */
export async function endSession(
  tx: Sql,
  sessionId: string,
  decide: (session: SessionFacts, match: MatchFacts) => Decision<boolean>,
): Promise<boolean> {
  await lockOrder(tx, sessionId);
  const session = await holdSession(tx, sessionId);
  if (!session) return false;
  return carryOut(tx, decide(session, await readMatch(tx, session.matchId)));
}

/** Marks a session as lost; see {@link decideLoss}. @returns false if it had already ended */
export function loseSession(tx: Sql, sessionId: string, reason: Message, now: number): Promise<boolean> {
  return endSession(tx, sessionId, (session, match) => decideLoss(session, match, reason, now));
}
