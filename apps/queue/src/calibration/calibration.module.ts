import { rpc } from '@muster/contracts';
import type { Ids } from '@muster/domain';
import {
  Connections,
  construct,
  DB,
  Dependencies,
  IDS,
  LOG,
  RPC,
  SharedClock,
  type Log,
  type RpcWire,
} from '@muster/platform';
import { Module } from '@nestjs/common';
import { QUEUE_SETTINGS, type QueueSettings } from '../settings.js';
import { dependencyMs } from '../assignment.module.js';
import { BatchedSearches } from './batched-searches.store.js';
import { Calibrate } from './calibrate.js';
import { CalibrationProcessor } from './calibration.processor.js';
import { RpcRatingReader } from './rating.client.js';

/** Reads ratings from the rating service and calibrates newcomers. */
@Module({
  providers: [
    CalibrationProcessor,
    construct(BatchedSearches, [DB]),
    {
      provide: RpcRatingReader,
      inject: [QUEUE_SETTINGS, RPC, SharedClock, Connections, Dependencies],
      useFactory: (
        { RATING_GRPC }: QueueSettings,
        wire: RpcWire,
        clock: SharedClock,
        connections: Connections,
        dependencies: Dependencies,
      ) => {
        const ratings = new RpcRatingReader(wire.connect(rpc.rating, RATING_GRPC), clock);
        connections.add(() => ratings.close());
        dependencies.add('helpful', { name: 'rating', check: () => ratings.reachable(dependencyMs) });
        return ratings;
      },
    },
    {
      provide: Calibrate,
      inject: [BatchedSearches, RpcRatingReader, SharedClock, IDS, LOG],
      useFactory: (
        searches: BatchedSearches,
        ratings: RpcRatingReader,
        clock: SharedClock,
        ids: Ids,
        log: Log,
      ) =>
        new Calibrate(searches, ratings, ratings, clock, ids, (pool, playerId, why) =>
          log.warn(
            { pool, playerId, why },
            'a calibration ended without a rating; the rating from its matches stays',
          ),
        ),
    },
  ],
  exports: [RpcRatingReader, Calibrate],
})
export class CalibrationModule {}
