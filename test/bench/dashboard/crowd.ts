import { setTimeout as pause } from 'node:timers/promises';
import { LoadClient } from '../../load/client.js';
import { openQueue } from '../../support/open-queue.js';
import type { Db } from '../../support/prisma.js';
import type { Stack } from '../../support/stack.js';
import { historyStatements } from '../../support/synthetic-history.js';

/** A queue whose tickets wait, the player with a long history, and their pool. */
export const crowded = { queue: 'crowd', player: 'old-0', pool: 'ladder' } as const;

const callers = 64;
/** A match needs more players than have a build. */
const match = { teams: 10, teamSize: 50 };
const playersOfBuild = 400;

/** Queues players who find no match, since too few have their build. */
export async function fillQueue(stack: Stack, tickets: number): Promise<void> {
  await openQueue(stack, crowded.queue, { ...match, ticketTtlSeconds: 86_400 });
  const client = new LoadClient(stack.url);
  let next = 0;
  const call = async (): Promise<void> => {
    while (next < tickets) {
      const i = next++;
      const token = await stack.token(`crowd-${i}`);
      const build = `b-${Math.floor(i / playersOfBuild)}`;
      while ((await client.post('/v1/tickets', token, { queue: crowded.queue, build })).status !== 201)
        await pause(200);
    }
  };
  try {
    await Promise.all(Array.from({ length: callers }, call));
  } finally {
    client.close();
  }
}

/** Writes servers that were heard, and will be taken for that until the benchmark is over. */
export async function fillFleet(db: Db, servers: number): Promise<void> {
  await db.$executeRawUnsafe(`
    INSERT INTO server (id, region, build, host, port, slots, used_slots, state, cpu_load, heartbeat_at, registered_at)
    SELECT 'server-' || i, (ARRAY['eu', 'us', 'asia'])[1 + i % 3], 'build-' || i % 2, 'host', 7777, 10, 0, 'ready',
      (i * 7919 % 1000) / 1000.0, now() + interval '1 day', now()
    FROM generate_series(1, ${servers}) AS i`);
}

/** Of matches, and the players who play them in turn. */
const tables: readonly string[] = [
  'rating',
  'match',
  'match_player',
  'rating_event',
  'rating_change',
  'rated_match',
];
const players = 10;
/** Of one match. */
const seats = 2;

/** Writes a history in which each of a few players has so many matches. */
export async function fillMatches(stack: Stack, db: Db, matchesOfPlayer: number): Promise<void> {
  await stack.operator.createPool({ name: crowded.pool, shadowMatches: 0 });
  const matches = (matchesOfPlayer * players) / seats;
  const statements = historyStatements({ matches, players, recent: 0 })
    .filter(([table]) => tables.includes(table))
    .map(([, sql]) => `${sql};`);
  await db.$executeRawUnsafe(`DO $$ BEGIN
    PERFORM set_config('session_replication_role', 'replica', true);
    ${statements.join('\n')} END $$`);
  await db.$executeRawUnsafe('ANALYZE');
}
