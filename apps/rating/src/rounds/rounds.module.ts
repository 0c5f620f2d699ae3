import { construct } from '@muster/platform';
import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { RateReported } from '../ledger/rate-reported.js';
import { ReadHealth } from '../pools/health.js';
import { PoolsModule } from '../pools/pools.module.js';
import { RatingOverrides } from '../ratings/rating-overrides.js';
import { RatingsModule } from '../ratings/ratings.module.js';
import { ReadRatings } from '../ratings/read-ratings.js';
import { Rounds } from './rounds.js';
import { RoundsController } from './rounds.controller.js';

/** The API for community servers that play successive rounds: rate a round, read ratings. */
@Module({
  imports: [LedgerModule, PoolsModule, RatingsModule],
  controllers: [RoundsController],
  providers: [construct(Rounds, [RateReported, ReadRatings, RatingOverrides, ReadHealth])],
})
export class RoundsModule {}
