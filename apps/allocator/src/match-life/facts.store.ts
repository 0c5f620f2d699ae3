import { readOffences } from '@muster/contracts';
import { type Sql, sqlPart } from '@muster/db';
import type { MatchFacts, MatchState, RosteredPlayer, SessionFacts, TicketSeats } from '@muster/domain';

/** Columns of a match as decisions read them. */
export interface MatchRow {
  state: MatchState;
  queue: string | null;
  blame: unknown;
  players: RosteredPlayer[] | null;
  massBlameShare?: number | null;
  crashRequeueSeconds?: number | null;
  ticketTtlSeconds?: number | null;
  outstanding?: TicketSeats[] | null;
}

/**
 * Seats of a match that its server has not confirmed: those whose command is not answered, or not given yet. A refusal and a
 * withdrawal remove the seats.
 */
export const outstandingSeats = sqlPart`(
  SELECT jsonb_agg(DISTINCT jsonb_build_object('backfillId', backfill_id, 'ticketId', ticket_id)) FROM match_player
  WHERE match_player.match_id = match.id AND backfill_id IS NOT NULL AND ticket_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM command WHERE command.session_id = match.session_id AND kind = 'add-players' AND command.state = 'done'
      AND payload->>'backfillId' = backfill_id AND payload->>'ticketId' = ticket_id))`;

/** A row of `match_player` as decisions read it, as JSON. */
export const playerJson = sqlPart`json_build_object('playerId', player_id, 'team', team, 'ticketId', ticket_id,
  'finishedAt', floor(extract(epoch FROM finished_at) * 1000), 'joinedAt', floor(extract(epoch FROM joined_at) * 1000),
  'leftAt', floor(extract(epoch FROM left_at) * 1000))`;

/** The columns of `match` that make a {@link MatchRow}. */
export const matchColumns = sqlPart`state, queue, blame, (rules->>'massBlameShare')::float8 AS "massBlameShare",
  (rules->>'crashRequeueSeconds')::float8 AS "crashRequeueSeconds", (rules->>'ticketTtlSeconds')::float8 AS "ticketTtlSeconds",
  ${outstandingSeats} AS outstanding,
  (SELECT json_agg(${playerJson} ORDER BY player_id) FROM match_player WHERE match_id = match.id) AS players`;

export const asMatch = (matchId: string, { blame, players, outstanding, ...row }: MatchRow): MatchFacts => ({
  matchId,
  ...row,
  blame: readOffences(blame),
  players: players ?? [],
  outstanding: outstanding ?? [],
});

/** Locks and reads a session. @returns null if there is none */
export async function holdSession(tx: Sql, sessionId: string): Promise<SessionFacts | null> {
  const [row] = await tx.$queryRaw<SessionFacts[]>`
    SELECT id AS "sessionId", match_id AS "matchId", server_id AS "serverId", incarnation, state,
      (extract(epoch FROM live_at) * 1000)::float8 AS "liveAt"
    FROM session WHERE id = ${sessionId} FOR UPDATE`;
  return row ?? null;
}

/**
 * Reads a match. The lock of its open session, or of its placement row while it has none, keeps its state; the
 * compare-and-set of the write verifies it.
 *
 * @throws Error if there is none
 */
export async function readMatch(tx: Sql, matchId: string): Promise<MatchFacts> {
  const [row] = await tx.$queryRaw<MatchRow[]>`
    SELECT ${matchColumns} FROM match WHERE id = ${matchId}`;
  if (!row) throw new Error(`there is no match ${matchId}`);
  return asMatch(matchId, row);
}
