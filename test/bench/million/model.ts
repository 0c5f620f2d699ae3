import { Fleet } from '../../support/fleet.js';
import { queueUp } from '../../support/party.js';
import type { Stack } from '../../support/stack.js';
import { regions } from './arrivals.js';
import { build, fillRatings, type ModelMatch } from './fill.js';
import { createDb, type Db } from '../../support/prisma.js';

export const queue = '5v5';

/** The tickets of a match: three of its ten players are a party. */
const sizes = [1, 1, 1, 1, 1, 1, 1, 3] as const;
const longMs = 86_400_000;
const [region] = regions;

/**
 * Plays a match in, and hands it over while its server has it. Its players and all others have established ratings, which are
 * copies of the one that is set through the API.
 */
export async function withModel(
  stack: Stack,
  run: (db: Db, model: ModelMatch, ratedLike: string) => Promise<void>,
): Promise<void> {
  const like = 'model';
  const rules = (await stack.operator.queues()).queues.find(({ name }) => name === queue);
  if (!rules) throw new Error(`There is no queue "${queue}".`);
  await stack.operator.setRating(rules.pool, like, {
    mu: 25,
    sigma: 1.5,
    reason: 'Bench: the model of the others.',
  });
  const db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
  const fleet = new Fleet({
    url: stack.url,
    serverKey: stack.run.serverKey,
    servers: 1,
    slots: 1,
    build,
    region,
    matchMs: () => longMs,
    ranks: (teams) => teams.map((_, t) => t + 1),
  });
  try {
    await fillRatings(db, like, 'model-', 10);
    // Players of one skill are matched at once.
    await db.$executeRawUnsafe(
      `UPDATE rating SET state = jsonb_set(state, '{mu}', '25') WHERE player_id LIKE 'model-%'`,
    );
    await fleet.start();
    await run(db, await play(stack), like);
  } finally {
    await fleet.stop();
    await db.$disconnect();
  }
}

async function play(stack: Stack): Promise<ModelMatch> {
  let next = 0;
  const parties = sizes.map((size) => Array.from({ length: size }, () => `model-${next++}`));
  const queued = await Promise.all(
    parties.map((playerIds) => queueUp(stack, playerIds, { queue, build, latencyMs: { [region]: 25 } })),
  );
  const assigned = await Promise.all(queued.map((ticket) => ticket.assigned()));
  const [first] = assigned;
  if (!first) throw new Error('the model match has no tickets');
  const { matchId, sessionId, serverId } = first;
  return { matchId, sessionId, serverId, region, tickets: queued };
}
