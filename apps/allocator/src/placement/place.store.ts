import { type Db, type Sql, transact } from '@muster/db';
import {
  chooseServers,
  decideGiveUp,
  decideReservation,
  decideWait,
  defaultPlacementTimeoutSeconds,
  type FreeServer,
  type PlacementTimeouts,
  type PlaceResult,
  type Reservation,
  type UnplacedMatch,
  type WantedSlot,
} from '@muster/domain';
import { randomUUID } from 'node:crypto';
import { shortageNow } from '../scale-out/shortages.store.js';
import { carryOut } from '../sessions/changes.store.js';
import { readMatch } from '../sessions/facts.store.js';

/** An arbitrary key that all allocators share. Picks are serialised, so "least-loaded" is accurate. */
const pickLock = 7_267_001;

/** The time after which the database ends the transaction of an idle picker, in milliseconds. */
const pickIdleMs = 2_000;

/** The number of matches placed in one transaction. */
export const placedAtOnce = 32;

export async function begin(db: Db, matchIds: readonly string[], now: number): Promise<void> {
  // "For share" waits for a transaction that places or closes the match and then reads its state again. Without it, the
  // removed row would be inserted again.
  await db.$sql.$executeRaw`
    INSERT INTO placement (match_id, attempts, next_attempt_at, give_up_at)
    SELECT id, 0, ${new Date(now)}, ${new Date(now)}::timestamptz
      + make_interval(secs => coalesce((rules->>'placementTimeoutSeconds')::float8, ${defaultPlacementTimeoutSeconds}))
    FROM match WHERE id = ANY(${[...matchIds]}::text[]) AND state = 'formed' ORDER BY id FOR SHARE
    ON CONFLICT DO NOTHING`;
}

interface Row extends Omit<UnplacedMatch, 'players'> {
  players: UnplacedMatch['players'] | null;
}

/**
 * Reserves slots for matches.
 *
 * 1. Lock the matches' placement rows. Skip a row that another caller has locked and a match that is no longer
 * `formed`.
 * 2. Pick the least-loaded server that fits for each (`chooseServers`).
 * 3. Reserve: insert session rows (unique indexes guard slot and match) and the commands that create them.
 *
 * One transaction takes all matches. Picks are serialised, so one transaction per match would be limited by its round
 * trips.
 *
 * @returns the results in the order of `matchIds`
 */
export function place(
  db: Db,
  matchIds: readonly string[],
  timeouts: PlacementTimeouts,
  now: number,
): Promise<PlaceResult[]> {
  return transact(db, async (tx) => {
    const ids = [...matchIds];
    const results = new Map<string, PlaceResult>();
    const locked = await tx.$queryRaw<Row[]>`
      SELECT match.id AS "matchId", placement.attempts, match.queue, match.build, match.regions, match.rules->>'mode' AS mode,
        match.map, match.bots, placement.shortage,
        (SELECT jsonb_agg(jsonb_build_object('playerId', player_id, 'team', team, 'ticketId', ticket_id, 'role', role) ORDER BY player_id)
          FROM match_player WHERE match_player.match_id = match.id) AS players
      FROM placement JOIN match ON match.id = placement.match_id
      WHERE placement.match_id = ANY(${ids}::text[]) AND match.state = 'formed' AND NOT EXISTS (
        SELECT 1 FROM session WHERE session.match_id = match.id AND session.state IN ('reserved', 'live'))
      ORDER BY placement.match_id FOR UPDATE OF placement SKIP LOCKED`;
    if (locked.length === 0) return ids.map(() => ({ outcome: 'settled' }));
    // Sessions are read again: the statement that locked the rows may have a snapshot from before another allocator
    // committed. This lock blocks all placements, so a process that stalls while it holds the lock soon loses its
    // transaction.
    const open = await tx.$queryRaw<{ id: string | null }[]>`
      SELECT session.match_id AS id
      FROM set_config('idle_in_transaction_session_timeout', ${String(pickIdleMs)}, true), pg_advisory_xact_lock(${pickLock})
      LEFT JOIN session ON session.match_id = ANY(${ids}::text[]) AND session.state IN ('reserved', 'live')`;
    const taken = new Set(open.map(({ id }) => id));
    const byId = new Map(locked.map((row) => [row.matchId, { ...row, players: row.players ?? [] }]));
    let unplaced = [...new Set(ids)].flatMap((id) => (taken.has(id) ? [] : (byId.get(id) ?? [])));
    while (unplaced.length > 0) {
      const servers = await candidates(tx, unplaced, timeouts, now);
      const picks = chooseServers(unplaced.map(wanted(servers)), servers.free);
      for (const [i, match] of unplaced.entries())
        if (!picks[i]) results.set(match.matchId, await waitForSlot(tx, match, now));
      const reservations = unplaced.flatMap((match, i) => {
        const picked = picks[i];
        return picked ? [decideReservation(match, picked, `ses_${randomUUID()}`, timeouts, now)] : [];
      });
      if (reservations.length === 0) break;
      const reserved = await reserve(tx, reservations, now);
      for (const { matchId, sessionId, serverId, answerBy } of reservations)
        if (reserved.has(sessionId))
          results.set(matchId, { outcome: 'reserved', serverId, sessionId, answerBy });
      // The servers of the other matches were drained, lost or registered again after the pick.
      unplaced = unplaced.filter(({ matchId }) => !results.has(matchId));
    }
    return ids.map((id) => results.get(id) ?? { outcome: 'settled' });
  });
}

