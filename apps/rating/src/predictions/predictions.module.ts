import { construct, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module.js';
import { PostgresRatings } from '../core/ratings.store.js';
import { Predict } from './predict.js';
import { PredictionsController } from './predictions.controller.js';
import { PredictionsRpc } from './predictions.rpc.js';

/** Predictions of matches under a pool's rules and calibration. */
@Module({
  imports: [CoreModule],
  controllers: [PredictionsController, PredictionsRpc],
  providers: [construct(Predict, [PostgresRatings, SharedClock])],
})
export class PredictionsModule {}
