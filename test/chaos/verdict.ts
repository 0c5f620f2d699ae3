import { connectRedis, type RedisConnection } from '@muster/redis';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet } from '../support/fleet.js';
import { until } from '../support/gate.js';
import type { RunFile } from '../support/stack.js';
import type { Crowd } from './crowd.js';
import { createDb } from '../support/prisma.js';

/**
 * How an invariant is violated: something acknowledged was lost, something was done twice, work never ends, or the
 * stores contradict each other.
 */
export type Violation = 'lost' | 'twice' | 'stuck' | 'wrong';

/** An invariant and the violations of it. */
export interface Finding {
  readonly promise: string;
  readonly broken: readonly string[];
}

/** A finding of the audit. */
export interface Audited extends Finding {
  readonly violation: Violation;
}

interface Id {
  id: string;
}

/** On a busy machine the relay is some seconds behind; what is left after that is stuck, in milliseconds. */
const hangsMs = 20_000;

/** What is found again and again until then. */
async function lasting(find: () => Promise<readonly Id[]>): Promise<readonly Id[]> {
  const end = performance.now() + hangsMs;
  let still = await find();
  while (still.length > 0 && performance.now() < end) {
    await sleep(500);
    const now = new Set((await find()).map(({ id }) => id));
    still = still.filter(({ id }) => now.has(id));
  }
  return still;
}

/**
 * Audits every invariant in the stores, not through the services.
 *
 * @param heldUpMs the maximum delay of a call before its transaction begins: it writes its time of arrival, so a slot
 * may appear to be reused that much too early. The index of open slots is authoritative, not these times
 */
