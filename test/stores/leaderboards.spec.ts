import { isBot, seededRandom } from '@muster/domain';
import { connectRedis, realmRoot } from '@muster/redis';
import { defaultPoolRules } from '@muster/skill';
import { startTestRedis, type TestRedis } from '@muster/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { boardEntry, unrankedFor } from '../../apps/rating/src/leaderboards/board-entry.js';
import type { BoardQuestion } from '../../apps/rating/src/leaderboards/board.js';
import { RedisBoards } from '../../apps/rating/src/leaderboards/board.store.js';
import { KeepBoards } from '../../apps/rating/src/leaderboards/keep-boards.js';
import { PostgresLedgerFeed } from '../../apps/rating/src/leaderboards/ledger-feed.store.js';
import { PostgresSeasons } from '../../apps/rating/src/seasons/seasons.store.js';
import { as } from '../support/database.js';
import { databaseForEach, noon, range } from './fixtures.js';
import { aPool } from './ledger-fixtures.js';
import { countingIds, Ladder, rebuilt } from './rebuild-fixtures.js';

const data = databaseForEach();
const root = realmRoot('boards');
const dayMs = 86_400_000;
const shadowMatches = 3;

let server: TestRedis;
let redis: ReturnType<typeof connectRedis>;
let ladder: Ladder;
let at: number;

beforeAll(async () => {
  server = await startTestRedis({ own: true });
  redis = connectRedis(server.url, { name: 'boards', onError: () => undefined });
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});
beforeEach(async () => {
  await redis.flushall();
  at = noon + dayMs;
  ladder = new Ladder(data().db, 'ladder');
  await ladder.ledger.pools.create(
    aPool('ladder', { ...defaultPoolRules, shadowMatches, staleAfterDays: 300 }),
  );
});

/** A process that keeps boards. */
function aKeeper(owner = 'one', leaseMs = 10_000) {
  const db = as('rating', data().db);
  const boards = new RedisBoards(redis, root, owner, leaseMs);
  const dropped: string[] = [];
  const keep = new KeepBoards(
    boards,
    new PostgresLedgerFeed(db),
    ladder.ledger.ratings,
    { now: () => at },
    countingIds(),
    (pool) => void dropped.push(pool),
  );
  /** Turns until nothing more can be done at once, and all events are final. */
  const turns = async (): Promise<void> => {
    do while (await keep.turn());
    while (await isBehind(boards));
  };
  return { boards, keep, turns, dropped };
}

/** Whether a board is made or awaits events: other files of tests use the same Postgres, so transactions overlap. */
async function isBehind(boards: RedisBoards): Promise<boolean> {
  const last = await new PostgresLedgerFeed(data().db).last();
  for (const { pool } of await boards.asked()) {
    const kept = await boards.keep(pool);
    if (kept?.next || (kept?.live && BigInt(kept.live.safe) < last)) return true;
  }
  return false;
}

type Keeper = ReturnType<typeof aKeeper>;

const top: BoardQuestion = { kind: 'top', from: 1, limit: 100 };
const read = ({ boards }: Keeper, question: BoardQuestion = top, region: string | null = null) =>
  boards.read({ pool: 'ladder', region }, question, at);

/** Asked, made, and read. */
async function made(keeper: Keeper) {
  await read(keeper);
  await keeper.turns();
  return read(keeper);
}

/** The board as the ratings say it should be. */
async function expected(region: string | null = null) {
  const pool = await ladder.ledger.ratings.pool('ladder');
  const rows = (await ladder.ledger.ratings.page(pool, '', 10_000))
    .filter((rating) => !isBot(rating.playerId) && unrankedFor(pool, rating, at) === null)
    .map((rating) => boardEntry(pool, rating.playerId, rating))
    .filter((entry) => region === null || entry.region === region);
  const means = rows.flatMap(({ mu }) => (mu === null ? [] : [mu])).toSorted((a, b) => b - a);
  return {
    season: pool.seasons?.length ?? 0,
    players: rows.length,
    places: rows
      .map(({ playerId, mu }) => ({ playerId, mu, rank: means.findIndex((mean) => mean === mu) + 1 }))
      .toSorted((a, b) => a.rank - b.rank || (a.playerId < b.playerId ? 1 : -1)),
  };
}

