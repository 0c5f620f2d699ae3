import type { Ids } from '@muster/domain';
import {
  Background,
  construct,
  DB,
  IDS,
  LOG,
  redisConnection,
  SharedClock,
  token,
  type Log,
} from '@muster/platform';
import { realmRoot, type RedisConnection } from '@muster/redis';
import { Module } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CoreModule } from '../core/core.module.js';
import { PostgresRatings } from '../core/ratings.store.js';
import { RATING_SETTINGS, type RatingSettings } from '../settings.js';
import { RedisBoards } from './board.store.js';
import { KeepBoards } from './keep-boards.js';
import { LeaderboardsController } from './leaderboards.controller.js';
import { leaderboardsLoop, LeaderboardsLoops } from './leaderboards.loops.js';
import { Leaderboards } from './leaderboards.js';
import { PostgresLedgerFeed } from './ledger-feed.store.js';
import { NamesModule } from '../names/names.module.js';
import { Names } from '../names/names.js';

const wait = (ms: number): Promise<void> => sleep(ms);
const BOARDS_REDIS = token<RedisConnection>('Redis (leaderboards)');

/** Leaderboards of pools: copies of the ratings in Redis that follow the ledger. */
@Module({
  imports: [CoreModule, NamesModule],
  controllers: [LeaderboardsController],
  providers: [
    LeaderboardsLoops,
    redisConnection(BOARDS_REDIS, { name: 'rating-boards', what: 'Redis (leaderboards)' }),
    {
      provide: RedisBoards,
      inject: [BOARDS_REDIS, RATING_SETTINGS],
      useFactory: (redis: RedisConnection, { REALM }: RatingSettings) =>
        new RedisBoards(redis, realmRoot(REALM), randomUUID()),
    },
    construct(PostgresLedgerFeed, [DB]),
    {
      provide: KeepBoards,
      inject: [RedisBoards, PostgresLedgerFeed, PostgresRatings, SharedClock, IDS, LOG],
      useFactory: (
        boards: RedisBoards,
        feed: PostgresLedgerFeed,
        ratings: PostgresRatings,
        clock: SharedClock,
        ids: Ids,
        log: Log,
      ) =>
        new KeepBoards(boards, feed, ratings, clock, ids, (pool) =>
          log.info({ pool }, 'a leaderboard that nobody asked for in seven days was removed'),
        ),
    },
    {
      provide: Leaderboards,
      inject: [RedisBoards, PostgresRatings, Names, SharedClock, Background],
      useFactory: (
        boards: RedisBoards,
        ratings: PostgresRatings,
        names: Names,
        clock: SharedClock,
        background: Background,
      ) =>
        new Leaderboards(boards, ratings, names, clock, {
          wake: () => background.kick(leaderboardsLoop),
          pause: wait,
        }),
    },
  ],
})
export class LeaderboardsModule {}
