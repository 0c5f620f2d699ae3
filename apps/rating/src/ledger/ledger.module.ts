import { AFTER_COMMIT, construct, DB, IDS, LOG, SharedClock, type Log } from '@muster/platform';
import { Module } from '@nestjs/common';
import type { Ids } from '@muster/domain';
import { HabitsModule } from '../integrity/habits.module.js';
import { NamesModule } from '../leaderboards/names.module.js';
import { PoolsModule } from '../pools/pools.module.js';
import { PostgresQueuedPools } from '../pools/queued-pools.store.js';
import { Recalibrate } from '../pools/recalibrate.js';
import { PredictionsModule } from '../predictions/predictions.module.js';
import { PlaceNewcomer } from '../placement/place-newcomer.js';
import { PlacementModule } from '../placement/placement.module.js';
import { RebuildsModule } from '../rebuilds/rebuilds.module.js';
import { Rebuilds } from '../rebuilds/rebuilds.js';
import { StoresModule } from '../stores.module.js';
import { RatingOverrides } from './rating-overrides.js';
import { LedgerProcessor } from './ledger.processor.js';
import { PostgresLedgerStore } from './ledger.store.js';
import { RateReported } from './rate-reported.js';
import { RatingRpc } from './rating.rpc.js';
import { RatingsController } from './ratings.controller.js';
import { ReportPermission } from './report-permission.js';
import { Standings } from './standings.js';
import { VoidMatch } from './void-match.js';

/** Rates each match once; reads, sets and voids ratings. */
@Module({
  imports: [
    StoresModule,
    PoolsModule,
    RebuildsModule,
    PredictionsModule,
    NamesModule,
    HabitsModule,
    PlacementModule,
  ],
  controllers: [RatingsController, RatingRpc],
  providers: [
    LedgerProcessor,
    construct(PostgresQueuedPools, [DB]),
    construct(ReportPermission, [PostgresLedgerStore, PostgresQueuedPools, SharedClock]),
    construct(Standings, [PostgresLedgerStore, SharedClock]),
    construct(RatingOverrides, [PostgresLedgerStore, SharedClock, IDS, PlaceNewcomer]),
    construct(VoidMatch, [PostgresLedgerStore, Rebuilds, SharedClock, IDS, AFTER_COMMIT]),
    {
      provide: RateReported,
      inject: [PostgresLedgerStore, SharedClock, IDS, AFTER_COMMIT, Recalibrate, ReportPermission, LOG],
      useFactory: (
        ledger: PostgresLedgerStore,
        clock: SharedClock,
        ids: Ids,
        afterCommit: () => void,
        recalibrate: Recalibrate,
        permission: ReportPermission,
        log: Log,
      ): RateReported => {
        const afterReport = (pool: string | null): void => {
          afterCommit();
          // Not awaited by the caller: if it fails, the next run of the loop does it.
          if (pool !== null)
            recalibrate
              .reported(pool)
              .catch((error: unknown) =>
                log.warn({ err: error, pool }, 'a recalibration failed; the next run repeats it'),
              );
        };
        return new RateReported(ledger, clock, ids, afterReport, permission);
      },
    },
  ],
  exports: [Standings, RatingOverrides, RateReported],
})
export class LedgerModule {}
