import { AFTER_COMMIT, construct, DB, IDS, LOG, SharedClock, type Log } from '@muster/platform';
import { Module } from '@nestjs/common';
import type { Ids } from '@muster/domain';
import { PoolsModule } from '../pools/pools.module.js';
import { PostgresQueuedPools } from '../pools/queued-pools.store.js';
import { Recalibrate } from '../pools/recalibrate.js';
import { PredictionsModule } from '../predictions/predictions.module.js';
import { RebuildsModule } from '../rebuilds/rebuilds.module.js';
import { Rebuilds } from '../rebuilds/rebuilds.js';
import { StoresModule } from '../stores.module.js';
import { GiveRating } from './give-rating.js';
import { LedgerProcessor } from './ledger.processor.js';
import { PostgresLedgerStore } from './ledger.store.js';
import { RateReported } from './rate-reported.js';
import { RatingRpc } from './rating.rpc.js';
import { RatingsController } from './ratings.controller.js';
import { ReportDoor } from './report-door.js';
import { Standings } from './standings.js';
import { VoidMatch } from './void-match.js';

/** Matches are rated, once each; ratings are read, given and taken back. */
@Module({
  imports: [StoresModule, PoolsModule, RebuildsModule, PredictionsModule],
  controllers: [RatingsController, RatingRpc],
  providers: [
    LedgerProcessor,
    construct(PostgresQueuedPools, [DB]),
    construct(ReportDoor, [PostgresLedgerStore, PostgresQueuedPools, SharedClock]),
    construct(Standings, [PostgresLedgerStore, SharedClock]),
    construct(GiveRating, [PostgresLedgerStore, SharedClock, IDS]),
    construct(VoidMatch, [PostgresLedgerStore, Rebuilds, SharedClock, IDS, AFTER_COMMIT]),
    {
      provide: RateReported,
      inject: [PostgresLedgerStore, SharedClock, IDS, AFTER_COMMIT, Recalibrate, ReportDoor, LOG],
      useFactory: (
        ledger: PostgresLedgerStore,
        clock: SharedClock,
        ids: Ids,
        afterCommit: () => void,
        recalibrate: Recalibrate,
        door: ReportDoor,
        log: Log,
      ): RateReported => {
        const afterReport = (pool: string | null): void => {
          afterCommit();
          // Beside the answer: the next turn of the loop makes up for one that fails.
          if (pool !== null)
            recalibrate
              .reported(pool)
              .catch((error: unknown) => log.warn({ err: error, pool }, 'the recalibration failed'));
        };
        return new RateReported(ledger, clock, ids, afterReport, door);
      },
    },
  ],
  exports: [Standings, GiveRating, RateReported],
})
export class LedgerModule {}
