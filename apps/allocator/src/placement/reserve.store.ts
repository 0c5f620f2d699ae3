import type { Sql } from '@muster/db';
import {
  decideReservation,
  freeOrdinals,
  type LoadedServer,
  type Message,
  type PlacementTimeouts,
  type Reservation,
  type UnplacedMatch,
} from '@muster/domain';
import { randomUUID } from 'node:crypto';

/** A match and the server chosen for it. */
export interface Chosen {
  readonly match: UnplacedMatch;
  readonly server: LoadedServer;
  /** Why this one. */
  readonly why: Message;
}

/**
 * Locks those servers that nobody holds and whose slots are counted as when they were chosen: one that another allocator
 * reserved on since is no longer the best choice. It never waits, so it may be called repeatedly.
 *
 * @param counted the slots in use of each server, by its id
 * @returns the locked ones
 */
export async function holdFreeServers(tx: Sql, counted: Readonly<Record<string, number>>): Promise<string[]> {
  const held = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM server WHERE id = ANY(${Object.keys(counted)}::text[])
      AND used_slots = (${JSON.stringify(counted)}::jsonb ->> id)::int FOR NO KEY UPDATE SKIP LOCKED`;
  return held.map(({ id }) => id);
}

/** Locks servers, and waits for those that others hold. All lock in the order of their ids, so nobody waits in a circle. */
export async function holdServers(tx: Sql, serverIds: readonly string[]): Promise<void> {
  await tx.$executeRaw`
    SELECT 1 FROM server WHERE id = ANY(${[...serverIds]}::text[]) ORDER BY id FOR NO KEY UPDATE`;
}

interface HeldServer {
  readonly id: string;
  readonly incarnation: number;
  readonly slots: number;
  readonly taken: number[];
}

/**
 * Reserves slots on servers that this transaction has locked: nobody else reserves there, so the free slots are exact.
 *
 * @returns the reservations; a match is missing if its server has no free slot any more, or was drained, lost or
 * registered again
 */
export async function reserve(
  tx: Sql,
  chosen: readonly Chosen[],
  timeouts: PlacementTimeouts,
  now: number,
): Promise<Reservation[]> {
  if (chosen.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { server } of chosen) counts.set(server.serverId, (counts.get(server.serverId) ?? 0) + 1);
  // A statement of its own: one that waited for a lock has a snapshot from before.
  const held = await tx.$queryRaw<HeldServer[]>`
    SELECT id, incarnation, slots, ARRAY(
      SELECT slot_ordinal FROM session WHERE server_id = server.id AND session.state IN ('reserved', 'live')) AS taken
    FROM server WHERE id = ANY(${[...counts.keys()]}::text[]) AND state = 'ready'`;
  const byId = new Map(
    held.map((server) => [
      server.id,
      { ...server, free: freeOrdinals(server.slots, server.taken, counts.get(server.id) ?? 0) },
    ]),
  );
  const reservations = chosen.flatMap(({ match, server: { serverId, incarnation }, why }) => {
    const server = byId.get(serverId);
    const ordinal = server?.incarnation === incarnation ? server.free.shift() : undefined;
    if (ordinal === undefined) return [];
    const pick = { serverId, incarnation, ordinal };
    return [{ ...decideReservation(match, pick, `ses_${randomUUID()}`, timeouts, now), why }];
  });
  const usedBefore = held.map(({ id, taken }) => ({ server_id: id, used: taken.length }));
  await write(tx, reservations, usedBefore, now);
  return reservations;
}

async function write(
  tx: Sql,
  reservations: readonly (Reservation & Pick<Chosen, 'why'>)[],
  usedBefore: readonly { readonly server_id: string; readonly used: number }[],
  now: number,
): Promise<void> {
  const rows = reservations.map((each) => ({
    match_id: each.matchId,
    session_id: each.sessionId,
    server_id: each.serverId,
    incarnation: each.incarnation,
    ordinal: each.ordinal,
    answer_by: new Date(each.answerBy),
    attempts: each.attempts,
    payload: each.order,
    chosen: each.why,
  }));
  // If a later step fails, the matches become due again when the servers' time to answer is over.
  await tx.$executeRaw`
    WITH asked AS (
      SELECT match_id, session_id, server_id, incarnation, ordinal, answer_by, attempts, payload, chosen,
        row_number() OVER (PARTITION BY server_id ORDER BY session_id)::int AS nth
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row(match_id text, session_id text, server_id text,
        incarnation int, ordinal int, answer_by timestamptz, attempts int, payload jsonb, chosen jsonb)
    ), counted AS (
      UPDATE server SET command_seq = command_seq + each.many, used_slots = each.used + each.many
      FROM (
        SELECT before.server_id, before.used, (SELECT count(*) FROM asked WHERE asked.server_id = before.server_id)::int AS many
        FROM jsonb_to_recordset(${JSON.stringify(usedBefore)}::jsonb) AS before(server_id text, used int)
      ) AS each
      WHERE server.id = each.server_id AND server.id = ANY(${usedBefore.map(({ server_id }) => server_id)}::text[])
      RETURNING server.id, command_seq - each.many AS before
    ), reserved AS (
      INSERT INTO session (id, match_id, server_id, slot_ordinal, incarnation, state, reserved_at, answer_by, chosen)
      SELECT session_id, match_id, server_id, ordinal, incarnation, 'reserved', ${new Date(now)}, answer_by, chosen FROM asked
    ), commanded AS (
      INSERT INTO command (server_id, seq, session_id, kind, payload, state, created_at)
      SELECT server_id, before + nth, session_id, 'create-session', payload, 'pending', ${new Date(now)}
      FROM asked JOIN counted ON counted.id = asked.server_id
    )
    UPDATE placement SET attempts = asked.attempts, next_attempt_at = asked.answer_by + interval '1 second', shortage = NULL
    FROM asked WHERE placement.match_id = asked.match_id
      AND placement.match_id = ANY(${reservations.map(({ matchId }) => matchId)}::text[])`;
}