describe('a leaderboard', () => {
  it('is made from the ratings when somebody asks, and follows every change of them', async () => {
    const random = seededRandom(3);
    await ladder.season(40, random);
    const keeper = aKeeper();
    expect(await read(keeper)).toBeNull();
    expect(await made(keeper)).toEqual(await expected());

    for (const round of range(3)) {
      await ladder.season(10, random);
      await ladder.give('set', `set-${round}`, `p${round}`, 3 * random() - 1);
      await ladder.give('reset', `reset-${round}`, `p${20 - round}`);
      expect(await made(keeper)).toEqual(await expected());
    }
    await ladder.ledger.matches.void('m3', { by: 'olga', reason: 'cheated', rebuildId: 'rbd_none' }, noon);
    await data().db.poolRebuild.deleteMany();
    await rebuilt(data().db, 'ladder');
    expect(await made(keeper)).toEqual(await expected());
  });

  it('gives equal ratings one rank, and neighbours in its order', async () => {
    await ladder.season(60, seededRandom(4));
    for (const [i, id] of ['p1', 'p2', 'p3', 'p4'].entries())
      await ladder.give('set', `equal-${i}`, id, i === 3 ? 3 : 2);
    const keeper = aKeeper();
    const whole = await made(keeper);
    expect(whole).toEqual(await expected());
    const around = await read(keeper, { kind: 'around', playerId: 'p9', limit: 5 });
    const own = whole?.places.findIndex(({ playerId }) => playerId === 'p9') ?? -1;
    const first = Math.max(0, Math.min(own - 2, (whole?.players ?? 0) - 5));
    expect(around?.places).toEqual(whole?.places.slice(first, first + 5));
    const equals = await read(keeper, { kind: 'players', playerIds: ['p1', 'p2', 'p3', 'nobody', 'p4'] });
    const ranks = Object.fromEntries((equals?.places ?? []).map(({ playerId, rank }) => [playerId, rank]));
    expect(ranks['p1']).toBe(ranks['p2']);
    expect(ranks['p1']).toBe(ranks['p3']);
    expect(ranks['p4']).toBeLessThan(ranks['p1'] ?? 0);
    expect(await read(keeper, { kind: 'top', from: 1_000, limit: 5 })).toMatchObject({ places: [] });
    expect(await read(keeper, { kind: 'around', playerId: 'nobody', limit: 5 })).toMatchObject({
      places: [],
    });
  });

  it('ranks only who is visible, in the season that runs, and not away for too long', async () => {
    const seasons = new PostgresSeasons(as('rating', data().db));
    await ladder.season(30, seededRandom(5));
    const keeper = aKeeper();
    expect((await made(keeper))?.players).toBeGreaterThan(5);
    const rules = { keep: 0.5, uncertainty: 0.5, placementMatches: 2 };
    await seasons.begin(
      { pool: 'ladder', number: 1, name: 'One', rules, by: 'olga', reason: 'a test' },
      noon + 40 * 3_600_000,
    );
    expect(await made(keeper)).toEqual({ season: 1, players: 0, places: [] });
    await ladder.season(20, seededRandom(6));
    const second = await made(keeper);
    expect(second?.players).toBeGreaterThan(3);
    expect(second).toEqual(await expected());

    at += 310 * dayMs;
    expect(await made(keeper)).toEqual(await expected());
    expect((await read(keeper))?.players).toBe(0);
  });

  it('has a board for each region, on which a player is in the last one', async () => {
    const keeper = aKeeper();
    await made(keeper);
    for (const [i, region] of ['eu', 'us', 'eu', 'us', 'us', undefined].entries()) {
      const teams = [[`p${i % 2}`], [`p${2 + (i % 3)}`]];
      await ladder.ledger.reports.rate(
        {
          matchId: `r${i}`,
          externalId: `r${i}`,
          pool: 'ladder',
          playedAt: noon + i,
          teams,
          ranks: [1, 2],
          played: region ? { region } : {},
          digest: '',
          reportedBy: 'operator',
        },
        noon + i,
      );
    }
    await data().db.$executeRaw`UPDATE rating SET matches = 5`;
    await redis.flushall();
    await made(keeper);
    for (const region of ['eu', 'us', 'mars'])
      expect(await read(keeper, top, region)).toEqual(await expected(region));
    expect((await read(keeper, top, 'us'))?.players).toBeGreaterThan(1);
  });

  it('is the same after Redis lost everything in the middle of it', async () => {
    await ladder.season(40, seededRandom(7));
    const keeper = aKeeper();
    const before = await made(keeper);
    await redis.flushall();
    expect(await read(keeper)).toBeNull();
    expect(await made(keeper)).toEqual(before);
    // While it is being made, too.
    await redis.flushall();
    await read(keeper);
    await keeper.keep.turn();
    await redis.flushall();
    expect(await made(keeper)).toEqual(before);
  });

  it('finds an event that was committed after one with a higher number', async () => {
    await ladder.season(30, seededRandom(8));
    const keeper = aKeeper();
    await made(keeper);
    const { db } = data();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let drawn = (): void => undefined;
    const isDrawn = new Promise<void>((resolve) => (drawn = resolve));
    // A transaction that has drawn its number, and changes a rating that is committed later.
    const slow = db.$transaction(
      async (tx) => {
        await tx.$executeRaw`
          INSERT INTO rating_event (sequence, pool, kind, event_id, at, detail)
          VALUES (nextval('ledger_sequence'), 'ladder', 'set', 'slow', now(), '{}')`;
        await tx.$executeRaw`
          INSERT INTO rating_change (pool, generation, kind, event_id, player_id, sequence, before, after, version, at)
          SELECT 'ladder', generation, 'set', 'slow', 'p1', currval('ledger_sequence'), '{}', '{}', 1, now() FROM rating_pool WHERE name = 'ladder'`;
        await tx.$executeRaw`
          UPDATE rating SET state = (SELECT state FROM rating AS other WHERE player_id = 'p2' AND other.generation = rating.generation AND other.pool = rating.pool)
          WHERE pool = 'ladder' AND player_id = 'p1'`;
        drawn();
        await held;
      },
      { timeout: 20_000 },
    );
    await isDrawn;
    await ladder.give('set', 'later', 'p5', 1.5);
    // The later event is on the board at once.
    await keeper.keep.turn();
    const meanwhile = await read(keeper);
    const p5 = (await expected()).places.find(({ playerId }) => playerId === 'p5');
    expect(meanwhile?.places).toContainEqual(expect.objectContaining({ playerId: 'p5', mu: p5?.mu }));
    release();
    await slow;
    expect(await made(keeper)).toEqual(await expected());
  });

  it('follows more events than one turn reads while an earlier transaction is open', async () => {
    await ladder.season(30, seededRandom(12));
    const keeper = aKeeper();
    await made(keeper);
    const { db } = data();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let begun = (): void => undefined;
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    // It has an id, and nothing to do with ratings: a statement on another table that takes hours.
    const slow = db.$transaction(
      async (tx) => {
        await tx.$executeRaw`SELECT pg_current_xact_id()`;
        begun();
        await held;
      },
      { timeout: 20_000 },
    );
    await isBegun;
    await db.$executeRaw`
      INSERT INTO rating_event (sequence, pool, kind, event_id, at, detail)
      SELECT nextval('ledger_sequence'), 'ladder', 'set', 'much-' || i, now(), '{}' FROM generate_series(1, 2500) AS i`;
    await ladder.give('set', 'last', 'p5', 1.5);
    const turns = async (): Promise<number> => {
      let count = 1;
      while (await keeper.keep.turn()) count++;
      return count;
    };
    expect(await turns()).toBe(3);
    expect(await read(keeper)).toEqual(await expected());
    // Nothing is read again until the events are final.
    expect(await turns()).toBe(1);
    release();
    await slow;
    expect(await made(keeper)).toEqual(await expected());
  });

  it('never shows players who are away when it is made, however many they are', async () => {
    const { db } = data();
    await ladder.season(40, seededRandom(13));
    await db.$executeRaw`
      INSERT INTO rating (pool, generation, player_id, state, matches, last_rated_at, updated_at)
      SELECT pool, generation, 'gone-' || i, state, 9, ${new Date(noon - 400 * dayMs)}, now()
      FROM rating, generate_series(1, 300) AS i WHERE player_id = 'p1'`;
    const keeper = aKeeper();
    const board = await made(keeper);
    expect(board).toEqual(await expected());
    expect(board?.players).toBeLessThan(25);
    // Those who leave at one time are taken off by the keeper, more than one read takes off.
    await db.$executeRaw`UPDATE rating SET last_rated_at = ${new Date(noon - 200 * dayMs)} WHERE player_id LIKE 'gone-%'`;
    await redis.flushall();
    expect((await made(keeper))?.players).toBeGreaterThan(300);
    at += 101 * dayMs;
    await read(keeper);
    await keeper.keep.turn();
    expect(await read(keeper)).toEqual(await expected());
  });

  it('is made anew for other parameters of the model, and for events that Postgres lost', async () => {
    const { db } = data();
    await ladder.season(40, seededRandom(14));
    const keeper = aKeeper();
    await made(keeper);
    const live = async (): Promise<string | undefined> => (await keeper.boards.keep('ladder'))?.live?.id;
    const first = await live();
    await keeper.turns();
    expect(await live()).toBe(first);
    const pool = await ladder.ledger.ratings.pool('ladder');
    await ladder.ledger.pools.change(pool, pool.rules, { ...pool.calibration, drawRate: 0.1 }, 'a test');
    await keeper.turns();
    expect(await live()).toBe(first);
    const now = await ladder.ledger.ratings.pool('ladder');
    const parameters = { ...now.rules.parameters, tau: 0.1 };
    await ladder.ledger.pools.change(now, { ...now.rules, parameters }, now.calibration, 'a test');
    expect(await made(keeper)).toEqual(await expected());
    const second = await live();
    expect(second).not.toBe(first);
    await redis.hset(`${root}:board:ladder:${second}`, 'safe', '99999999');
    await keeper.keep.turn();
    expect(await read(keeper)).toBeNull();
    expect(await made(keeper)).toEqual(await expected());
    expect(await db.ratingEvent.count()).toBeGreaterThan(0);
  });

  it('leaves other boards alone when one cannot be kept', async () => {
    await ladder.season(20, seededRandom(15));
    const keeper = aKeeper();
    await keeper.boards.read({ pool: 'gone', region: null }, top, at);
    await made(keeper);
    expect(await read(keeper)).toEqual(await expected());
    expect((await keeper.boards.asked()).map(({ pool }) => pool)).toEqual(['ladder']);
    expect(await redis.keys(`${root}:board:gone*`)).toEqual([]);
  });

  it('moves a player between regions, whatever their number', async () => {
    const keeper = aKeeper();
    await ladder.season(40, seededRandom(16));
    await data().db
      .$executeRaw`UPDATE rating SET region = 'r' || (length(player_id) + ascii(right(player_id, 1)))`;
    await made(keeper);
    const build = (await keeper.boards.keep('ladder'))?.live;
    if (!build) throw new Error('there is no board');
    const entry = { playerId: 'p1', mu: 30, leavesAt: null };
    const of = async (region: string): Promise<boolean> =>
      ((await read(keeper, top, region))?.places ?? []).some(({ playerId }) => playerId === 'p1');
    for (const [region, before] of [
      ['new', 'r51'],
      ['r52', 'new'],
      [null, 'r52'],
    ] as const) {
      await keeper.boards.write('ladder', build, [{ ...entry, region }], {});
      expect(await of(before)).toBe(false);
      if (region !== null) expect(await of(region)).toBe(true);
    }
    await keeper.boards.write('ladder', build, [{ ...entry, mu: null, region: null }], {});
    expect(await redis.hexists(`${root}:board:ladder:${build.id}:region`, 'p1')).toBe(0);
    expect(JSON.stringify(await read(keeper))).not.toContain('"p1"');
  });

  it('is kept by one process; one that stalled writes nothing once another took over', async () => {
    await ladder.season(20, seededRandom(9));
    const [stalled, other] = [aKeeper('one', 50), aKeeper('two', 10_000)];
    await made(stalled);
    const old = await stalled.boards.keep('ladder');
    await sleep(80);
    await ladder.season(10, seededRandom(10));
    const after = await made(other);
    expect(after).toEqual(await expected());
    expect(await stalled.boards.keep('ladder')).toBeNull();
    const live = old?.live;
    if (!live) throw new Error('there is no board');
    const stale = [{ playerId: 'p1', mu: 99, region: null, leavesAt: null }];
    expect(await stalled.boards.write('ladder', live, stale, {})).toBe(false);
    expect(await read(other)).toEqual(after);
  });

  it('is removed when nobody asks for seven days, and made again', async () => {
    await ladder.season(20, seededRandom(11));
    const keeper = aKeeper();
    const before = await made(keeper);
    at += 8 * dayMs;
    await keeper.turns();
    expect(keeper.dropped).toEqual(['ladder']);
    expect(await redis.keys(`${root}:*`)).toEqual([]);
    expect(await made(keeper)).toEqual(before);
  });

  it('is followed by indexes, however long the ledger is', async () => {
    const { db } = data();
    await db.$executeRaw`
      INSERT INTO rating_event (sequence, pool, kind, event_id, at, detail)
      SELECT i, CASE WHEN i % 10 = 0 THEN 'ladder' ELSE 'other' END, 'match', 'old-' || i, now(), '{}' FROM generate_series(1, 50000) AS i`;
    await db.$executeRaw`
      INSERT INTO rating_change (pool, generation, kind, event_id, player_id, sequence, before, after, version, at)
      SELECT CASE WHEN i % 10 = 0 THEN 'ladder' ELSE 'other' END, 1, 'match', 'old-' || i, 'p' || i % 900, i, '{}', '{}', 1, now() FROM generate_series(1, 50000) AS i`;
    await db.$executeRawUnsafe('ANALYZE rating_event, rating_change');
    const feed = new PostgresLedgerFeed(db);
    const found = await feed.after({ name: 'ladder', generation: 1 }, 49_000n, 1_000);
    expect(found).toMatchObject({ last: 50_000n, more: false });
    expect(found.playerIds.length).toBe(100 - 10);
    const plans = await db.$queryRawUnsafe<{ 'QUERY PLAN': unknown }[]>(
      `EXPLAIN (FORMAT JSON) WITH event AS MATERIALIZED (
        SELECT sequence, kind, event_id FROM rating_event WHERE pool = 'ladder' AND sequence > 49000 ORDER BY sequence LIMIT 1000
      ) SELECT DISTINCT change.player_id FROM event JOIN rating_change AS change
        ON change.pool = 'ladder' AND change.generation = 1 AND change.kind = event.kind AND change.event_id = event.event_id`,
    );
    const text = JSON.stringify(plans);
    expect(text).not.toContain('"Seq Scan"');
    expect(text).toMatch(/rating_event_(pkey|pool_sequence_idx)/);
    expect(text).toContain('rating_change_pkey');
  });
});