/**
 * @returns the reserved sessions; a session is missing if its server was drained, lost or registered again meanwhile
 */
async function reserve(
  tx: Sql,
  reservations: readonly Reservation[],
  now: number,
): Promise<ReadonlySet<string>> {
  const rows = reservations.map((each) => ({
    match_id: each.matchId,
    session_id: each.sessionId,
    server_id: each.serverId,
    incarnation: each.incarnation,
    ordinal: each.ordinal,
    answer_by: new Date(each.answerBy),
    attempts: each.attempts,
    payload: each.order,
  }));
  // The count locks the servers' rows, so their commands commit in the order of their `seq`. If a later step fails, the
  // matches become due again when the servers' time to answer is over.
  const reserved = await tx.$queryRaw<{ id: string }[]>`
    WITH asked AS (
      SELECT *, row_number() OVER (PARTITION BY server_id ORDER BY session_id)::int AS nth
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row(match_id text, session_id text, server_id text,
        incarnation int, ordinal int, answer_by timestamptz, attempts int, payload jsonb)
    ), counted AS (
      UPDATE server SET command_seq = command_seq + many
      FROM (SELECT server_id, incarnation, count(*)::int AS many FROM asked GROUP BY server_id, incarnation ORDER BY server_id) AS each
      WHERE server.id = each.server_id AND server.state = 'ready' AND server.incarnation = each.incarnation
        AND server.id = ANY(${[...new Set(reservations.map(({ serverId }) => serverId))]}::text[])
      RETURNING server.id, command_seq - many AS before
    ), reserved AS (
      INSERT INTO session (id, match_id, server_id, slot_ordinal, incarnation, state, reserved_at, answer_by)
      SELECT session_id, match_id, server_id, ordinal, incarnation, 'reserved', ${new Date(now)}, answer_by
      FROM asked JOIN counted ON counted.id = asked.server_id
      RETURNING id, match_id
    ), commanded AS (
      INSERT INTO command (server_id, seq, session_id, kind, payload, state, created_at)
      SELECT server_id, before + nth, session_id, 'create-session', payload, 'pending', ${new Date(now)}
      FROM asked JOIN counted ON counted.id = asked.server_id
    ), noted AS (
      UPDATE placement SET attempts = asked.attempts, next_attempt_at = asked.answer_by + interval '1 second', shortage = NULL
      FROM asked JOIN counted ON counted.id = asked.server_id WHERE placement.match_id = asked.match_id
        AND placement.match_id = ANY(${reservations.map(({ matchId }) => matchId)}::text[])
    )
    SELECT id FROM reserved`;
  return new Set(reserved.map(({ id }) => id));
}

async function waitForSlot(tx: Sql, match: UnplacedMatch, now: number): Promise<PlaceResult> {
  return carryOut(tx, decideWait(match, await shortageNow(tx, match, now), now));
}

interface Candidates {
  readonly free: readonly FreeServer[];
  /** Servers that recently failed a match, by match. */
  readonly avoided: ReadonlyMap<string, readonly string[]>;
}

