import { construct } from '@muster/platform';
import { Module } from '@nestjs/common';
import { RatingOverrides } from '../ledger/rating-overrides.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { RateReported } from '../ledger/rate-reported.js';
import { Standings } from '../ledger/standings.js';
import { ReadHealth } from '../pools/health.js';
import { PoolsModule } from '../pools/pools.module.js';
import { Rounds } from './rounds.js';
import { RoundsController } from './rounds.controller.js';

/** The API for community servers that play successive rounds: rate a round, read ratings. */
@Module({
  imports: [LedgerModule, PoolsModule],
  controllers: [RoundsController],
  providers: [construct(Rounds, [RateReported, Standings, RatingOverrides, ReadHealth])],
})
export class RoundsModule {}
