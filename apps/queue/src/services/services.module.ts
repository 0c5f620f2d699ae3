import { rpc } from '@muster/contracts';
import type { Clock } from '@muster/domain';
import { Connections, Dependencies, LOG, RPC, SharedClock } from '@muster/platform';
import type { Log, RpcCaller, RpcWire } from '@muster/platform';
import { Module, type FactoryProvider } from '@nestjs/common';
import { QUEUE_SETTINGS, type QueueSettings } from '../settings.js';
import { AllocatorClient } from './allocator.client.js';
import { AssignmentClient } from './assignment.client.js';
import { KnownBuilds } from './known-builds.js';
import { RatingClient } from './rating.client.js';
import { VouchedNames } from './vouched-names.js';

/** A service that cannot be reached within this time is reported, in milliseconds. */
const dependencyMs = 800;

const withoutAllocator =
  'ALLOCATOR_GRPC is not set: players cannot leave a match without a server, and tickets without a build get the build "dev"';
const buildsUnknown =
  'the builds of servers cannot be read: tickets without a build get the build "dev", and no client is told to update';
const namesUntold = 'names of players could not be told; they are told with their next tickets';

/** The other services, as this one asks them. Without ALLOCATOR_GRPC the client of the allocator is null. */
@Module({
  providers: [
    helpful(RatingClient, 'rating', ({ RATING_GRPC }) => RATING_GRPC),
    helpful(AssignmentClient, 'assignment', ({ ASSIGNMENT_GRPC }) => ASSIGNMENT_GRPC),
    {
      provide: AllocatorClient,
      inject: [QUEUE_SETTINGS, RPC, Connections, LOG],
      useFactory: ({ ALLOCATOR_GRPC }: QueueSettings, wire: RpcWire, open: Connections, log: Log) => {
        if (ALLOCATOR_GRPC === undefined) {
          log.warn(withoutAllocator);
          return null;
        }
        const client = new AllocatorClient(wire.connect(rpc.allocator, ALLOCATOR_GRPC));
        open.add(() => client.close());
        return client;
      },
    },
    {
      provide: KnownBuilds,
      inject: [AllocatorClient, SharedClock, LOG],
      useFactory: (allocator: AllocatorClient | null, clock: SharedClock, log: Log) =>
        new KnownBuilds(allocator, clock, (err) => log.warn({ err }, buildsUnknown)),
    },
    {
      provide: VouchedNames,
      inject: [RatingClient, SharedClock, LOG],
      useFactory: (ratings: RatingClient, clock: SharedClock, log: Log) =>
        new VouchedNames(ratings, clock, (err) => log.debug({ err }, namesUntold)),
    },
  ],
  exports: [RatingClient, AssignmentClient, AllocatorClient, KnownBuilds, VouchedNames],
})
export class ServicesModule {}

/** Provides the client of a service without which this one works, if less well. */
function helpful<Client extends RatingClient | AssignmentClient>(
  type: new (caller: RpcCaller, clock: Clock) => Client,
  name: 'rating' | 'assignment',
  targetOf: (settings: QueueSettings) => string,
): FactoryProvider<Client> {
  return {
    provide: type,
    inject: [QUEUE_SETTINGS, RPC, SharedClock, Connections, Dependencies],
    useFactory: (
      settings: QueueSettings,
      wire: RpcWire,
      clock: Clock,
      open: Connections,
      all: Dependencies,
    ) => {
      const client = new type(wire.connect(rpc[name], targetOf(settings)), clock);
      open.add(() => client.close());
      all.add('helpful', { name, check: () => client.reachable(dependencyMs) });
      return client;
    },
  };
}
