import { AFTER_COMMIT, construct, DB, IDS, SharedClock } from '@muster/platform';
import { WakeUps } from '@muster/redis';
import { Module } from '@nestjs/common';
import { Hearing } from '../watch/hearing.js';
import { DueWork } from '../watch/due.js';
import { TIMEOUTS, WatchModule } from '../watch/watch.module.js';
import { BackfillProcessor } from './backfill.processor.js';
import { BackfillsController } from './backfills.controller.js';
import { Backfills } from './backfills.js';
import { PostgresBackfillStore } from './backfills.store.js';

/** Backfill requests: a server requests players for free seats of a live session. */
@Module({
  imports: [WatchModule],
  controllers: [BackfillsController],
  providers: [
    BackfillProcessor,
    construct(PostgresBackfillStore, [DB]),
    construct(Backfills, [
      PostgresBackfillStore,
      WakeUps,
      SharedClock,
      IDS,
      AFTER_COMMIT,
      TIMEOUTS,
      Hearing,
      DueWork,
    ]),
  ],
})
export class BackfillModule {}
