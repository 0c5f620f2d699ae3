import { AFTER_COMMIT, IDS, SharedClock } from '@muster/platform';
import { WakeUps } from '@muster/redis';
import { Module } from '@nestjs/common';
import type { Ids, PlacementTimeouts } from '@muster/domain';
import { Hearing } from '../fleet/hearing.js';
import { DueWork } from '../placement/due.js';
import { PostgresPlacementStore } from '../placement/placement.store.js';
import { StoresModule, TIMEOUTS } from '../stores.module.js';
import { BackfillProcessor } from './backfill.processor.js';
import { BackfillsController } from './backfills.controller.js';
import { Backfills } from './backfills.js';

/** Backfill requests: a server requests players for free seats of a live session. */
@Module({
  imports: [StoresModule],
  controllers: [BackfillsController],
  providers: [
    BackfillProcessor,
    {
      provide: Backfills,
      inject: [PostgresPlacementStore, WakeUps, SharedClock, IDS, AFTER_COMMIT, TIMEOUTS, Hearing, DueWork],
      useFactory: (
        store: PostgresPlacementStore,
        notifier: WakeUps,
        clock: SharedClock,
        ids: Ids,
        afterCommit: () => void,
        { answerMs }: PlacementTimeouts,
        hearing: Hearing,
        due: DueWork,
      ) => new Backfills(store, notifier, clock, ids, afterCommit, answerMs, hearing, due),
    },
  ],
})
export class BackfillModule {}
