import {
  Connections,
  CoordinatorTokens,
  redisConnection,
  SharedClock,
  token,
  ErrorLog,
} from '@muster/platform';
import { realmRoot, type RedisConnection } from '@muster/redis';
import { feedBlockMs, RedisTicketFeed } from './ticket-feed.store.js';
import { RedisTicketStore } from './ticket.store.js';
import { Module } from '@nestjs/common';
import { Queues } from '../rules/queues.js';
import { RulesInForceModule } from '../rules/rules-in-force.module.js';
import { QUEUE_SETTINGS, type QueueSettings } from '../settings.js';
import { StoresModule } from '../stores.module.js';
import { TicketFeedLoop } from './ticket-feed.loops.js';
import { TicketStreams } from './ticket-stream.view.js';
import { TicketViews } from './ticket.view.js';

export const FEED_REDIS = token<RedisConnection>('Redis (feed)');

/** Tickets in the form that each viewer may see, in answers and in event streams. */
@Module({
  imports: [StoresModule, RulesInForceModule],
  providers: [
    TicketFeedLoop,
    redisConnection(FEED_REDIS, {
      name: 'queue-feed',
      what: 'Redis (feed)',
      blocking: true,
      silentMs: 3 * feedBlockMs,
    }),
    {
      provide: RedisTicketFeed,
      inject: [FEED_REDIS, QUEUE_SETTINGS, ErrorLog, Connections],
      useFactory: (
        redis: RedisConnection,
        { REALM }: QueueSettings,
        errorLog: ErrorLog,
        connections: Connections,
      ) => {
        const feed = new RedisTicketFeed(redis, realmRoot(REALM), errorLog.of('the feed of tickets'));
        // It ends before its connection, so a lost connection is no error then.
        connections.add(() => feed.stop());
        return feed;
      },
    },
    {
      provide: TicketViews,
      inject: [CoordinatorTokens, SharedClock, Queues],
      useFactory: (tokens: CoordinatorTokens, clock: SharedClock, queues: Queues) =>
        new TicketViews(tokens, clock.now, ({ queue, rulesVersion }) =>
          queues.newestKnown(queue) === 0 ? rulesVersion : queues.effectiveVersion(queue, rulesVersion),
        ),
    },
    {
      provide: TicketStreams,
      inject: [RedisTicketStore, RedisTicketFeed, TicketViews, ErrorLog],
      useFactory: (store: RedisTicketStore, feed: RedisTicketFeed, views: TicketViews, errorLog: ErrorLog) =>
        new TicketStreams(store, feed, views, errorLog.of('event streams')),
    },
  ],
  exports: [TicketViews, TicketStreams],
})
export class TicketEventsModule {}
