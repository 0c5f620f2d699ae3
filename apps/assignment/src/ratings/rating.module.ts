import { rpc } from '@muster/contracts';
import { Connections, Dependencies, RPC, type RpcWire } from '@muster/platform';
import { Module } from '@nestjs/common';
import { RatingClient } from './rating.client.js';
import { ASSIGNMENT_SETTINGS, type AssignmentSettings } from '../settings.js';

/** A service that cannot be reached within this time is reported, in milliseconds. */
const dependencyMs = 800;

/** The rating service, for every feature that reads ratings. */
@Module({
  providers: [
    {
      provide: RatingClient,
      inject: [ASSIGNMENT_SETTINGS, RPC, Connections, Dependencies],
      useFactory: (
        { RATING_GRPC }: AssignmentSettings,
        wire: RpcWire,
        connections: Connections,
        dependencies: Dependencies,
      ): RatingClient => {
        const rating = new RatingClient(wire.connect(rpc.rating, RATING_GRPC));
        connections.add(() => rating.close());
        dependencies.add('helpful', { name: 'rating', check: () => rating.reachable(dependencyMs) });
        return rating;
      },
    },
  ],
  exports: [RatingClient],
})
export class RatingModule {}
