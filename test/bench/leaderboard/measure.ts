import { ReadLeaderboard, type LeaderboardView } from '@muster/contracts';
import { seededRandom } from '@muster/domain';
import { connectRedis, realmRoot, type RedisConnection } from '@muster/redis';
import { isDeepStrictEqual } from 'node:util';
import { RedisBoards } from '../../../apps/rating/src/leaderboards/board.store.js';
import { Leaderboards, questionOf } from '../../../apps/rating/src/leaderboards/leaderboards.js';
import { Names } from '../../../apps/rating/src/names/names.js';
import { PostgresPlayerNames } from '../../../apps/rating/src/names/names.store.js';
import { RatingStores } from '../../support/rating-stores.js';
import { percentile, spread } from '../../support/percentile.js';
import type { Stack } from '../../support/stack.js';
import { playerOf, pool } from './fill.js';
import { HttpReader } from './http-reader.js';
import { createDb, type Db } from '../../support/prisma.js';

/** Reads that are not measured, of each kind. */
const warmUp = 100;
const results = 50;

/** One way to read one kind of places. */
export interface Row {
  readonly read: string;
  readonly way: 'HTTP' | 'use case' | 'board';
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface Report {
  readonly rows: readonly Row[];
  /** From the first call to the first answer, in milliseconds. */
  readonly madeMs: number;
  readonly madeAgainMs: number;
  /** Whether reads after Redis was lost had the answers of those before. */
  readonly isSame: boolean;
  /** Memory of Redis with the board. */
  readonly bytes: number;
  /** From the answer to a result until the board has it. */
  readonly followedMs: { readonly p50: number; readonly p99: number };
}

type Query = Record<string, string>;

/** Makes the board, measures reads, loses Redis, and compares. */
export async function measure(
  stack: Stack,
  { players, rounds }: { readonly players: number; readonly rounds: number },
  say: (text: string) => void,
): Promise<Report> {
  // FLUSHALL of a million players takes seconds.
  const redis = connectRedis(stack.run.redisUrl, {
    name: 'bench',
    onError: () => undefined,
    commandTimeoutMs: 120_000,
  });
  const db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
  const http = new HttpReader(stack);
  try {
    say('making the board');
    const madeMs = await untilMade(http);
    say(`made in ${madeMs} ms`);
    const rows: Row[] = [];
    for (const [read, query] of Object.entries(readsOf(players, seededRandom(1)))) {
      say(read);
      for (const [way, act] of Object.entries(waysOf(http, db, redis)))
        rows.push({ read, way: way as Row['way'], ...(await timed(rounds, () => act(query()))) });
    }
    const { bytes } = await memoryOf(redis);
    say('losing Redis');
    const answers = (): Promise<LeaderboardView[]> => sampled(http, players);
    const before = await answers();
    await redis.flushall();
    const madeAgainMs = await untilMade(http);
    say(`made again in ${madeAgainMs} ms`);
    const isSame = isDeepStrictEqual(await answers(), before);
    say('results');
    return { rows, madeMs, madeAgainMs, isSame, bytes, followedMs: await followed(stack, http) };
  } finally {
    http.close();
    redis.disconnect();
    await db.$disconnect();
  }
}

/** The kinds of reads, each of another player every time. */
function readsOf(players: number, random: () => number): Record<string, () => Query> {
  const any = (): string => playerOf(Math.floor(random() * players));
  // As many strangers that a tenth of them is not ranked.
  const friend = (): string => playerOf(Math.floor((random() * players) / 0.9));
  return {
    'rank of a player': () => ({ players: any() }),
    'top 20': () => ({ limit: '20' }),
    '20 from the middle': () => ({ from: String(1 + Math.floor((random() * players) / 2)), limit: '20' }),
    '21 around a player': () => ({ around: any(), limit: '21' }),
    '21 around a player, of a region': () => ({ around: any(), limit: '21', region: 'eu' }),
    '100 friends': () => ({ players: Array.from({ length: 100 }, friend).join(',') }),
  };
}

function waysOf(
  http: HttpReader,
  db: Db,
  redis: RedisConnection,
): Record<Row['way'], (query: Query) => Promise<unknown>> {
  const clock = { now: () => Date.now() };
  const boards = new RedisBoards(redis, realmRoot('default'), 'bench');
  const ledger = new RatingStores(db);
  const names = new Names(new PostgresPlayerNames(db, clock), clock);
  const useCase = new Leaderboards(boards, ledger.ratings, names, clock, {
    wake: () => undefined,
    pause: () => Promise.resolve(),
  });
  return {
    HTTP: (query) => http.read(query),
    'use case': (query) => useCase.read(pool, ReadLeaderboard.parse(query), { playerId: null }),
    board: ({ region = null, ...query }) =>
      boards.read({ pool, region }, questionOf(ReadLeaderboard.parse(query)), clock.now()),
  };
}

async function timed(rounds: number, act: () => Promise<unknown>): Promise<Pick<Row, 'p50Ms' | 'p99Ms'>> {
  const times: number[] = [];
  for (let round = -warmUp; round < rounds; round++) {
    const start = performance.now();
    await act();
    if (round >= 0) times.push(performance.now() - start);
  }
  const hundredths = (ms: number): number => Math.round(100 * ms) / 100;
  return { p50Ms: hundredths(percentile(times, 50)), p99Ms: hundredths(percentile(times, 99)) };
}

async function untilMade(http: HttpReader): Promise<number> {
  const start = performance.now();
  while (!(await http.tryRead({ limit: '1' })));
  return Math.round(performance.now() - start);
}

/** Answers from all over the board. */
async function sampled(http: HttpReader, players: number): Promise<LeaderboardView[]> {
  const answers: LeaderboardView[] = [];
  for (const reads of [1, 2, 3])
    for (const query of Object.values(readsOf(players, seededRandom(reads))))
      answers.push(await http.read(query()));
  return answers;
}

async function followed(stack: Stack, http: HttpReader): Promise<Report['followedMs']> {
  const times: number[] = [];
  for (let i = 0; i < results; i++) {
    const [winner, loser] = [playerOf(2 * i), playerOf(2 * i + 1)];
    const matchesOf = async (): Promise<number> => (await http.read({ players: winner })).rows[0]?.mu ?? NaN;
    const before = await matchesOf();
    await stack.operator.reportMatch({
      eventId: `result-${i}`,
      pool,
      teams: [[winner], [loser]],
      ranks: [1, 2],
    });
    const start = performance.now();
    while ((await matchesOf()) === before);
    times.push(performance.now() - start);
  }
  return spread(times);
}

async function memoryOf(redis: RedisConnection): Promise<{ bytes: number }> {
  const text = await redis.info('memory');
  return { bytes: Number(/^used_memory:(\d+)/m.exec(text)?.[1] ?? NaN) };
}
