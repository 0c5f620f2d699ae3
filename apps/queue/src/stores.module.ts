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
import { AssignmentModule } from './assignment.module.js';
import { AbsentTickets } from './recovery/absent-tickets.js';
import { RedisTicketMemory } from './recovery/ticket-memory.store.js';
import { RedisTicketStore } from './tickets/ticket.store.js';
import { Module } from '@nestjs/common';
import { QUEUE_SETTINGS, type QueueSettings } from './settings.js';

/** For writes that wait for replicas; null if none does. */
export const SAFE_REDIS = token<ReplicatedConnection | null>('Redis (tickets on replicas)');
export const TICKETS_REDIS = token<RedisConnection>('Redis (tickets)');

const root = ({ REALM }: Pick<QueueSettings, 'REALM'>): string => realmRoot(REALM);

/** Shared by several features of the queue service: tickets in Redis, and the assignment service. */
@Module({
  imports: [AssignmentModule],
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
        return new RedisTicketStore(redis, root(settings), 'server', 'checked', safe);
      },
    },
    {
      provide: RedisTicketMemory,
      inject: [TICKETS_REDIS, QUEUE_SETTINGS, SharedClock],
      useFactory: (redis: RedisConnection, { REALM }: QueueSettings, clock: SharedClock) =>
        new RedisTicketMemory(redis, realmRoot(REALM), clock),
    },
    {
      provide: CoordinatorIds,
      inject: [QUEUE_SETTINGS, SharedClock, IDS],
      useFactory: ({ COORDINATOR_KEY }: QueueSettings, clock: SharedClock, ids: Ids) =>
        new CoordinatorIds(COORDINATOR_KEY, clock.now, ids),
    },
    construct(AbsentTickets, [RedisTicketMemory, CoordinatorIds, SharedClock]),
  ],
  exports: [
    RedisTicketStore,
    RedisTicketMemory,
    CoordinatorIds,
    AbsentTickets,
    TICKETS_REDIS,
    AssignmentModule,
  ],
})
export class StoresModule {}
