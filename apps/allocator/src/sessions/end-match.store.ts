import { type Db, type Sql, transact } from '@muster/db';
import {
  decideEnd,
  type EndableMatch,
  type EndMatchRequest,
  type EndMatchResult,
  type MatchState,
} from '@muster/domain';
import { carryOut } from './changes.store.js';
import { lockOrder } from './commands.store.js';
import { lockServer } from './end-session.store.js';
import { holdSession, readMatch } from './facts.store.js';

/** An operator ends a match; see `decideEnd`. */
export async function endMatch(
  db: Db,
  matchId: string,
  request: EndMatchRequest,
  now: number,
): Promise<EndMatchResult> {
  for (;;) {
    const result = await transact(db, async (tx) => {
      const ending = await holdEndable(tx, matchId);
      return ending === 'moved' ? null : carryOut(tx, decideEnd(ending, request, now));
    });
    if (result) return result;
  }
}

/**
 * Locks the open session of a match, or its placement while it has none, and reads it.
 *
 * @returns `moved` when it got or lost a session meanwhile
 */
async function holdEndable(tx: Sql, matchId: string): Promise<EndableMatch | null | 'moved'> {
  const [known] = await tx.$queryRaw<{ state: MatchState }[]>`SELECT state FROM match WHERE id = ${matchId}`;
  if (!known) return null;
  const before = await openSession(tx, matchId);
  if (before) {
    await lockServer(tx, before.serverId);
    await lockOrder(tx, before.id);
  } else await tx.$executeRaw`SELECT 1 FROM placement WHERE match_id = ${matchId} FOR UPDATE`;
  const session = before ? await holdSession(tx, before.id) : null;
  // A statement of its own, which sees what the previous holder of the lock committed.
  if ((await openSession(tx, matchId))?.id !== before?.id) return 'moved';
  return { match: await readMatch(tx, matchId), session };
}

async function openSession(tx: Sql, matchId: string): Promise<{ id: string; serverId: string } | undefined> {
  const [session] = await tx.$queryRaw<{ id: string; serverId: string }[]>`
    SELECT id, server_id AS "serverId" FROM session WHERE match_id = ${matchId} AND state IN ('reserved', 'live')`;
  return session;
}
