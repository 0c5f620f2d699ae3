import { construct, DB, IDS, LOG, SharedClock, type Log } from '@muster/platform';
import type { Ids } from '@muster/domain';
import { Module } from '@nestjs/common';
import { RatingClient } from '../services/rating.client.js';
import { ServicesModule } from '../services/services.module.js';
import { Calibrate } from './calibrate.js';
import { CalibrationProcessor } from './calibration.processor.js';
import { PostgresCalibrationStore } from './calibration.store.js';

const droppedText = 'a calibration ended without a rating; the rating from its matches stays';

/** Calibrates newcomers. */
@Module({
  imports: [ServicesModule],
  providers: [
    CalibrationProcessor,
    construct(PostgresCalibrationStore, [DB]),
    {
      provide: Calibrate,
      inject: [PostgresCalibrationStore, RatingClient, SharedClock, IDS, LOG],
      useFactory: (
        searches: PostgresCalibrationStore,
        ratings: RatingClient,
        clock: SharedClock,
        ids: Ids,
        log: Log,
      ) =>
        new Calibrate(searches, ratings, clock, ids, (pool, playerId, why) =>
          log.warn({ pool, playerId, why }, droppedText),
        ),
    },
  ],
  exports: [Calibrate],
})
export class CalibrationModule {}
