import {
  AFTER_COMMIT,
  construct,
  DB,
  HabitNotes,
  habitNotes,
  IDS,
  MATCH_STEPS,
  Metrics,
  SharedClock,
} from '@muster/platform';
import { WakeUps } from '@muster/redis';
import { Module } from '@nestjs/common';
import { WatchModule } from '../watch/watch.module.js';
import { BalanceProcessor } from './balance.processor.js';
import { SessionsController } from './sessions.controller.js';
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
    habitNotes,
    construct(Sessions, [
      PostgresSessionStore,
      WakeUps,
      SharedClock,
      IDS,
      AFTER_COMMIT,
      HabitNotes,
      Metrics,
      MATCH_STEPS,
    ]),
  ],
  exports: [PostgresSessionStore],
})
export class SessionsModule {}
