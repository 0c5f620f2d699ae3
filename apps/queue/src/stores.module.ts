import { rpc } from '@muster/contracts';
import type { Ids } from '@muster/domain';
import {
  Connections,
  construct,
  CoordinatorIds,
  Dependencies,
  IDS,
  redisConnection,
  RPC,
  SharedClock,
  token,
  type RpcCaller,
  type RpcWire,
} from '@muster/platform';
import { realmRoot } from '@muster/redis';
import { AbsentTickets } from './recovery/absent-tickets.js';
import { RedisTicketMemory } from './recovery/ticket-memory.store.js';
import { RedisTicketStore } from './tickets/ticket.store.js';
import { Module } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { QUEUE_SETTINGS, type QueueSettings } from './settings.js';

/** A service that cannot be reached within this time is reported, in milliseconds. */
export const dependencyMs = 800;

/** The assignment service: it has match rosters and verdicts on proposals. */
export const ASSIGNMENT = token<RpcCaller>('assignment service');
export const TICKETS_REDIS = token<Redis>('Redis (tickets)');

/** Shared by several features of the queue service: tickets in Redis, and the assignment service. */
@Module({
  providers: [
    redisConnection(TICKETS_REDIS, { name: 'queue', what: 'Redis (tickets)' }),
    {
      provide: RedisTicketStore,
      inject: [TICKETS_REDIS, QUEUE_SETTINGS, Dependencies],
      useFactory: (redis: Redis, { REALM }: QueueSettings, dependencies: Dependencies) => {
        dependencies.add('needed', { name: 'redis', check: () => redis.ping() });
        return new RedisTicketStore(redis, realmRoot(REALM), 'server', 'checked');
      },
    },
    {
      provide: RedisTicketMemory,
      inject: [TICKETS_REDIS, QUEUE_SETTINGS, SharedClock],
      useFactory: (redis: Redis, { REALM }: QueueSettings, clock: SharedClock) =>
        new RedisTicketMemory(redis, realmRoot(REALM), clock),
    },
    {
      provide: CoordinatorIds,
      inject: [QUEUE_SETTINGS, SharedClock, IDS],
      useFactory: ({ COORDINATOR_KEY }: QueueSettings, clock: SharedClock, ids: Ids) =>
        new CoordinatorIds(COORDINATOR_KEY, clock.now, ids),
    },
    construct(AbsentTickets, [RedisTicketMemory, CoordinatorIds, SharedClock]),
    {
      provide: ASSIGNMENT,
      inject: [QUEUE_SETTINGS, RPC, Connections, Dependencies],
      useFactory: (
        { ASSIGNMENT_GRPC }: QueueSettings,
        wire: RpcWire,
        connections: Connections,
        dependencies: Dependencies,
      ) => {
        const assignment = wire.connect(rpc.assignment, ASSIGNMENT_GRPC);
        connections.add(() => assignment.close());
        dependencies.add('helpful', { name: 'assignment', check: () => assignment.reachable(dependencyMs) });
        return assignment;
      },
    },
  ],
  exports: [RedisTicketStore, RedisTicketMemory, CoordinatorIds, AbsentTickets, ASSIGNMENT],
})
export class StoresModule {}
