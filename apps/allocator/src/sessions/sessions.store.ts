import { conductJobs, jobQueues, matchUpdateJobs, offencesOf, type OutboxJob } from '@muster/contracts';
import { asJson, atomically, type Db, outboxJson, type Tx } from '@muster/db';
import {
  type AnswerResult,
  type CommandAnswer,
  isBot,
  mostClockSkewMs,
  type Played,
  type ReceivedResult,
  recordedTimes,
  type ResultReceived,
  type ServerCommand,
  type ServerIdentity,
  withRecorded,
} from '@muster/domain';
import { seatAnswered, type SeatOrder } from '../backfill/backfills.store.js';
import { noteBlame } from './blame.store.js';
import { notInMatch, rosterOf } from './call-off.store.js';
import { command, goOn, lockServer, loseSession, withdrawOrder } from './end-session.store.js';
import { whyNotLate } from './late-result.store.js';

/** A command of a kind that only a newer version knows holds up those after it for so long. */
const heldSeconds = 10;

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
 * A command whose kind this version does not know is left pending: a replica that knows it hands it over. A server's cursor never
 * goes back, so the commands after it wait for a moment, and only then go past it.
 */
export async function commandsAfter(
  db: Db,
  { serverId, incarnation }: ServerIdentity,
  seq: number,
  unknown: (kind: string, seq: number) => void = () => undefined,
): Promise<ServerCommand[] | null> {
  const rows = await db.$queryRaw<PendingCommand[]>`
    SELECT command.seq, command.kind, command.session_id, command.payload,
      command.created_at > now() - make_interval(secs => ${heldSeconds}) AS recent
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

interface Commanded {
  kind: string;
  state: string;
  session_id: string;
  payload: unknown;
  match_id: string;
  region: string;
  host: string;
  port: number;
  tickets: { ticketId: string; team: number }[] | null;
}

export function answer(
  db: Db,
  server: ServerIdentity,
  seq: number,
  reply: CommandAnswer,
  now: number,
): Promise<AnswerResult> {
  return atomically(db, async (tx): Promise<AnswerResult> => {
    const [order] = await tx.$queryRaw<Commanded[]>`
      SELECT command.kind, command.state, command.session_id, command.payload, session.match_id, server.region, server.host, server.port, (
        SELECT jsonb_agg(DISTINCT jsonb_build_object('ticketId', ticket_id, 'team', team))
        FROM match_player WHERE match_player.match_id = session.match_id AND ticket_id IS NOT NULL) AS tickets
      FROM command
      JOIN session ON session.id = command.session_id
      JOIN server ON server.id = command.server_id
      WHERE command.server_id = ${server.serverId} AND command.seq = ${seq} FOR UPDATE OF command`;
    if (!order) return { outcome: 'unknown' };
    if (order.state === reply.status) return { outcome: 'again', matchId: null };
    if (order.state !== 'pending') return { outcome: 'withdrawn' };
    if (order.kind === 'create-session' && reply.status === 'done')
      return goLive(tx, server, seq, order, reply, now);
    await tx.$executeRaw`UPDATE command SET state = ${reply.status} WHERE server_id = ${server.serverId} AND seq = ${seq}`;
    if (order.kind === 'add-players')
      // Written by `seatFilled`.
      return seatAnswered(tx, order, server.serverId, order.payload as SeatOrder, reply);
    // Nothing but the refusal of a new session sends its match on: not that of a command which only a newer version knows.
    if (order.kind !== 'create-session' || reply.status === 'done')
      return { outcome: 'accepted', matchId: null };
    return turnDown(tx, order.session_id, reply.reason, now);
  });
}

async function goLive(
  tx: Tx,
  { serverId, incarnation }: ServerIdentity,
  seq: number,
  { session_id: sessionId, match_id: matchId, region, tickets, ...own }: Commanded,
  reply: { host?: string | undefined; port?: number | undefined },
  now: number,
): Promise<AnswerResult> {
  const host = reply.host ?? own.host;
  const port = reply.port ?? own.port;
  const at = new Date(now);
  const teams = tickets ?? [];
  const ticketIds = teams.map((ticket) => ticket.ticketId);
  const reason = `Your match is ready in ${region}.`;
  const news = matchUpdateJobs({
    kind: 'placed',
    matchId,
    ticketIds,
    teams,
    reason,
    sessionId,
    serverId,
    region,
    host,
    port,
  });
  // Session and match go on together or not at all: what follows hangs on the rows that did.
  const [moved] = await tx.$queryRaw<{ live: boolean; placed: boolean }[]>`
    WITH live AS (
      UPDATE session SET state = 'live', host = ${host}, port = ${port}, live_at = ${at}
      WHERE id = ${sessionId} AND state = 'reserved' AND incarnation = ${incarnation} RETURNING match_id
    ), answered AS (
      UPDATE command SET state = 'done' FROM live WHERE server_id = ${serverId} AND seq = ${seq}
    ), placed AS (
      UPDATE match SET state = 'placed', session_id = ${sessionId}, server_id = ${serverId}, region = ${region}, placed_at = ${at}
      FROM live WHERE match.id = live.match_id AND match.state = 'formed' RETURNING match.id
    ), settled AS (
      DELETE FROM placement USING placed WHERE placement.match_id = placed.id
    ), promised AS (
      INSERT INTO outbox (owner, queue, job_id, payload)
      SELECT 'allocator', row.queue, row.job_id, row.payload
      FROM placed, jsonb_to_recordset(${outboxJson(news)}::jsonb) AS row(queue text, job_id text, payload jsonb)
    )
    SELECT EXISTS (SELECT 1 FROM live) AS live, EXISTS (SELECT 1 FROM placed) AS placed`;
  if (!moved?.live) return { outcome: 'withdrawn' };
  // A match leaves `formed` only with its reserved session, so this cannot be; should it be, nothing of this is kept.
  if (!moved.placed)
    throw new Error(`match ${matchId} is not formed although session ${sessionId} was reserved for it`);
  return { outcome: 'accepted', matchId };
}

async function turnDown(tx: Tx, sessionId: string, reason: string, now: number): Promise<AnswerResult> {
  const { count } = await tx.session.updateMany({
    where: { id: sessionId, state: 'reserved' },
    data: { state: 'refused', reason, closedAt: new Date(now) },
  });
  if (count === 0) return { outcome: 'withdrawn' };
  const { matchId } = await tx.session.findUniqueOrThrow({ where: { id: sessionId } });
  await goOn(tx, matchId, `A server refused the match (${reason}); the next best is asked.`, now);
  return { outcome: 'accepted', matchId };
}

export async function withdrawUnanswered(db: Db, now: number, limit: number): Promise<string[]> {
  // The state stands in the text of the statement: only so may a plan that is kept use the partial index.
  const late = await db.$queryRaw<{ id: string; matchId: string; serverId: string }[]>`
    SELECT id, match_id AS "matchId", server_id AS "serverId" FROM session
    WHERE state = 'reserved' AND answer_by <= ${new Date(now)} ORDER BY answer_by LIMIT ${limit}`;
  const matches: string[] = [];
  for (const { id, matchId, serverId } of late) {
    const withdrawn = await atomically(db, async (tx) => {
      await lockServer(tx, serverId);
      // The command's row before the session's, as in `answer`: a late answer and this wait for one another.
      await withdrawOrder(tx, id);
      const { count } = await tx.session.updateMany({
        where: { id, state: 'reserved' },
        data: { state: 'unanswered', reason: 'no answer in time', closedAt: new Date(now) },
      });
      if (count === 0) return false;
      // It may create the session all the same, late: then it shall end it.
      await command(tx, serverId, 'end-session', id, { reason: 'your answer came too late' }, now);
      await goOn(tx, matchId, 'A server did not answer in time; the next best is asked.', now);
      return true;
    });
    if (withdrawn) matches.push(matchId);
  }
  return matches;
}

export async function loseOverdue(db: Db, liveBefore: number, now: number, limit: number): Promise<string[]> {
  const overdue = await db.$queryRaw<{ id: string; matchId: string; serverId: string }[]>`
    SELECT id, match_id AS "matchId", server_id AS "serverId" FROM session
    WHERE state = 'live' AND live_at < ${new Date(liveBefore)} ORDER BY live_at LIMIT ${limit}`;
  const lost: string[] = [];
  for (const session of overdue) {
    const gone = await atomically(db, async (tx) => {
      const reason = 'the match went on beyond its time limit without a result';
      await lockServer(tx, session.serverId);
      if (!(await loseSession(tx, session, reason, now))) return false;
      await command(tx, session.serverId, 'end-session', session.id, { reason }, now);
      return true;
    });
    if (gone) lost.push(session.id);
  }
  return lost;
}

interface Reported {
  match_id: string;
  server_id: string;
  state: string;
  incarnation: number;
  live_at: Date | null;
}

export async function receive(
  db: Db,
  sessionId: string,
  server: ServerIdentity,
  result: ReceivedResult,
  now: number,
): Promise<ResultReceived> {
  const received = await receiveOnce(db, sessionId, server, result, now);
  if (received.outcome !== 'unanswered') return received;
  // Its server played the match, so it created the session: that it reply so may still be under way, to a replica that stands still.
  await answer(db, server, received.seq, { status: 'done' }, now);
  const again = await receiveOnce(db, sessionId, server, result, now);
  return again.outcome === 'unanswered' ? { outcome: 'withdrawn', state: 'reserved' } : again;
}

/** @returns `unanswered` for a session whose order is not answered yet; then nothing is written */
function receiveOnce(
  db: Db,
  sessionId: string,
  { serverId, incarnation }: ServerIdentity,
  { ranks, digest, body, played = {}, players: named = [], leavers = [] }: ReceivedResult,
  now: number,
): Promise<ResultReceived | { readonly outcome: 'unanswered'; readonly seq: number }> {
  return atomically(db, async (tx) => {
    const [session] = await tx.$queryRaw<Reported[]>`
      SELECT match_id, server_id, state, incarnation, live_at FROM session WHERE id = ${sessionId} FOR UPDATE`;
    if (!session) return { outcome: 'unknown' };
    if (session.server_id !== serverId) return { outcome: 'not-yours' };
    const { match_id: matchId } = session;
    // A statement of its own: what waited for the lock in one statement sees the rest of the tables as they were before,
    // and of two equal reports at once the second would not know the first.
    const [known] = await tx.$queryRaw<{ digest: string | null; teams: number }[]>`
      SELECT (SELECT digest FROM result WHERE session_id = ${sessionId}) AS digest,
        (SELECT max(team) + 1 FROM match_player WHERE match_id = ${matchId}) AS teams`;
    const { digest: counted = null, teams = 0 } = known ?? {};
    if (counted === digest) return { outcome: 'again', matchId };
    if (session.state === 'reserved' && session.incarnation === incarnation) {
      const where = { sessionId, kind: 'create-session', state: 'pending' };
      const order = await tx.command.findFirst({ where, select: { seq: true } });
      if (order) return { outcome: 'unanswered', seq: order.seq };
    }
    const at = new Date(now);
    // It was played, and its server could not be heard: what it says may count all the same.
    const late = counted === null && session.state === 'lost' && session.live_at !== null;
    const why = late ? await whyNotLate(tx, { sessionId, matchId }, now) : null;
    if (counted !== null || why !== null || (session.state !== 'live' && !late)) {
      const reason =
        counted !== null
          ? 'another result of this session was counted'
          : `the session is ${session.state}${why === null ? '' : `: ${why}`}`;
      await tx.resultConflict.createMany({
        data: [{ matchId, reportedBy: serverId, reason, digest, body: asJson(body), receivedAt: at }],
        skipDuplicates: true,
      });
      return counted !== null
        ? { outcome: 'contradicts', matchId }
        : { outcome: 'withdrawn', state: session.state, ...(why === null ? {} : { why }) };
    }
    // A lost server has registered anew since, or has still to hear that it is lost.
    if (!late && session.incarnation !== incarnation) return { outcome: 'superseded' };
    if (ranks.length !== teams) return { outcome: 'wrong-teams', teams };
    const beganAt = session.live_at?.getTime() ?? now;
    const mostMs = Math.max(0, now - beganAt) + mostClockSkewMs;
    if (played.times && played.times.lengthMs > mostMs)
      return { outcome: 'wrong-times', lengthMs: played.times.lengthMs, mostMs };
    const { queue, players } = await rosterOf(tx, matchId);
    const unknown = notInMatch([...named.filter((id) => !isBot(id)), ...leavers], players);
    if (unknown.length > 0) return { outcome: 'notInMatch', playerIds: unknown };
    // What its server says of a player goes before what is known here.
    const whole: Played = withRecorded(played, recordedTimes(players, beganAt, now));
    const left: OutboxJob[] = [];
    if (leavers.length > 0) {
      const blamed = { noShows: [], leavers };
      await noteBlame(tx, matchId, offencesOf(blamed, now));
      left.push(...conductJobs(matchId, queue, blamed, now));
    }
    const promised = outboxJson([
      { queue: jobQueues.rateMatch, jobId: `rate-${matchId}`, payload: { matchId } },
      ...left,
    ]);
    const ended = await tx.$executeRaw`
      WITH counted AS (
        INSERT INTO result (session_id, match_id, digest, body, received_at)
        VALUES (${sessionId}, ${matchId}, ${digest}, ${JSON.stringify(body)}::jsonb, ${at})
      ), closed AS (
        UPDATE session SET state = 'ended', closed_at = coalesce(closed_at, ${at}) WHERE id = ${sessionId}
      ), promised AS (
        INSERT INTO outbox (owner, queue, job_id, payload)
        SELECT 'allocator', row.queue, row.job_id, row.payload
        FROM jsonb_to_recordset(${promised}::jsonb) AS row(queue text, job_id text, payload jsonb)
      )
      UPDATE match SET state = 'ended', ended_at = ${at}, ranks = ${[...ranks]}::int[],
        played = ${JSON.stringify(whole)}::jsonb, closed_at = NULL, close_reason = NULL
      WHERE id = ${matchId} AND state = ${late ? 'abandoned' : 'placed'}`;
    if (ended === 0) throw new Error(`match ${matchId} is not placed although session ${sessionId} is live`);
    return { outcome: 'counted', matchId };
  });
}
