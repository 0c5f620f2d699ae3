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

/** A pending command of any kind. */
export interface PendingCommand {
  readonly seq: number;
  readonly kind: string;
  readonly sessionId: string;
  readonly payload: object;
  readonly recent: boolean;
}

/** Which commands a server asks for: those after a cursor. */
export interface CommandsQuery {
  readonly server: ServerIdentity;
  readonly seq: number;
}

/** The maximum number of servers whose commands are read by one statement. */
export const serversAtOnce = 64;

/** The maximum number of commands of a server. */
const commandsAtOnce = 100;

interface PendingRow {
  readonly nth: number;
  readonly commands: PendingCommand[];
}

/**
 * Reads the pending commands of servers after their cursors, in one statement.
 *
 * @returns in the order of the queries; null for a server that has no such registration any more
 */
export async function commandsOfMany(
  db: Db,
  queries: readonly CommandsQuery[],
): Promise<readonly (readonly PendingCommand[] | null)[]> {
  const rows = await db.$sql.$queryRaw<PendingRow[]>`
    SELECT nth::int, coalesce((
      SELECT json_agg(json_build_object('seq', seq, 'kind', kind, 'sessionId', session_id, 'payload', payload,
        'recent', created_at > now() - make_interval(secs => ${blockedSeconds})) ORDER BY seq)
      FROM (
        SELECT seq, kind, session_id, payload, created_at FROM command
        WHERE command.server_id = asked.server_id AND command.seq > asked.after AND command.state = 'pending'
        ORDER BY command.seq LIMIT ${commandsAtOnce}
      ) AS pending), '[]') AS commands
    FROM unnest(${queries.map(({ server }) => server.serverId)}::text[], ${queries.map(({ server }) => server.incarnation)}::int[],
      ${queries.map(({ seq }) => seq)}::int[]) WITH ORDINALITY AS asked (server_id, incarnation, after, nth)
    JOIN server ON server.id = asked.server_id AND server.incarnation = asked.incarnation`;
  const pending = new Map(rows.map(({ nth, commands }) => [nth, commands]));
  return queries.map((_, i) => pending.get(i + 1) ?? null);
}

/**
 * The commands of known kinds, in order. A command of unknown kind stays pending, for a replica that knows it. A server's
 * cursor never goes back, so such a command blocks those after it for `blockedSeconds` and is then skipped.
 */
export function knownOf(
  pending: readonly PendingCommand[],
  unknown: (kind: string, seq: number) => void = () => undefined,
): ServerCommand[] {
  const commands: ServerCommand[] = [];
  for (const { seq, kind, sessionId, payload, recent } of pending) {
    if (isKnown(kind)) {
      commands.push({ seq, kind, sessionId, payload });
      continue;
    }
    unknown(kind, seq);
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
