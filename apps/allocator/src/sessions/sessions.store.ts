import { type Db, transact } from '@muster/db';
import { decideOvertime, decideUnanswered, type ServerCommand, type ServerIdentity } from '@muster/domain';
import { endSession, lockServer } from './end-session.store.js';

/** The time that a command of unknown kind blocks the commands after it. */
const blockedSeconds = 10;

const knownKinds: readonly string[] = [
  'create-session',
  'add-players',
  'balance',
  'end-session',
] satisfies ServerCommand['kind'][];

interface PendingCommand {
  seq: number | null;
  kind: string;
  session_id: string;
  payload: object;
  recent: boolean;
}

/**
 * Reads the pending commands after a cursor. A command of unknown kind stays pending, for a replica that knows it. A
 * server's cursor never goes back, so such a command blocks those after it for `blockedSeconds` and is then skipped.
 */
export async function commandsAfter(
  db: Db,
  { serverId, incarnation }: ServerIdentity,
  seq: number,
  unknown: (kind: string, seq: number) => void = () => undefined,
): Promise<ServerCommand[] | null> {
  const rows = await db.$sql.$queryRaw<PendingCommand[]>`
    SELECT command.seq, command.kind, command.session_id, command.payload,
      command.created_at > now() - make_interval(secs => ${blockedSeconds}) AS recent
    FROM server LEFT JOIN command ON command.server_id = server.id AND command.seq > ${seq} AND command.state = 'pending'
    WHERE server.id = ${serverId} AND server.incarnation = ${incarnation}
    ORDER BY command.seq LIMIT 100`;
  if (rows.length === 0) return null;
  const commands: ServerCommand[] = [];
  for (const { seq: number, kind, session_id, payload, recent } of rows) {
    if (number === null) continue;
    if (isKnown(kind)) {
      commands.push({ seq: number, kind, sessionId: session_id, payload });
      continue;
    }
    unknown(kind, number);
    if (recent) break;
  }
  return commands;
}

function isKnown(kind: string): kind is ServerCommand['kind'] {
  return knownKinds.includes(kind);
}

/**
 * Withdraws sessions that their servers did not create in time; see `decideUnanswered`. @returns the ids of their
 * matches
 */
export async function withdrawUnanswered(db: Db, now: number, limit: number): Promise<string[]> {
  // The state is a literal in the statement: only then can a cached plan use the partial index.
  const late = await db.$sql.$queryRaw<{ id: string; matchId: string; serverId: string }[]>`
    SELECT id, match_id AS "matchId", server_id AS "serverId" FROM session
    WHERE state = 'reserved' AND answer_by <= ${new Date(now)} ORDER BY answer_by LIMIT ${limit}`;
  const matches: string[] = [];
  for (const { id, matchId, serverId } of late) {
    const withdrawn = await transact(db, async (tx) => {
      await lockServer(tx, serverId);
      return endSession(tx, id, (session, match) => decideUnanswered(session, match, now));
    });
    if (withdrawn) matches.push(matchId);
  }
  return matches;
}

/** Ends matches beyond the time limit; see `decideOvertime`. @returns the ids of their sessions */
export async function loseOverdue(db: Db, liveBefore: number, now: number, limit: number): Promise<string[]> {
  const overdue = await db.$sql.$queryRaw<{ id: string; serverId: string }[]>`
    SELECT id, server_id AS "serverId" FROM session
    WHERE state = 'live' AND live_at < ${new Date(liveBefore)} ORDER BY live_at LIMIT ${limit}`;
  const lost: string[] = [];
  for (const { id, serverId } of overdue) {
    const isLost = await transact(db, async (tx) => {
      await lockServer(tx, serverId);
      return endSession(tx, id, (session, match) => decideOvertime(session, match, now));
    });
    if (isLost) lost.push(id);
  }
  return lost;
}
