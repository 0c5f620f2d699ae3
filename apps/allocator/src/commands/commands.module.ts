import { AFTER_COMMIT, construct, DB, ErrorLog, MATCH_STEPS, Metrics, SharedClock } from '@muster/platform';
import { WakeUps } from '@muster/redis';
import { Module } from '@nestjs/common';
import { Trust } from '../trust/trust.js';
import { TrustModule } from '../trust/trust.module.js';
import { WatchModule } from '../watch/watch.module.js';
import { Commands } from './commands.js';
import { PostgresCommandStore } from './commands.store.js';

/** Commands to servers, and their answers. */
@Module({
  imports: [WatchModule, TrustModule],
  providers: [
    construct(PostgresCommandStore, [DB]),
    construct(Commands, [
      PostgresCommandStore,
      Trust,
      WakeUps,
      SharedClock,
      AFTER_COMMIT,
      ErrorLog,
      Metrics,
      MATCH_STEPS,
    ]),
  ],
  exports: [Commands],
})
export class CommandsModule {}
