import type { Ids } from '@muster/domain';
import {
  construct,
  CoordinatorIds,
  Dependencies,
  IDS,
  redisConnection,
  replicatedConnection,
  SharedClock,
  token,
} from '@muster/platform';
import { checkAnswers, realmRoot, type RedisConnection, type ReplicatedConnection } from '@muster/redis';
import { Module } from '@nestjs/common';
import { QUEUE_SETTINGS, type QueueSettings } from '../settings.js';
import { FeedModule } from './feed.module.js';
import { ReadTickets } from './read-tickets.js';
import { RedisTicketList } from './ticket-list.store.js';
import { RedisTicketMemory } from './ticket-memory.store.js';
import { RedisTicketStore } from './ticket.store.js';

/** For writes that wait for replicas; null if none does. */
const SAFE_REDIS = token<ReplicatedConnection | null>('Redis (tickets on replicas)');
export const TICKETS_REDIS = token<RedisConnection>('Redis (tickets)');

const root = ({ REALM }: Pick<QueueSettings, 'REALM'>): string => realmRoot(REALM);

/** Tickets in Redis, which all features work on: the store, its memory, the feed of events. */
@Module({
  imports: [FeedModule],
  providers: [
    redisConnection(TICKETS_REDIS, { name: 'queue', what: 'Redis (tickets)' }),
    replicatedConnection(SAFE_REDIS, { name: 'queue-safe', what: 'Redis (tickets on replicas)', root }),
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
    FeedModule,
    CoordinatorIds,
    ReadTickets,
  ],
})
export class CoreModule {}
