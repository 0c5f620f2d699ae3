import { type Db, transact } from '@muster/db';
import { type CalledOff, type CallOffResult, decideCallOff, type ServerIdentity } from '@muster/domain';
import { carryOut } from './changes.store.js';
import { holdSession, readMatch } from './facts.store.js';

/** A server ends its session without a result; see `decideCallOff`. */
export function callOff(
  db: Db,
  sessionId: string,
  server: ServerIdentity,
  calledOff: CalledOff,
  now: number,
): Promise<CallOffResult> {
  return transact(db, async (tx) => {
    // Locks the session's row before the match's, as in `receive`: a result and a call-off are serialised, and one of
    // them counts.
    const session = await holdSession(tx, sessionId);
    const hosted = session && { session, match: await readMatch(tx, session.matchId) };
    return carryOut(tx, decideCallOff(hosted, server, calledOff, now));
  });
}
