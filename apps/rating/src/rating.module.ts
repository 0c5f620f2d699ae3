import { Module } from '@nestjs/common';
import { LedgerModule } from './ledger/ledger.module.js';
import { LinesModule } from './lines/lines.module.js';
import { PoolsModule } from './pools/pools.module.js';
import { PredictionsModule } from './predictions/predictions.module.js';
import { RebuildsModule } from './rebuilds/rebuilds.module.js';
import { RoundsModule } from './rounds/rounds.module.js';

/** Turns results into ratings and ratings into predictions, and measures the predictions against results. */
@Module({
  imports: [PoolsModule, LedgerModule, PredictionsModule, RebuildsModule, RoundsModule, LinesModule],
})
export class RatingModule {}
