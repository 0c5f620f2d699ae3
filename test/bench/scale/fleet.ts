import type { PlacementPolicy } from '@muster/domain';
import type { Db } from '../../support/prisma.js';

/** Servers of the benchmarks: three regions, two builds, ten slots each, half of them in use. */
export const slotsEach = 10;
const liveEach = 5;

/** Empties the fleet and fills it with servers that were heard just now, each with live sessions. */
export async function fillFleet(db: Db, servers: number): Promise<void> {
  for (const table of ['command', 'session', 'freed_slot', 'placement', 'match_player', 'match', 'server'])
    await db.$executeRawUnsafe(`DELETE FROM ${table}`);
  await db.$executeRawUnsafe(`
    INSERT INTO server (id, region, build, host, port, slots, used_slots, state, cpu_load, heartbeat_at, registered_at)
    SELECT 'server-' || i, (ARRAY['eu', 'us', 'asia'])[1 + i % 3], 'build-' || i % 2, 'host', 7777, ${slotsEach}, ${liveEach}, 'ready',
      (i * 7919 % 1000) / 1000.0, now(), now()
    FROM generate_series(1, ${servers}) AS i`);
  await fillSessions(db, servers);
}

/** Live sessions of the servers `server-1` and so on, of which each has as many. */
export async function fillSessions(db: Db, servers: number): Promise<void> {
  await db.$executeRawUnsafe(`
    INSERT INTO match (id, origin, pool, state, queue, build, regions, rules, bots, formed_at)
    SELECT 'live-' || i || '-' || slot, 'queue', 'ladder', 'placed', 'ranked', 'build-' || i % 2, '{}', '{"mode": "duel"}', '{}', now()
    FROM generate_series(1, ${servers}) AS i, generate_series(1, ${liveEach}) AS slot`);
  await db.$executeRawUnsafe(`
    INSERT INTO session (id, match_id, server_id, slot_ordinal, state, incarnation, reserved_at, answer_by, live_at)
    SELECT 'ses_' || lpad(i || '-' || slot, 36, '0'), 'live-' || i || '-' || slot, 'server-' || i, slot, 'live', 1, now(), now(), now()
    FROM generate_series(1, ${servers}) AS i, generate_series(1, ${liveEach}) AS slot`);
}

/** The names of the live sessions of a server. */
export function sessionsOf(server: number): string[] {
  return Array.from({ length: liveEach }, (_, i) => `ses_${`${server}-${i + 1}`.padStart(36, '0')}`);
}

/** Forms matches of two players that wait for a server by a policy, named `<name>-1` and so on. */
export async function formMatches(
  db: Db,
  name: string,
  count: number,
  policy: PlacementPolicy,
): Promise<string[]> {
  await db.$executeRawUnsafe(`
    WITH formed AS (
      INSERT INTO match (id, origin, pool, state, queue, build, regions, rules, bots, formed_at)
      SELECT '${name}-' || i, 'queue', 'ladder', 'formed', 'ranked', 'build-' || i % 2, '{eu,us,asia}', '{"mode": "duel", "placement": "${policy}"}', '{0,0}', now()
      FROM generate_series(1, ${count}) AS i RETURNING id
    ), players AS (
      INSERT INTO match_player (match_id, player_id, team, ticket_id, mu, sigma)
      SELECT id, id || '-' || team, team, 'ticket-' || id || '-' || team, 25, 8 FROM formed, generate_series(0, 1) AS team
    )
    INSERT INTO placement (match_id, attempts, next_attempt_at, give_up_at)
    SELECT id, 0, now(), now() + interval '1 hour' FROM formed`);
  return Array.from({ length: count }, (_, i) => `${name}-${i + 1}`);
}

/** Ends the sessions of matches, so that the fleet stays as full as it was. */
export async function endMatches(db: Db, matchIds: readonly string[]): Promise<void> {
  await db.$sql.$executeRaw`
    UPDATE session SET state = 'ended', closed_at = now() WHERE match_id = ANY(${[...matchIds]}::text[]) AND state = 'reserved'`;
}
