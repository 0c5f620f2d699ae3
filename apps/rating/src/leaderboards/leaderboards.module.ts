import {
  Background,
  construct,
  DB,
  IDS,
  LOG,
  provide,
  redisConnection,
  SharedClock,
  token,
} from '@muster/platform';
import { realmRoot, type RedisConnection } from '@muster/redis';
import { Module } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CoreModule } from '../core/core.module.js';
import { PostgresRatings } from '../core/ratings.store.js';
import { RATING_SETTINGS } from '../settings.js';
import { RedisBoards } from './board.store.js';
import { KeepBoards } from './keep-boards.js';
import { LeaderboardsController } from './leaderboards.controller.js';
import { leaderboardsLoop, LeaderboardsLoops } from './leaderboards.loops.js';
import { Leaderboards } from './leaderboards.js';
import { PostgresLedgerFeed } from './ledger-feed.store.js';
import { NamesModule } from '../names/names.module.js';
import { Names } from '../names/names.js';

const BOARDS_REDIS = token<RedisConnection>('Redis (leaderboards)');

/** Leaderboards of pools: copies of the ratings in Redis that follow the ledger. */
@Module({
  imports: [CoreModule, NamesModule],
  controllers: [LeaderboardsController],
  providers: [
    LeaderboardsLoops,
    redisConnection(BOARDS_REDIS, { name: 'rating-boards', what: 'Redis (leaderboards)' }),
    provide(
      RedisBoards,
      [BOARDS_REDIS, RATING_SETTINGS],
      (redis, { REALM }) => new RedisBoards(redis, realmRoot(REALM), randomUUID()),
    ),
    construct(PostgresLedgerFeed, [DB]),
    provide(
      KeepBoards,
      [RedisBoards, PostgresLedgerFeed, PostgresRatings, SharedClock, IDS, LOG],
      (boards, feed, ratings, clock, ids, log) =>
        new KeepBoards(boards, feed, ratings, clock, ids, (pool) =>
          log.info({ pool }, 'a leaderboard that nobody asked for in seven days was removed'),
        ),
    ),
    provide(
      Leaderboards,
      [RedisBoards, PostgresRatings, Names, SharedClock, Background],
      (boards, ratings, names, clock, background) =>
        new Leaderboards(boards, ratings, names, clock, {
          wake: () => background.kick(leaderboardsLoop),
          pause: (ms) => sleep(ms),
        }),
    ),
  ],
})
export class LeaderboardsModule {}
