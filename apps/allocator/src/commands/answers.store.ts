import { type Db, type Sql, transact, sqlPart } from '@muster/db';
import {
  type AnswerResult,
  type CommandAnswer,
  type CommandFacts,
  type CommandState,
  decideAnswer,
  type Decision,
  type MatchState,
  type RosterEntry,
  type SeatCommand,
  type SeatOrder,
  type ServerIdentity,
  type SessionFacts,
} from '@muster/domain';
import { carryOut } from '../match-life/changes.store.js';
import { goLive, isLive } from './go-live.store.js';

/** The maximum number of answers in one transaction. */
export const answersAtOnce = 32;

/** A server's answer to a command. */
export interface Answer {
  readonly server: ServerIdentity;
  readonly seq: number;
  readonly reply: CommandAnswer;
  readonly now: number;
}

interface CommandRow extends Omit<SessionFacts, 'state'> {
  kind: string;
  state: CommandState;
  sessionState: SessionFacts['state'];
  region: string;
  host: string;
  port: number;
  players: RosterEntry[] | null;
}

/** The players of a session's match. */
const roster = sqlPart`(
  SELECT json_agg(json_build_object('playerId', player_id, 'team', team, 'ticketId', ticket_id) ORDER BY player_id)
  FROM match_player WHERE match_player.match_id = session.match_id)`;

/** Processes a server's answer to a command of any kind; see `decideAnswer`. */
export function answer(db: Db, { server, seq, reply, now }: Answer): Promise<AnswerResult> {
  return transact(db, async (tx) => {
    // The lock of a pending command keeps its session reserved: every transaction that ends such a session locks the
    // command first.
    const [row] = await tx.$queryRaw<(CommandRow & { payload: unknown })[]>`
      SELECT command.kind, command.state, command.payload, session.id AS "sessionId", session.match_id AS "matchId",
        session.server_id AS "serverId", session.incarnation, session.state AS "sessionState", (extract(epoch FROM session.live_at) * 1000)::float8 AS "liveAt",
        server.region, server.host, server.port, ${roster} AS players
      FROM command
      JOIN session ON session.id = command.session_id
      JOIN server ON server.id = command.server_id
      WHERE command.server_id = ${server.serverId} AND command.seq = ${seq} FOR UPDATE OF command`;
    const seats =
      row?.kind === 'add-players' && row.state === 'pending'
        ? await holdSeatCommand(tx, server.serverId, seq, row)
        : null;
    const decision = decideAnswer(row ? { ...asCommand(seq, row), seats } : null, server, reply, now);
    if (!isLive(decision)) return carryOut(tx, decision);
    const [result] = await goLive(tx, [{ decision, server }]);
    return result ?? { outcome: 'withdrawn' };
  });
}

/** Locks the session of an unanswered command to let players in, whose row the caller holds, and reads where players connect. */
async function holdSeatCommand(
  tx: Sql,
  serverId: string,
  seq: number,
  { payload, sessionId, matchId, region, host, port }: CommandRow & { readonly payload: unknown },
): Promise<SeatCommand> {
  const [session] = await tx.$queryRaw<{ live: boolean; host: string | null; port: number | null }[]>`
    SELECT state = 'live' AS live, host, port FROM session WHERE id = ${sessionId} FOR UPDATE`;
  return {
    serverId,
    seq,
    // Written by `decideSeatOrder`.
    order: payload as SeatOrder,
    sessionId,
    matchId,
    sessionLive: session?.live ?? false,
    region,
    host: session?.host ?? host,
    port: session?.port ?? port,
  };
}

/**
 * Processes answers that make sessions live; see `decideAnswer`. The locks are skipped where another transaction holds
 * them, so the batch neither waits nor takes part in a deadlock.
 *
 * @returns null for an answer of another kind, a repeat, and an answer whose rows are locked or in another state
 */
export async function answerTogether(
  tx: Sql,
  answers: readonly Answer[],
): Promise<readonly (AnswerResult | null)[]> {
  const held = await holdCommands(tx, answers);
  const live: { answer: Answer; decision: Decision<AnswerResult>; server: ServerIdentity }[] = [];
  for (const each of answers) {
    const { server, seq, reply, now } = each;
    const key = keyOf(server.serverId, seq);
    const row = held.get(key);
    if (!row) continue;
    const decision = decideAnswer({ ...asCommand(seq, row), seats: null }, server, reply, now);
    if (!isLive(decision)) continue;
    live.push({ answer: each, decision, server });
    // A repeat of the answer is processed after it.
    held.delete(key);
  }
  const outcomes = await goLive(tx, live);
  const results = new Map(live.map(({ answer: each }, i) => [each, outcomes[i]]));
  return answers.map((each) => results.get(each) ?? null);
}

const keyOf = (serverId: string, seq: number): string => `${seq} ${serverId}`;

/**
 * Locks commands, and all rows that answers to commands that create a session change. The states are not conditions of the
 * statement: Postgres may read all sessions of that state, by their partial index, rather than those that are named.
 */
async function holdCommands(tx: Sql, answers: readonly Answer[]): Promise<Map<string, CommandRow>> {
  const asked = new Map(
    answers.map(({ server: { serverId }, seq }) => [keyOf(serverId, seq), { serverId, seq }]),
  );
  const serverIds = [...asked.values()].map(({ serverId }) => serverId);
  const seqs = [...asked.values()].map(({ seq }) => seq);
  // The roster of a match is fixed while its session is reserved, so this statement may read it.
  const rows = await tx.$queryRaw<HeldRow[]>`
    SELECT command.seq, command.kind, command.state, session.id AS "sessionId", session.match_id AS "matchId",
      session.server_id AS "serverId", session.incarnation, session.state AS "sessionState", (extract(epoch FROM session.live_at) * 1000)::float8 AS "liveAt",
      match.state AS "matchState",
      (SELECT json_build_array(region, host, port) FROM server WHERE server.id = command.server_id) AS server, ${roster} AS players
    FROM unnest(${serverIds}::text[], ${seqs}::int[]) AS asked(server_id, seq)
    JOIN command ON command.server_id = asked.server_id AND command.seq = asked.seq
    JOIN session ON session.id = command.session_id
    JOIN match ON match.id = session.match_id
    JOIN placement ON placement.match_id = session.match_id
    ORDER BY command.server_id, command.seq
    FOR NO KEY UPDATE OF command, session, match SKIP LOCKED FOR UPDATE OF placement SKIP LOCKED`;
  return new Map(
    rows.flatMap(({ seq, server, matchState, ...row }) => {
      if (row.kind !== 'create-session' || row.sessionState !== 'reserved' || matchState !== 'formed')
        return [];
      const [region, host, port] = server;
      return [[keyOf(row.serverId, seq), { ...row, region, host, port }]];
    }),
  );
}

interface HeldRow extends Omit<CommandRow, 'region' | 'host' | 'port'> {
  seq: number;
  matchState: MatchState;
  server: [region: string, host: string, port: number];
}

function asCommand(
  seq: number,
  { kind, state, sessionState, region, host, port, players, ...row }: CommandRow,
): Omit<CommandFacts, 'seats'> {
  const { sessionId, matchId, serverId, incarnation, liveAt } = row;
  return {
    seq,
    kind,
    state,
    session: { sessionId, matchId, serverId, incarnation, liveAt, state: sessionState },
    match: { matchId, players: players ?? [] },
    server: { region, host, port },
  };
}
