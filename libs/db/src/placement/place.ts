import type { Patience, PlaceResult } from '@muster/domain';
import { randomUUID } from 'node:crypto';
import type { Db } from '../client.js';
import { newsOf, promise } from '../outbox.js';
import { atomically, type Tx } from '../transaction.js';
import { abandon } from './end-session.js';
import { shortageNow, shortageReason, type Shortage } from './shortages.js';

/** Any number will do, as long as every allocator uses the same: picks are made one after another, so "least-loaded" is true. */
const pickLock = 7_267_001;

/** Back-off of a match that finds no free server: doubling from the first to the last, in milliseconds. */
const backOff = { firstMs: 250, lastMs: 4_000 };

interface Pick {
  id: string;
  region: string;
  incarnation: number;
  ordinal: number;
}

/** A match without these rules waits this long for a server, in seconds. */
const defaultPatienceSeconds = 300;

export async function begin(db: Db, matchId: string, now: number): Promise<void> {
  // "For share": whoever is just placing or closing the match is waited for, and then its state is read again. Without it
  // the row that they remove would come back.
  await db.$executeRaw`
    INSERT INTO placement (match_id, attempts, next_attempt_at, give_up_at)
    SELECT id, 0, ${new Date(now)}, ${new Date(now)}::timestamptz
      + make_interval(secs => coalesce((rules->>'placementTimeoutSeconds')::float8, ${defaultPatienceSeconds}))
    FROM match WHERE id = ${matchId} AND state = 'formed' FOR SHARE
    ON CONFLICT DO NOTHING`;
}

interface Unplaced {
  attempts: number;
  state: string;
  queue: string | null;
  build: string | null;
  regions: string[];
  mode: string | null;
  map: string | null;
  bots: number[];
  open: boolean;
  shortage: Shortage | null;
  players: { playerId: string; team: number; ticketId: string | null; role: string | null }[] | null;
}

/**
 * Reserves a slot for a match.
 *
 * 1. Take the match's placement row; if another caller has it, or the match is no longer `formed`, there is nothing to do.
 * 2. Pick the least-loaded server that fits: share of slots in use, then processor load, then the players' region order.
 * 3. Reserve: session row (unique indexes guard slot and match) and the command to create it, in this transaction.
 */
export function place(db: Db, matchId: string, patience: Patience, now: number): Promise<PlaceResult> {
  return atomically(db, async (tx): Promise<PlaceResult> => {
    const [match] = await tx.$queryRaw<Unplaced[]>`
      SELECT placement.attempts, match.state, match.queue, match.build, match.regions, match.rules->>'mode' AS mode,
        match.map, match.bots, placement.shortage,
        EXISTS (SELECT 1 FROM session WHERE session.match_id = match.id AND session.state IN ('reserved', 'live')) AS open,
        (SELECT jsonb_agg(jsonb_build_object('playerId', player_id, 'team', team, 'ticketId', ticket_id, 'role', role) ORDER BY player_id)
          FROM match_player WHERE match_player.match_id = match.id) AS players
      FROM placement JOIN match ON match.id = placement.match_id
      WHERE placement.match_id = ${matchId} FOR UPDATE OF placement SKIP LOCKED`;
    if (!match || match.state !== 'formed' || match.open) return { outcome: 'settled' };

    // Asked again: the statement that took the row may have seen sessions as they were before another allocator let go of it.
    const [own] = await tx.$queryRaw<{ open: boolean }[]>`
      SELECT EXISTS (SELECT 1 FROM session WHERE match_id = ${matchId} AND state IN ('reserved', 'live')) AS open
      FROM pg_advisory_xact_lock(${pickLock})`;
    if (own?.open !== false) return { outcome: 'settled' };
    for (;;) {
      const picked = await pick(tx, {
        matchId,
        build: match.build ?? '',
        regions: match.regions,
        patience,
        now,
      });
      if (!picked) return waitForSlot(tx, matchId, match, now);
      const reserved = await reserve(tx, matchId, match, picked, patience, now);
      if (reserved) return reserved;
    }
  });
}

/** @returns null when the server was drained, lost or registered anew since it was picked */
async function reserve(
  tx: Tx,
  matchId: string,
  { queue, mode, map, bots, players, attempts }: Unplaced,
  picked: Pick,
  patience: Patience,
  now: number,
): Promise<PlaceResult | null> {
  const sessionId = `ses_${randomUUID()}`;
  const answerBy = now + patience.answerMs;
  const teams: string[][] = [];
  for (const { playerId, team } of players ?? []) (teams[team] ??= []).push(playerId);
  const roles = Object.fromEntries(
    (players ?? []).flatMap(({ playerId, role }) => (role === null ? [] : [[playerId, role]])),
  );
  const order = JSON.stringify({
    matchId,
    queue: queue ?? '',
    mode: mode ?? '',
    teams,
    map,
    bots,
    roles,
    answerBy,
  });
  // The server's row is locked by the count, so its commands commit in the order of their `seq`. Should everything after
  // this be lost, the match comes due again once the server's time to answer is over.
  const count = await tx.$executeRaw`
    WITH counted AS (
      UPDATE server SET command_seq = command_seq + 1
      WHERE id = ${picked.id} AND state = 'ready' AND incarnation = ${picked.incarnation} RETURNING command_seq
    ), reserved AS (
      INSERT INTO session (id, match_id, server_id, slot_ordinal, incarnation, state, reserved_at, answer_by)
      SELECT ${sessionId}, ${matchId}, ${picked.id}, ${picked.ordinal}::int, ${picked.incarnation}::int, 'reserved', ${new Date(now)}, ${new Date(answerBy)}
      FROM counted
    ), commanded AS (
      INSERT INTO command (server_id, seq, session_id, kind, payload, state, created_at)
      SELECT ${picked.id}, command_seq, ${sessionId}, 'create-session', ${order}::jsonb, 'pending', ${new Date(now)} FROM counted
    )
    UPDATE placement SET attempts = ${attempts + 1}, next_attempt_at = ${new Date(answerBy + 1_000)}, shortage = NULL
    FROM counted WHERE match_id = ${matchId}`;
  if (count === 0) return null;
  return { outcome: 'reserved', serverId: picked.id, sessionId, answerBy };
}

