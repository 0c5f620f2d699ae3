import { until, type Cast, type Host } from './cast.js';
import type { LeftOpen } from './release.js';
import { build, lonely } from './stories.js';
import { createDb, type Db } from '../prisma.js';

/** A build without a server. */
const unplacedBuild = 'compat-later';

/**
 * Leaves open work in every table, as an upgrade finds it.
 *
 * @param then called while all of it is open
 */
export async function leaveOpen(cast: Cast, then: (left: LeftOpen) => Promise<void>): Promise<void> {
  const db = createDb(cast.stack.run.databaseUrl, { maxConnections: 3 });
  try {
    const host = await cast.host('compat-left', build, 8);
    const rated = await ratedMatch(cast, host);
    const open = await openSession(cast, host);
    const unplaced = await unplacedMatch(cast, db);
    const party = await waitingParty(cast);
    const { sessionId, order } = await play(cast, host, 'compat-duel', ['left-gus', 'left-hal']);
    await keepOutbox(db);
    await host.client.report(sessionId, { winner: 1 });
    const left = { rated, open, unplaced, party, ended: { matchId: order.matchId } };
    await whileRebuilding(cast, db, (pool) => then({ ...left, rebuilding: { pool } }));
  } finally {
    await db.$disconnect();
  }
}

async function play(cast: Cast, host: Host, queue: string, players: readonly string[], of = build) {
  for (const name of players) await (await cast.player(name)).enqueue({ queue, build: of });
  return host.asked.first(({ order }) => order.teams.flat().includes(players[0] ?? ''));
}

/** Newcomers of the queue `1v1`, with open calibration searches. */
async function ratedMatch(cast: Cast, host: Host): Promise<LeftOpen['rated']> {
  const { sessionId, order } = await play(cast, host, '1v1', ['left-ann', 'left-bob']);
  await host.client.report(sessionId, { winner: 0 });
  await until(
    () => cast.operator.match(order.matchId),
    ({ state }) => state === 'rated',
  );
  const bob = await cast.player('left-bob');
  await bob.avoid('left-ann', 'match');
  return { matchId: order.matchId, playerId: 'left-ann' };
}

/** A match of eight after two have left, with a balance order. */
async function openSession(cast: Cast, host: Host): Promise<LeftOpen['open']> {
  const names = Array.from({ length: 8 }, (_, i) => `left-l${i + 1}`);
  const { sessionId, order } = await play(cast, host, 'compat-live', names);
  for (const playerId of order.teams[1]?.slice(0, 2) ?? [])
    host.client.happened(sessionId, { kind: 'leave', playerId });
  await host.orders.first((balance) => balance.sessionId === sessionId);
  return { matchId: order.matchId, sessionId, serverId: 'compat-left', build };
}

async function unplacedMatch(cast: Cast, db: Db): Promise<LeftOpen['unplaced']> {
  for (const name of ['left-eve', 'left-fay'])
    await (await cast.player(name)).enqueue({ queue: 'compat-duel', build: unplacedBuild });
  const [row] = await until(
    () => db.$queryRaw<{ id: string }[]>`
      SELECT match.id FROM placement JOIN match ON match.id = match_id
      WHERE build = ${unplacedBuild} AND shortage IS NOT NULL`,
    (rows) => rows.length === 1,
  );
  return { matchId: row?.id ?? '', build: unplacedBuild };
}

async function waitingParty(cast: Cast): Promise<LeftOpen['party']> {
  const [cat, dan] = await Promise.all(['left-cat', 'left-dan'].map((name) => cast.player(name)));
  if (!cat || !dan) throw new Error('nobody is there');
  const { partyId } = await cat.createParty();
  await cat.invite(partyId, 'left-dan');
  await dan.joinParty(partyId, { build: lonely });
  await cat.invite(partyId, 'left-eve');
  await cat.enqueue({ queue: 'compat-pairs', build: lonely, partyId });
  return { partyId, leader: 'left-cat' };
}

/** Removes no more outbox rows. Slots are written as by the previous version. */
async function keepOutbox(db: Db): Promise<void> {
  await db.$executeRaw`
    INSERT INTO slot SELECT id, n FROM server, generate_series(0, slots - 1) AS n ON CONFLICT DO NOTHING`;
  await db.$executeRaw`
    CREATE FUNCTION keep_outbox() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$`;
  await db.$executeRaw`
    CREATE TRIGGER keep_outbox BEFORE DELETE ON outbox FOR EACH ROW EXECUTE FUNCTION keep_outbox()`;
}

/** Starts a rebuild that waits for a lock until `then` is done. */
async function whileRebuilding(cast: Cast, db: Db, then: (pool: string) => Promise<void>): Promise<void> {
  const pool = 'compat-cup';
  await db.$transaction(
    async (tx) => {
      await tx.$executeRaw`LOCK TABLE rated_match IN SHARE MODE`;
      await cast.operator.rebuildPool(pool, { reason: 'An upgrade comes in between.' });
      await until(
        () => db.$queryRaw<{ id: string }[]>`
          SELECT id FROM pool_rebuild WHERE pool = ${pool} AND state = 'running' AND holder IS NOT NULL`,
        (rows) => rows.length === 1,
      );
      await then(pool);
    },
    { timeout: 60_000 },
  );
}
