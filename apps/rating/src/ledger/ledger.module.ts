import { AFTER_COMMIT, construct, DB, habitNotes, IDS, LOG, provide, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module.js';
import { PostgresRatings } from '../core/ratings.store.js';
import { NamesModule } from '../names/names.module.js';
import { PoolsModule } from '../pools/pools.module.js';
import { Recalibrate } from '../pools/recalibrate.js';
import { Rebuilds } from '../rebuilds/rebuilds.js';
import { RebuildsModule } from '../rebuilds/rebuilds.module.js';
import { PostgresConflicts } from './conflicts.store.js';
import { DecideConflict } from './decide-conflict.js';
import { LedgerController } from './ledger.controller.js';
import { LedgerProcessor } from './ledger.processor.js';
import { PostgresMatches } from './matches.store.js';
import { RateReported } from './rate-reported.js';
import { ReportPermission } from './report-permission.js';
import { PostgresReports } from './reported.store.js';
import { VoidMatch } from './void-match.js';

/** Rates each match once, and takes void ones out. */
@Module({
  imports: [CoreModule, PoolsModule, RebuildsModule, NamesModule],
  controllers: [LedgerController],
  providers: [
    LedgerProcessor,
    habitNotes,
    construct(PostgresMatches, [DB]),
    construct(PostgresReports, [DB]),
    construct(ReportPermission, [PostgresRatings, PostgresReports, SharedClock]),
    construct(VoidMatch, [PostgresMatches, Rebuilds, SharedClock, IDS, AFTER_COMMIT]),
    construct(PostgresConflicts, [DB]),
    construct(DecideConflict, [PostgresConflicts, SharedClock, IDS, AFTER_COMMIT]),
    provide(
      RateReported,
      [PostgresReports, SharedClock, IDS, AFTER_COMMIT, Recalibrate, ReportPermission, LOG],
      (reports, clock, ids, afterCommit, recalibrate, permission, log) => {
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
        return new RateReported(reports, clock, ids, afterReport, permission);
      },
    ),
  ],
  exports: [RateReported],
})
export class LedgerModule {}
