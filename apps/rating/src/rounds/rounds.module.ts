import { construct } from '@muster/platform';
import { Module } from '@nestjs/common';
import { GiveRating } from '../ledger/give-rating.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { RateReported } from '../ledger/rate-reported.js';
import { Standings } from '../ledger/standings.js';
import { ReadHealth } from '../pools/health.js';
import { PoolsModule } from '../pools/pools.module.js';
import { Rounds } from './rounds.js';
import { RoundsController } from './rounds.controller.js';

/** Community servers play round after round: ratings in, ratings out. */
@Module({
  imports: [LedgerModule, PoolsModule],
  controllers: [RoundsController],
  providers: [construct(Rounds, [RateReported, Standings, GiveRating, ReadHealth])],
})
export class RoundsModule {}