/** The servers of the matches' builds that have free slots, at most as many as there are matches. */
async function candidates(
  tx: Sql,
  matches: readonly UnplacedMatch[],
  timeouts: PlacementTimeouts,
  now: number,
): Promise<Candidates> {
  const builds = [...new Set(matches.map(({ build }) => build ?? ''))];
  const [found] = await tx.$queryRaw<{ free: FreeServer[]; avoided: { match: string; server: string }[] }[]>`
    SELECT (
      SELECT coalesce(jsonb_agg(jsonb_build_object('serverId', server.id, 'region', region, 'build', build, 'incarnation', incarnation,
        'slots', slots, 'cpuLoad', cpu_load, 'used', load.used, 'ordinals', to_jsonb(free.ordinals))), '[]')
      FROM server
      CROSS JOIN LATERAL (
        SELECT count(*) AS used FROM session
        WHERE session.server_id = server.id AND session.state IN ('reserved', 'live')
      ) AS load
      CROSS JOIN LATERAL (
        SELECT ARRAY(
          SELECT ordinal FROM generate_series(0, server.slots - 1) AS ordinal WHERE NOT EXISTS (
            SELECT 1 FROM session
            WHERE session.server_id = server.id AND session.slot_ordinal = ordinal AND session.state IN ('reserved', 'live'))
          ORDER BY ordinal LIMIT ${matches.length}
        ) AS ordinals
      ) AS free
      WHERE server.state = 'ready' AND server.build = ANY(${builds}::text[])
        AND server.heartbeat_at > ${new Date(now - timeouts.silenceMs)} AND load.used < server.slots
    ) AS free, (
      SELECT coalesce(jsonb_agg(jsonb_build_object('match', match_id, 'server', server_id)), '[]') FROM session
      WHERE match_id = ANY(${matches.map(({ matchId }) => matchId)}::text[]) AND closed_at > ${new Date(now - timeouts.avoidMs)}
    ) AS avoided`;
  const avoided = new Map<string, string[]>();
  for (const { match, server } of found?.avoided ?? [])
    avoided.set(match, [...(avoided.get(match) ?? []), server]);
  return { free: found?.free ?? [], avoided };
}

const wanted =
  ({ avoided }: Candidates) =>
  ({ matchId, build, regions }: UnplacedMatch): WantedSlot => ({
    build: build ?? '',
    regions,
    avoid: avoided.get(matchId) ?? [],
  });

export async function duePlacements(db: Db, now: number, limit: number): Promise<string[]> {
  const due = await db.$sql.$queryRaw<{ match_id: string }[]>`
    SELECT match_id FROM placement WHERE next_attempt_at <= ${new Date(now)} ORDER BY next_attempt_at LIMIT ${limit}`;
  return due.map((row) => row.match_id);
}

export async function giveUp(db: Db, now: number, limit: number): Promise<string[]> {
  const overdue = await db.$sql.$queryRaw<{ matchId: string }[]>`
    SELECT match_id AS "matchId" FROM placement WHERE give_up_at <= ${new Date(now)} AND NOT EXISTS (
      SELECT 1 FROM session WHERE session.match_id = placement.match_id AND session.state IN ('reserved', 'live'))
    LIMIT ${limit}`;
  const abandoned: string[] = [];
  for (const { matchId } of overdue) {
    const closed = await transact(db, async (tx) => {
      const [locked] = await tx.$queryRaw<{ attempts: number }[]>`
        SELECT attempts FROM placement WHERE match_id = ${matchId} FOR UPDATE SKIP LOCKED`;
      if (!locked) return false;
      const open = await tx.$queryRaw<object[]>`
        SELECT 1 FROM session WHERE match_id = ${matchId} AND state IN ('reserved', 'live')`;
      const match = await readMatch(tx, matchId);
      return carryOut(
        tx,
        decideGiveUp({ match, attempts: locked.attempts, hasServer: open.length > 0 }, now),
      );
    });
    if (closed) abandoned.push(matchId);
  }
  return abandoned;
}

export async function makePlacementsDue(db: Db, now: number): Promise<number> {
  return db.$sql.$executeRaw`
    UPDATE placement SET next_attempt_at = ${new Date(now)}
    WHERE next_attempt_at > ${new Date(now)}
      AND NOT EXISTS (SELECT 1 FROM session WHERE session.match_id = placement.match_id AND session.state IN ('reserved', 'live'))`;
}
