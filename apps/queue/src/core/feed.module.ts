import { Connections, ErrorLog, redisConnection, token } from '@muster/platform';
import { realmRoot, type RedisConnection } from '@muster/redis';
import { Module } from '@nestjs/common';
import { QUEUE_SETTINGS, type QueueSettings } from '../settings.js';
import { TicketFeedLoop } from './ticket-feed.loops.js';
import { feedBlockMs, RedisTicketFeed } from './ticket-feed.store.js';

export const FEED_REDIS = token<RedisConnection>('Redis (feed)');

/** The feed blocks its connection, which answers nothing meanwhile. */
const feed = { name: 'queue-feed', what: 'Redis (feed)', blocking: true, silentMs: 3 * feedBlockMs };

/** The feed of events of tickets. */
@Module({
  providers: [
    TicketFeedLoop,
    redisConnection(FEED_REDIS, feed),
    {
      provide: RedisTicketFeed,
      inject: [FEED_REDIS, QUEUE_SETTINGS, ErrorLog, Connections],
      useFactory: (redis: RedisConnection, { REALM }: QueueSettings, log: ErrorLog, open: Connections) => {
        const follower = new RedisTicketFeed(redis, realmRoot(REALM), log.of('the feed of tickets'));
        // It ends before its connection, so a lost connection is no error then.
        open.add(() => follower.stop());
        return follower;
      },
    },
  ],
  exports: [RedisTicketFeed],
})
export class FeedModule {}
