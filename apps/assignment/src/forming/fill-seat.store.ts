import { outboxJobsOf } from '@muster/contracts';
import { enqueueAfterCommit, type Sql } from '@muster/db';
import { seatJobs, type SeatFill } from '@muster/domain';

/** Undoes a transaction whose seats were gone. */
export class SeatsGone extends Error {
  constructor() {
    super('the seats are gone');
  }
}

/** Undoes a transaction whose players cannot come. */
export class PlayersBusy extends Error {
  constructor(readonly playerIds: string[]) {
    super('players are in another live match, or were in this one');
  }
}

/**
 * Seats a ticket in a running match, within the transaction that holds the verdict on it. Compare-and-set and unique keys
 * decide, because assignment holds no lock that keeps players out of other matches.
 *
 * 1. The session's row, shared: its end waits for this, or this for its end.
 * 2. The backfill's seats, by compare-and-set.
 * 3. The players, in the order of their ids, as where matches are formed.
 *
 * @throws SeatsGone, PlayersBusy to have all of it undone
 */
export async function fillSeat(tx: Sql, seat: SeatFill, now: number): Promise<void> {
  const { backfillId, matchId, ticketId, waitedMs, attributes } = seat;
  const count = seat.players.length;
  const at = new Date(now);
  const live = await tx.$queryRaw<object[]>`
    SELECT 1 FROM session WHERE id = (SELECT session_id FROM backfill WHERE id = ${backfillId}) AND state = 'live' FOR SHARE`;
  if (live.length === 0) throw new SeatsGone();
  const [taken] = await tx.$queryRaw<{ team: number }[]>`
    UPDATE backfill SET seats_left = seats_left - ${count}::int,
      state = CASE WHEN seats_left = ${count}::int THEN 'filled' ELSE 'open' END,
      closed_at = CASE WHEN seats_left = ${count}::int THEN ${at}::timestamptz END
    WHERE id = ${backfillId} AND match_id = ${matchId} AND state = 'open' AND seats_left >= ${count}::int
      AND expires_at > ${at}
    RETURNING team`;
  if (!taken) throw new SeatsGone();
  const players = seat.players.map(({ playerId, mu, sigma, role = null }, i) => ({
    player_id: playerId,
    mu,
    sigma,
    role,
    ...(attributes && i === 0 ? { attributes } : {}),
  }));
  const rows = JSON.stringify(players);
  const seated = await tx.$queryRaw<{ player_id: string }[]>`
    INSERT INTO match_player (match_id, player_id, team, ticket_id, mu, sigma, waited_ms, role, attributes, joined_at, backfill_id)
    SELECT ${matchId}, player_id, ${taken.team}::int, ${ticketId}, mu, sigma, ${Math.round(waitedMs)}::int, role, attributes, ${at}::timestamptz, ${backfillId}
    FROM jsonb_to_recordset(${rows}::jsonb) AS row(player_id text, mu float8, sigma float8, role text, attributes jsonb)
    ON CONFLICT DO NOTHING RETURNING player_id`;
  const held = await tx.$queryRaw<object[]>`
    INSERT INTO live_player (player_id, match_id)
    SELECT player_id, ${matchId} FROM jsonb_to_recordset(${rows}::jsonb) AS row(player_id text) ORDER BY player_id
    ON CONFLICT DO NOTHING RETURNING player_id`;
  if (seated.length < count || held.length < count) {
    const playerIds = players.map((player) => player.player_id);
    const elsewhere = await tx.$queryRaw<{ playerId: string }[]>`
      SELECT player_id AS "playerId" FROM live_player WHERE player_id = ANY(${playerIds}::text[]) AND match_id <> ${matchId}`;
    const added = new Set(seated.map((row) => row.player_id));
    const before = playerIds.filter((playerId) => !added.has(playerId));
    throw new PlayersBusy([...new Set([...elsewhere.map(({ playerId }) => playerId), ...before])]);
  }
  await enqueueAfterCommit(tx, 'assignment', outboxJobsOf(seatJobs(seat)));
}
