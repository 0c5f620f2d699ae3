import { type Db, transact } from '@muster/db';
import {
  type CommandCursor,
  decideOvertime,
  decideUnanswered,
  type NewestCommand,
  type ServerCommand,
} from '@muster/domain';
import { endSession, lockServer } from './end-session.store.js';
import { withPlayers } from './told-players.store.js';

/** The time that a command of unknown kind blocks the commands after it. */
const blockedSeconds = 10;

const knownKinds: readonly string[] = [
  'create-session',
  'add-players',
  'balance',
  'end-session',
] satisfies ServerCommand['kind'][];

/** The number of servers whose commands one statement reads. */
export const readAtOnce = 200;

interface PendingCommand {
  nth: number;
  seq: number | null;
  kind: string;
  session_id: string;
  payload: object;
  recent: boolean;
}

/** A server that asks for its commands. */
export interface CommandQuestion extends CommandCursor {
  /** Called for each command of unknown kind. */
  unknown(kind: string, seq: number): void;
}

/**
 * Reads the pending commands of many servers after their cursors. A command of unknown kind stays pending, for a replica
 * that knows it. A server's cursor never goes back, so such a command blocks those after it for `blockedSeconds` and is
 * then skipped.
 *
 * @returns for each its commands; null without such a registration
 */
export async function commandsAfter(
  db: Db,
  asked: readonly CommandQuestion[],
): Promise<(ServerCommand[] | null)[]> {
  const { ids, incarnations, afters } = columnsOf(asked);
  const rows = await db.$sql.$queryRaw<PendingCommand[]>`
    SELECT asked.nth::int, pending.seq, pending.kind, pending.session_id, pending.payload, pending.recent
    FROM unnest(${ids}::text[], ${incarnations}::int[], ${afters}::int[])
      WITH ORDINALITY AS asked (id, incarnation, after, nth)
    LEFT JOIN LATERAL (
      SELECT seq, kind, session_id, payload, created_at > now() - make_interval(secs => ${blockedSeconds}) AS recent
      FROM command WHERE command.server_id = asked.id AND command.seq > asked.after AND command.state = 'pending'
      ORDER BY seq LIMIT 100
    ) AS pending ON true
    WHERE (SELECT server.incarnation FROM server WHERE server.id = asked.id) = asked.incarnation
    ORDER BY asked.nth, pending.seq`;
  const byServer = new Map<number, PendingCommand[]>();
  for (const row of rows) {
    const those = byServer.get(row.nth);
    if (those) those.push(row);
    else byServer.set(row.nth, [row]);
  }
  const known = asked.map(({ unknown }, i) => {
    const those = byServer.get(i + 1);
    return those ? knownOf(those, unknown) : null;
  });
  const told = await withPlayers(
    db.$sql,
    known.flatMap((commands) => commands ?? []),
  );
  let read = 0;
  return known.map((commands) => commands && told.slice(read, (read += commands.length)));
}

/**
 * Which servers have pending commands after their cursors, or another registration.
 *
 * @returns their positions
 */
export async function withCommands(db: Db, cursors: readonly CommandCursor[]): Promise<number[]> {
  const { ids, incarnations, afters } = columnsOf(cursors);
  // Subqueries of one row are looked up in an index for each server; EXISTS may become a scan.
  const rows = await db.$sql.$queryRaw<{ nth: number }[]>`
    SELECT asked.nth::int FROM unnest(${ids}::text[], ${incarnations}::int[], ${afters}::int[])
      WITH ORDINALITY AS asked (id, incarnation, after, nth)
    WHERE (SELECT server.incarnation FROM server WHERE server.id = asked.id) IS DISTINCT FROM asked.incarnation
      OR (SELECT command.seq FROM command
        WHERE command.server_id = asked.id AND command.seq > asked.after AND command.state = 'pending'
        ORDER BY command.seq LIMIT 1) IS NOT NULL`;
  return rows.map(({ nth }) => nth - 1);
}

/**
 * The newest pending command of each server that was given one since. Reads only commands of that time.
 *
 * @param since milliseconds since the epoch
 */
export async function newestCommands(db: Db, since: number): Promise<NewestCommand[]> {
  return db.$sql.$queryRaw<NewestCommand[]>`
    SELECT server_id AS "serverId", max(seq)::int AS seq FROM command
    WHERE created_at > ${new Date(since)} AND state = 'pending' GROUP BY server_id`;
}

function columnsOf(cursors: readonly CommandCursor[]): {
  ids: string[];
  incarnations: number[];
  afters: number[];
} {
  return {
    ids: cursors.map(({ serverId }) => serverId),
    incarnations: cursors.map(({ incarnation }) => incarnation),
    afters: cursors.map(({ after }) => after),
  };
}

function knownOf(rows: readonly PendingCommand[], unknown: CommandQuestion['unknown']): ServerCommand[] {
  const commands: ServerCommand[] = [];
  for (const { seq, kind, session_id, payload, recent } of rows) {
    if (seq === null) continue;
    if (isKnown(kind)) {
      commands.push({ seq, kind, sessionId: session_id, payload });
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
