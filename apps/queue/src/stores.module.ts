import { rpc } from '@muster/contracts';
import type { Ids } from '@muster/domain';
import {
  Connections,
  construct,
  CoordinatorIds,
  Dependencies,
  IDS,
  redisConnection,
  replicatedConnection,
  RPC,
  SharedClock,
  token,
  type RpcCaller,
  type RpcWire,
} from '@muster/platform';
import { checkAnswers, realmRoot, type RedisConnection, type ReplicatedConnection } from '@muster/redis';
import { AbsentTickets } from './recovery/absent-tickets.js';
import { RedisTicketMemory } from './recovery/ticket-memory.store.js';
import { RedisTicketStore } from './tickets/ticket.store.js';
import { Module } from '@nestjs/common';
import { QUEUE_SETTINGS, type QueueSettings } from './settings.js';

/** A service that cannot be reached within this time is reported, in milliseconds. */
export const dependencyMs = 800;

/** The assignment service: it has match rosters and verdicts on proposals. */
export const ASSIGNMENT = token<RpcCaller>('assignment service');
/** For writes that wait for replicas; null if none does. */
export const SAFE_REDIS = token<ReplicatedConnection | null>('Redis (tickets on replicas)');
export const TICKETS_REDIS = token<RedisConnection>('Redis (tickets)');

const root = ({ REALM }: Pick<QueueSettings, 'REALM'>): string => realmRoot(REALM);

/** Shared by several features of the queue service: tickets in Redis, and the assignment service. */
@Module({
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
  exports: [RedisTicketStore, RedisTicketMemory, CoordinatorIds, AbsentTickets, TICKETS_REDIS, ASSIGNMENT],
})
export class StoresModule {}
