import type { Db } from '@muster/db';
import { AFTER_COMMIT, construct, DB, habitHash, IDS, SharedClock } from '@muster/platform';
import { WakeUps } from '@muster/redis';
import { Module } from '@nestjs/common';
import { ALLOCATOR_SETTINGS, type AllocatorSettings } from '../settings.js';
import { WatchModule } from '../watch/watch.module.js';
import { BalanceProcessor } from './balance.processor.js';
import { SessionsController } from './sessions.controller.js';
import { PostgresHabitNotes } from './habits.store.js';
import { OutageLoops } from './outage.loops.js';
import { PostgresOutages } from './outages.store.js';
import { Sessions } from './sessions.js';
import { PostgresSessionStore } from './sessions.store.js';

/** Results, abandoned sessions, and outages in them. */
@Module({
  imports: [WatchModule],
  controllers: [SessionsController],
  providers: [
    BalanceProcessor,
    OutageLoops,
    construct(PostgresSessionStore, [DB]),
    construct(PostgresOutages, [DB]),
    {
      provide: PostgresHabitNotes,
      inject: [DB, ALLOCATOR_SETTINGS],
      useFactory: (db: Db, { COORDINATOR_KEY }: AllocatorSettings) =>
        new PostgresHabitNotes(db, habitHash(COORDINATOR_KEY)),
    },
    construct(Sessions, [PostgresSessionStore, WakeUps, SharedClock, IDS, AFTER_COMMIT, PostgresHabitNotes]),
  ],
  exports: [PostgresSessionStore],
})
export class SessionsModule {}
