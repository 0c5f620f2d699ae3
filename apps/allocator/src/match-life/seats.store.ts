import { type Sql, sqlPart } from '@muster/db';
import type { BackfillChange, Changes, Departure, NewBackfill, TicketSeats } from '@muster/domain';

type BackfillChanges = Pick<
  Changes,
  'matchId' | 'departed' | 'finished' | 'backfillOpened' | 'backfill' | 'unseated'
>;

/** Writes what was decided about a backfill and its seats. The caller holds the session's lock where players change. */
export async function writeBackfill(
  tx: Sql,
  { matchId, departed, finished, backfillOpened, backfill, unseated }: BackfillChanges,
): Promise<void> {
  if (departed) await free(tx, matchId, 'left', departed);
  if (finished) await free(tx, matchId, 'finished', finished);
  for (const seats of unseated ?? []) await unseat(tx, matchId, seats);
  if (backfillOpened) await open(tx, matchId, backfillOpened);
  if (backfill) await move(tx, backfill);
}

/** Frees players, who left the match or are finished in it. */
async function free(
  tx: Sql,
  matchId: string,
  as: 'left' | 'finished',
  { playerIds, at }: Departure,
): Promise<void> {
  const ids = [...playerIds];
  await tx.$executeRaw`
    WITH freed AS (
      UPDATE match_player SET ${as === 'left' ? sqlPart`left_at` : sqlPart`finished_at`} = ${new Date(at)} WHERE match_id = ${matchId} AND player_id = ANY(${ids}::text[])
    )
    DELETE FROM live_player WHERE match_id = ${matchId} AND player_id = ANY(${ids}::text[])`;
}

/** Removes the players of a ticket from a match. */
export async function unseat(tx: Sql, matchId: string, { backfillId, ticketId }: TicketSeats): Promise<void> {
  await tx.$executeRaw`
    WITH unseated AS (
      DELETE FROM match_player WHERE match_id = ${matchId} AND ticket_id = ${ticketId} AND backfill_id = ${backfillId}
      RETURNING player_id
    )
    DELETE FROM live_player USING unseated
    WHERE live_player.match_id = ${matchId} AND live_player.player_id = unseated.player_id`;
}

async function open(tx: Sql, matchId: string, opened: NewBackfill): Promise<void> {
  const { backfillId, sessionId, team, seats, fingerprint, requestedAt, expiresAt } = opened;
  await tx.$executeRaw`
    INSERT INTO backfill (id, session_id, match_id, team, seats, seats_left, state, fingerprint, requested_at, expires_at)
    VALUES (${backfillId}, ${sessionId}, ${matchId}, ${team}::int, ${seats}::int, ${seats}::int, 'open', ${fingerprint},
      ${new Date(requestedAt)}, ${new Date(expiresAt)})`;
}

async function move(tx: Sql, { backfillId, to, closedAt }: BackfillChange): Promise<void> {
  const count = await tx.$executeRaw`
    UPDATE backfill SET state = ${to}, closed_at = ${new Date(closedAt)}
    WHERE id = ${backfillId} AND state = 'open'`;
  if (count === 0) throw new Error(`backfill ${backfillId} is not open`);
}
