import { Module } from '@nestjs/common';
import { BoostersModule } from './boosters/boosters.module.js';
import { IntegrityModule } from './integrity/integrity.module.js';
import { LedgerModule } from './ledger/ledger.module.js';
import { LeaderboardsModule } from './leaderboards/leaderboards.module.js';
import { LinesModule } from './lines/lines.module.js';
import { PlacementModule } from './placement/placement.module.js';
import { PoolsModule } from './pools/pools.module.js';
import { PredictionsModule } from './predictions/predictions.module.js';
import { RebuildsModule } from './rebuilds/rebuilds.module.js';
import { RoundsModule } from './rounds/rounds.module.js';
import { SeasonsModule } from './seasons/seasons.module.js';

/** Turns results into ratings and ratings into predictions, and measures the predictions against results. */
@Module({
  imports: [
    PoolsModule,
    LedgerModule,
    PredictionsModule,
    RebuildsModule,
    SeasonsModule,
    BoostersModule,
    PlacementModule,
    LeaderboardsModule,
    IntegrityModule,
    RoundsModule,
    LinesModule,
  ],
})
export class RatingModule {}
