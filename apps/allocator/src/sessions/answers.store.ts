import { outboxJobsOf } from '@muster/contracts';
import { type Db, outboxJson, type Sql, transact } from '@muster/db';
import {
  type AnswerResult,
  type Changes,
  type CommandAnswer,
  type CommandFacts,
  type CommandState,
  decideAnswer,
  type Decision,
  type RosterEntry,
  type ServerIdentity,
} from '@muster/domain';
import { holdSeatCommand } from '../backfill/seat-commands.store.js';
import { carryOut } from './changes.store.js';
import { asSession, type SessionRow } from './facts.store.js';

interface Commanded extends Omit<SessionRow, 'state'> {
  kind: string;
  state: CommandState;
  payload: unknown;
  sessionState: SessionRow['state'];
  region: string;
  host: string;
  port: number;
  players: RosterEntry[] | null;
}

/** Processes a server's answer to a command; see `decideAnswer`. */
export function answer(
  db: Db,
  server: ServerIdentity,
  seq: number,
  reply: CommandAnswer,
  now: number,
): Promise<AnswerResult> {
  return transact(db, async (tx) => {
    // The lock of a pending command keeps its session reserved: every transaction that ends such a session locks the
    // command first.
    const [row] = await tx.$queryRaw<Commanded[]>`
      SELECT command.kind, command.state, command.payload, session.id AS "sessionId", session.match_id AS "matchId",
        session.server_id AS "serverId", session.incarnation, session.state AS "sessionState", session.live_at AS "liveAt",
        server.region, server.host, server.port, (
          SELECT jsonb_agg(jsonb_build_object('playerId', player_id, 'team', team, 'ticketId', ticket_id) ORDER BY player_id)
          FROM match_player WHERE match_player.match_id = session.match_id) AS players
      FROM command
      JOIN session ON session.id = command.session_id
      JOIN server ON server.id = command.server_id
      WHERE command.server_id = ${server.serverId} AND command.seq = ${seq} FOR UPDATE OF command`;
    const seats =
      row?.kind === 'add-players' && row.state === 'pending'
        ? await holdSeatCommand(tx, server.serverId, seq, row)
        : null;
    const decision = decideAnswer(row ? { ...asCommand(seq, row), seats } : null, server, reply, now);
    return decision.changes?.match?.to === 'placed' ? goLive(tx, decision, server) : carryOut(tx, decision);
  });
}

function asCommand(
  seq: number,
  { kind, state, sessionState, region, host, port, players, ...row }: Commanded,
): Omit<CommandFacts, 'seats'> {
  const { sessionId, matchId, serverId, incarnation, liveAt } = row;
  return {
    seq,
    kind,
    state,
    session: asSession({ sessionId, matchId, serverId, incarnation, liveAt, state: sessionState }),
    match: { matchId, players: players ?? [] },
    server: { region, host, port },
  };
}

const none: Partial<Changes> = {};

/** Makes a session live, in one statement: session and match change together or not at all. */
async function goLive(
  tx: Sql,
  { outcome, changes, jobs }: Decision<AnswerResult>,
  { incarnation }: ServerIdentity,
): Promise<AnswerResult> {
  const { matchId, session, match, answered } = changes ?? none;
  if (session?.to !== 'live' || match?.to !== 'placed' || !answered)
    throw new Error('the decision does not make a session live');
  const { sessionId, host, port } = session;
  const at = new Date(session.liveAt);
  const [moved] = await tx.$queryRaw<{ live: boolean; placed: boolean }[]>`
    WITH live AS (
      UPDATE session SET state = 'live', host = ${host}, port = ${port}, live_at = ${at}
      WHERE id = ${sessionId} AND state = 'reserved' AND incarnation = ${incarnation} RETURNING match_id
    ), answered AS (
      UPDATE command SET state = 'done' FROM live WHERE server_id = ${answered.serverId} AND seq = ${answered.seq}
    ), placed AS (
      UPDATE match SET state = 'placed', session_id = ${sessionId}, server_id = ${match.serverId}, region = ${match.region}, placed_at = ${at}
      FROM live WHERE match.id = live.match_id AND match.state = 'formed' RETURNING match.id
    ), settled AS (
      DELETE FROM placement USING placed WHERE placement.match_id = placed.id
    ), enqueued AS (
      INSERT INTO outbox (owner, queue, job_id, payload)
      SELECT 'allocator', row.queue, row.job_id, row.payload
      FROM placed, jsonb_to_recordset(${outboxJson(outboxJobsOf(jobs))}::jsonb) AS row(queue text, job_id text, payload jsonb)
    )
    SELECT EXISTS (SELECT 1 FROM live) AS live, EXISTS (SELECT 1 FROM placed) AS placed`;
  if (!moved?.live) return { outcome: 'withdrawn' };
  // A match leaves `formed` only with its reserved session, so this is a broken invariant; the transaction is rolled
  // back.
  if (!moved.placed)
    throw new Error(`match ${matchId} is not formed although session ${sessionId} was reserved for it`);
  return outcome;
}
