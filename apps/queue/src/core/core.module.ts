import type { Ids } from '@muster/domain';
import {
  Connections,
  construct,
  CoordinatorIds,
  Dependencies,
  ErrorLog,
  IDS,
  redisConnection,
  replicatedConnection,
  SharedClock,
  token,
} from '@muster/platform';
import { checkAnswers, realmRoot, type RedisConnection, type ReplicatedConnection } from '@muster/redis';
import { Module } from '@nestjs/common';
import { QUEUE_SETTINGS, type QueueSettings } from '../settings.js';
import { ReadTickets } from './read-tickets.js';
import { TicketFeedLoop } from './ticket-feed.loops.js';
import { feedBlockMs, RedisTicketFeed } from './ticket-feed.store.js';
import { RedisTicketList } from './ticket-list.store.js';
import { RedisTicketMemory } from './ticket-memory.store.js';
import { RedisTicketStore } from './ticket.store.js';

/** For writes that wait for replicas; null if none does. */
const SAFE_REDIS = token<ReplicatedConnection | null>('Redis (tickets on replicas)');
export const TICKETS_REDIS = token<RedisConnection>('Redis (tickets)');
export const FEED_REDIS = token<RedisConnection>('Redis (feed)');

const root = ({ REALM }: Pick<QueueSettings, 'REALM'>): string => realmRoot(REALM);
/** The feed blocks its connection, which answers nothing meanwhile. */
const feed = { name: 'queue-feed', what: 'Redis (feed)', blocking: true, silentMs: 3 * feedBlockMs };

/** Tickets in Redis, which all features work on: the store, its memory, the feed of events. */
@Module({
  providers: [
    TicketFeedLoop,
    redisConnection(TICKETS_REDIS, { name: 'queue', what: 'Redis (tickets)' }),
    replicatedConnection(SAFE_REDIS, { name: 'queue-safe', what: 'Redis (tickets on replicas)', root }),
    redisConnection(FEED_REDIS, feed),
    {
      provide: RedisTicketStore,
      inject: [TICKETS_REDIS, SAFE_REDIS, QUEUE_SETTINGS, Dependencies],
      useFactory: (
        redis: RedisConnection,
        safe: ReplicatedConnection | null,
        settings: QueueSettings,
        dependencies: Dependencies,
      ) => {
        dependencies.add('needed', { name: 'redis', check: () => checkAnswers(redis, root(settings)) });
        return new RedisTicketStore(redis, root(settings), safe, settings.TICKET_EVENTS === 'on');
      },
    },
    {
      provide: RedisTicketMemory,
      inject: [TICKETS_REDIS, QUEUE_SETTINGS, SharedClock],
      useFactory: (redis: RedisConnection, settings: QueueSettings, clock: SharedClock) =>
        new RedisTicketMemory(redis, root(settings), clock),
    },
    {
      provide: RedisTicketList,
      inject: [TICKETS_REDIS, QUEUE_SETTINGS],
      useFactory: (redis: RedisConnection, settings: QueueSettings) =>
        new RedisTicketList(redis, root(settings)),
    },
    {
      provide: RedisTicketFeed,
      inject: [FEED_REDIS, QUEUE_SETTINGS, ErrorLog, Connections],
      useFactory: (redis: RedisConnection, settings: QueueSettings, log: ErrorLog, open: Connections) => {
        const follower = new RedisTicketFeed(redis, root(settings), log.of('the feed of tickets'));
        // It ends before its connection, so a lost connection is no error then.
        open.add(() => follower.stop());
        return follower;
      },
    },
    {
      provide: CoordinatorIds,
      inject: [QUEUE_SETTINGS, SharedClock, IDS],
      useFactory: ({ COORDINATOR_KEY }: QueueSettings, clock: SharedClock, ids: Ids) =>
        new CoordinatorIds(COORDINATOR_KEY, clock.now, ids),
    },
    construct(ReadTickets, [RedisTicketStore, RedisTicketMemory, CoordinatorIds, SharedClock]),
  ],
  exports: [
    TICKETS_REDIS,
    RedisTicketStore,
    RedisTicketList,
    RedisTicketMemory,
    RedisTicketFeed,
    CoordinatorIds,
    ReadTickets,
  ],
})
export class CoreModule {}
