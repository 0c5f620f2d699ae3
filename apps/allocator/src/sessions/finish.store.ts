import { type Db, transact } from '@muster/db';
import { decideFinish, type FinishResult, type ServerIdentity } from '@muster/domain';
import { carryOut } from './changes.store.js';
import { holdSession, readMatch } from './facts.store.js';

/** Players are finished in a match that goes on; see `decideFinish`. */
export function finish(
  db: Db,
  sessionId: string,
  server: ServerIdentity,
  playerIds: readonly string[],
  now: number,
): Promise<FinishResult> {
  return transact(db, async (tx) => {
    const session = await holdSession(tx, sessionId);
    const hosted = session && { session, match: await readMatch(tx, session.matchId) };
    return carryOut(tx, decideFinish(hosted, server, playerIds, now));
  });
}
