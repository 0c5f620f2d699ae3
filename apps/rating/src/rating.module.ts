import { Module } from '@nestjs/common';
import { BoostersModule } from './boosters/boosters.module.js';
import { IntegrityModule } from './integrity/integrity.module.js';
import { LedgerModule } from './ledger/ledger.module.js';
import { LeaderboardsModule } from './leaderboards/leaderboards.module.js';
import { LineProtocolModule } from './line-protocol/line-protocol.module.js';
import { NamesModule } from './names/names.module.js';
import { NewcomersModule } from './newcomers/newcomers.module.js';
import { PoolsModule } from './pools/pools.module.js';
import { PredictionsModule } from './predictions/predictions.module.js';
import { RatingsModule } from './ratings/ratings.module.js';
import { RebuildsModule } from './rebuilds/rebuilds.module.js';
import { RoundsModule } from './rounds/rounds.module.js';
import { SeasonsModule } from './seasons/seasons.module.js';

/** Turns results into ratings and ratings into predictions, and measures the predictions against results. */
@Module({
  imports: [
    PoolsModule,
    RatingsModule,
    LedgerModule,
    PredictionsModule,
    RebuildsModule,
    SeasonsModule,
    BoostersModule,
    NewcomersModule,
    NamesModule,
    LeaderboardsModule,
    IntegrityModule,
    RoundsModule,
    LineProtocolModule,
  ],
})
export class RatingModule {}
