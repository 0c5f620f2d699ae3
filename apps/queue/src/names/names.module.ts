import { LOG, SharedClock, type Log } from '@muster/platform';
import { Module } from '@nestjs/common';
import { CalibrationModule } from '../calibration/calibration.module.js';
import { RpcRatingReader } from '../calibration/rating.client.js';
import { VouchedNames } from './vouched-names.js';

/** Display names of tokens, on their way to the rating service. */
@Module({
  imports: [CalibrationModule],
  providers: [
    {
      provide: VouchedNames,
      inject: [RpcRatingReader, SharedClock, LOG],
      useFactory: (ratings: RpcRatingReader, clock: SharedClock, log: Log) =>
        new VouchedNames(ratings, clock, (error) =>
          log.debug(
            { err: error },
            'names of players could not be told; they are told with their next tickets',
          ),
        ),
    },
  ],
  exports: [VouchedNames],
})
export class NamesModule {}