async function waitForSlot(tx: Tx, matchId: string, match: Unplaced, now: number): Promise<PlaceResult> {
  const { attempts, build, regions, players, shortage } = match;
  const found = await shortageNow(tx, match, now);
  const nextAttemptAt = now + Math.min(backOff.lastMs, backOff.firstMs * 2 ** Math.min(10, attempts));
  await tx.placement.update({
    where: { matchId },
    data: { attempts: attempts + 1, nextAttemptAt: new Date(nextAttemptAt), shortage: found },
  });
  // Said once, not at every attempt.
  if (found !== shortage) {
    const ticketIds = [...new Set((players ?? []).flatMap((p) => (p.ticketId === null ? [] : [p.ticketId])))];
    const reason = shortageReason(found, build, regions);
    await promise(tx, 'allocator', newsOf({ kind: 'placing', matchId, ticketIds, reason }));
  }
  return { outcome: 'none-free', nextAttemptAt };
}

interface Wanted {
  matchId: string;
  build: string;
  regions: string[];
  patience: Patience;
  now: number;
}

async function pick(tx: Tx, { matchId, build, regions, patience, now }: Wanted): Promise<Pick | undefined> {
  const aliveSince = new Date(now - patience.silenceMs);
  const avoidSince = new Date(now - patience.avoidMs);
  const [picked] = await tx.$queryRaw<Pick[]>`
    SELECT server.id, server.region, server.incarnation, free.ordinal
    FROM server
    CROSS JOIN LATERAL (
      SELECT count(*) AS used FROM session
      WHERE session.server_id = server.id AND session.state IN ('reserved', 'live')
    ) AS load
    CROSS JOIN LATERAL (
      SELECT slot.ordinal FROM slot
      WHERE slot.server_id = server.id AND slot.ordinal < server.slots AND NOT EXISTS (
        SELECT 1 FROM session
        WHERE session.server_id = slot.server_id AND session.slot_ordinal = slot.ordinal AND session.state IN ('reserved', 'live'))
      ORDER BY slot.ordinal LIMIT 1
    ) AS free
    WHERE server.state = 'ready' AND server.build = ${build} AND server.heartbeat_at > ${aliveSince}
      AND load.used < server.slots
      AND (cardinality(${regions}::text[]) = 0 OR server.region = ANY(${regions}::text[]))
      AND NOT EXISTS (
        SELECT 1 FROM session
        WHERE session.match_id = ${matchId} AND session.server_id = server.id AND session.closed_at > ${avoidSince})
    ORDER BY load.used::float / server.slots, server.cpu_load, array_position(${regions}::text[], server.region), server.id
    LIMIT 1`;
  return picked;
}

export async function duePlacements(db: Db, now: number, limit: number): Promise<string[]> {
  const due = await db.placement.findMany({
    where: { nextAttemptAt: { lte: new Date(now) } },
    select: { matchId: true },
    orderBy: { nextAttemptAt: 'asc' },
    take: limit,
  });
  return due.map((placement) => placement.matchId);
}

export async function giveUp(db: Db, now: number, limit: number): Promise<string[]> {
  const overdue = await db.placement.findMany({
    where: {
      giveUpAt: { lte: new Date(now) },
      match: { sessions: { none: { state: { in: ['reserved', 'live'] } } } },
    },
    select: { matchId: true },
    take: limit,
  });
  const given: string[] = [];
  for (const { matchId } of overdue) {
    const gone = await atomically(db, async (tx) => {
      const [held] = await tx.$queryRaw<{ match_id: string }[]>`
        SELECT match_id FROM placement WHERE match_id = ${matchId} FOR UPDATE SKIP LOCKED`;
      const open = await tx.session.count({ where: { matchId, state: { in: ['reserved', 'live'] } } });
      if (!held || open > 0) return false;
      return abandon(
        tx,
        matchId,
        'No server could be found in time. Nobody is rated; please queue again.',
        now,
      );
    });
    if (gone) given.push(matchId);
  }
  return given;
}

export async function hasten(db: Db, now: number): Promise<number> {
  return db.$executeRaw`
    UPDATE placement SET next_attempt_at = ${new Date(now)}
    WHERE next_attempt_at > ${new Date(now)}
      AND NOT EXISTS (SELECT 1 FROM session WHERE session.match_id = placement.match_id AND session.state IN ('reserved', 'live'))`;
}