export async function judge(
  stack: { readonly run: Pick<RunFile, 'databaseUrl' | 'redisUrl'> },
  crowd: Crowd,
  fleet: Fleet,
  heldUpMs = 0,
): Promise<Audited[]> {
  const heldUp = `${heldUpMs} milliseconds`;
  const db = createDb(stack.run.databaseUrl, { maxConnections: 2 });
  const redis = connectRedis(stack.run.redisUrl, { name: 'audit', onError: () => undefined });
  const findings: Audited[] = [];
  const ask = async (
    violation: Violation,
    promise: string,
    rows: Promise<readonly Id[]> | readonly Id[],
  ): Promise<void> => {
    findings.push({ promise, violation, broken: (await rows).map((row) => row.id) });
  };
  try {
    await ask('stuck', 'every acknowledged ticket ended, or waits', strayTickets(redis, crowd));
    await ask(
      'lost',
      'no acknowledged ticket was ever denied',
      [...crowd.vanished].map((id) => ({ id })),
    );
    await ask(
      'twice',
      'no ticket was sent to two sessions',
      [...crowd.assignedTwice].map((id) => ({ id })),
    );
    await ask(
      'wrong',
      'a cancelled ticket is in no match that had a server',
      db.$queryRaw<Id[]>`SELECT DISTINCT ticket_id AS id FROM match_player JOIN match ON match.id = match_id
        WHERE ticket_id = ANY(${[...crowd.cancelled]}::text[]) AND NOT (match.state = 'abandoned' AND placed_at IS NULL)`,
    );
    await ask(
      'twice',
      'a ticket is in one match at most, unless the server of the first was lost',
      db.$queryRaw<Id[]>`SELECT ticket_id AS id FROM match_player JOIN match ON match.id = match_id
        WHERE ticket_id IS NOT NULL AND match.state <> 'abandoned' AND NOT EXISTS (SELECT 1 FROM session
          JOIN result ON result.session_id = session.id WHERE session.match_id = match.id AND received_at > session.closed_at) GROUP BY ticket_id HAVING count(DISTINCT match_id) > 1`,
    );
    await ask(
      'twice',
      'no player was in two live matches',
      db.$queryRaw<Id[]>`
        SELECT a.player_id || ' in ' || m.id || ' and ' || n.id AS id
        FROM match_player a JOIN match_player b ON a.player_id = b.player_id AND a.match_id <> b.match_id
        JOIN match m ON m.id = a.match_id JOIN match n ON n.id = b.match_id
        WHERE m.formed_at <= n.formed_at AND m.id <> n.id AND n.formed_at + ${heldUp}::interval < coalesce(m.closed_at, 'infinity')`,
    );
    await ask(
      'twice',
      'no slot was used twice at once',
      db.$queryRaw<Id[]>`
        SELECT a.id || ' and ' || b.id || ', for ' || least(a.closed_at, b.closed_at) - greatest(a.reserved_at, b.reserved_at) AS id
        FROM session a
        JOIN session b ON a.server_id = b.server_id AND a.slot_ordinal = b.slot_ordinal AND a.id < b.id
        WHERE a.reserved_at + ${heldUp}::interval < coalesce(b.closed_at, 'infinity')
          AND b.reserved_at + ${heldUp}::interval < coalesce(a.closed_at, 'infinity')`,
    );
    await ask(
      'twice',
      'no server had more sessions than slots',
      fleet.report.overCommitted > 0 ? [{ id: `${fleet.report.overCommitted} times` }] : [],
    );
    await ask(
      'stuck',
      'every match ended',
      db.$queryRaw<Id[]>`SELECT match.id || ' is ' || match.state || ', sessions: ' || coalesce(string_agg(
          session.id || ' ' || session.state || ' on ' || session.server_id || '#' || session.incarnation || ' of ' || server.incarnation, ', '), '') AS id
        FROM match LEFT JOIN session ON session.match_id = match.id LEFT JOIN server ON server.id = session.server_id
        WHERE match.state IN ('formed', 'placed', 'ended') GROUP BY match.id`,
    );
    await ask(
      'stuck',
      'no player is held by a finished match',
      db.$queryRaw<Id[]>`SELECT player_id AS id FROM live_player`,
    );
    await ask(
      'stuck',
      'every outbox entry was relayed',
      lasting(() => db.$queryRaw<Id[]>`SELECT queue || ' ' || job_id AS id FROM outbox`),
    );
    await ask(
      'stuck',
      'every event was logged',
      lasting(() => db.$queryRaw<Id[]>`SELECT type || ' ' || order_key AS id FROM event_outbox`),
    );
    // The release before, which an upgrade begins with, had no events.
    const [events] = await db.$queryRaw<{ at: Date | null }[]>`
      SELECT max(finished_at) AS at FROM _prisma_migrations WHERE migration_name LIKE '%events_of_match'`;
    const eventsSince = events?.at ?? new Date(0);
    await ask(
      'twice',
      'every rated match has one event of it',
      db.$queryRaw<Id[]>`
        SELECT id FROM match WHERE state = 'rated' AND closed_at > ${eventsSince} AND
          (SELECT count(*) FROM event_log WHERE order_key = match.id AND type = 'match.rated') <> 1`,
    );
    const reported = [...fleet.report.reported.values()].map((report) => report.matchId);
    await ask(
      'lost',
      'every acknowledged result was rated',
      db.$queryRaw<Id[]>`
        SELECT wanted.id FROM unnest(${reported}::text[]) AS wanted(id) LEFT JOIN match ON match.id = wanted.id
        WHERE match.state IS DISTINCT FROM 'rated'`,
    );
    await ask(
      'twice',
      'every rated match is in the ledger once for each of its players',
      db.$queryRaw<Id[]>`
        SELECT match.id FROM match WHERE state = 'rated' AND
          (SELECT count(*) FROM match_player WHERE match_id = match.id) <> (SELECT count(*) FROM rating_change WHERE event_id = match.id)`,
    );
    await ask(
      'wrong',
      'ratings are the fold of the ledger',
      db.$queryRaw<Id[]>`
        SELECT rating.player_id AS id FROM rating
        LEFT JOIN LATERAL (
          SELECT count(*) FILTER (WHERE kind = 'match') AS entries, (array_agg(after ORDER BY sequence DESC))[1] AS last FROM rating_change
          WHERE pool = rating.pool AND generation = rating.generation AND player_id = rating.player_id) AS ledger ON true
        WHERE ledger.entries <> rating.matches OR (ledger.last IS NOT NULL AND ledger.last <> rating.state)`,
    );
    await ask(
      'wrong',
      'every ledger row begins with the rating of the previous one',
      db.$queryRaw<Id[]>`
        SELECT event_id || ' ' || player_id AS id FROM (
          SELECT event_id, player_id, before, lag(after) OVER (PARTITION BY pool, generation, player_id ORDER BY sequence) AS earlier
          FROM rating_change) AS chain
        WHERE earlier IS NOT NULL AND earlier <> before`,
    );
    await ask(
      'wrong',
      'every calibration counted each match of its player once, up to its last',
      db.$queryRaw<Id[]>`
        SELECT player_id || ': ' || cardinality(match_ids) || ' of ' || rating.matches AS id
        FROM calibration_search JOIN rating USING (pool, player_id)
        WHERE rating.generation = (SELECT generation FROM rating_pool WHERE name = pool) AND (
          cardinality(match_ids) <> (search->>'matches')::int
          OR cardinality(match_ids) <> (SELECT count(DISTINCT match_id) FROM unnest(match_ids) AS match_id)
          OR cardinality(match_ids) <> LEAST(rating.matches, (search->>'of')::int))`,
    );
    // A service killed late may still be restarting, and rating is queried every few seconds.
    await until(
      async () => (await db.calibrationSearch.count({ where: { state: 'concluded' } })) === 0,
    ).catch(() => undefined);
    await ask(
      'wrong',
      'every finished calibration set its rating once',
      db.$queryRaw<Id[]>`
        SELECT player_id || ' is ' || state AS id FROM calibration_search AS calibration
        WHERE (cardinality(match_ids) = (search->>'of')::int) <> (state = 'seeded')
          OR (state = 'seeded') <> (1 = (
            SELECT count(*) FROM rating_change AS change
            WHERE change.pool = calibration.pool AND change.player_id = calibration.player_id AND kind = 'seed'
              AND generation = (SELECT generation FROM rating_pool WHERE name = calibration.pool)))`,
    );
  } finally {
    redis.disconnect();
    await db.$disconnect();
  }
  return findings;
}

async function strayTickets(redis: RedisConnection, crowd: Crowd): Promise<Id[]> {
  const stray: Id[] = [];
  for (const ticketId of crowd.acknowledged) {
    const [state, closed] = await redis.hmget(`muster:{default}:ticket:${ticketId}`, 's', 'c');
    if (state === null || state === undefined) stray.push({ id: `${ticketId} is gone` });
    else if (closed !== '1' && state !== 'waiting') stray.push({ id: `${ticketId} is stuck in ${state}` });
  }
  return stray;
}
