import { rpc } from '@muster/contracts';
import { Connections, LOG, RPC, SharedClock, type Log, type RpcWire } from '@muster/platform';
import { Module } from '@nestjs/common';
import { QUEUE_SETTINGS, type QueueSettings } from '../settings.js';
import { AllocatorClient } from './allocator.client.js';
import { KnownBuilds } from './known-builds.js';

/** Requests of tickets to the allocator service. Without ALLOCATOR_GRPC the client is null. */
@Module({
  providers: [
    {
      provide: AllocatorClient,
      inject: [QUEUE_SETTINGS, RPC, Connections, LOG],
      useFactory: ({ ALLOCATOR_GRPC }: QueueSettings, wire: RpcWire, connections: Connections, log: Log) => {
        if (ALLOCATOR_GRPC === undefined) {
          log.warn(
            'ALLOCATOR_GRPC is not set: players cannot leave a match without a server, and tickets without a build get the build "dev"',
          );
          return null;
        }
        const allocator = new AllocatorClient(wire.connect(rpc.allocator, ALLOCATOR_GRPC));
        connections.add(() => allocator.close());
        return allocator;
      },
    },
    {
      provide: KnownBuilds,
      inject: [AllocatorClient, SharedClock, LOG],
      useFactory: (allocator: AllocatorClient | null, clock: SharedClock, log: Log) =>
        new KnownBuilds(allocator, clock, (error) =>
          log.warn(
            { err: error },
            'the builds of servers cannot be read: tickets without a build get the build "dev", and no client is told to update',
          ),
        ),
    },
  ],
  exports: [AllocatorClient, KnownBuilds],
})
export class AllocatorModule {}
