import { AFTER_COMMIT, construct, DB, ErrorLog, SharedClock } from '@muster/platform';
import { WakeUps } from '@muster/redis';
import { Module } from '@nestjs/common';
import { WatchModule } from '../watch/watch.module.js';
import { Commands } from './commands.js';
import { PostgresCommandStore } from './commands.store.js';

/** Commands to servers, and their answers. */
@Module({
  imports: [WatchModule],
  providers: [
    construct(PostgresCommandStore, [DB]),
    {
      provide: Commands,
      inject: [PostgresCommandStore, WakeUps, SharedClock, AFTER_COMMIT, ErrorLog],
      useFactory: (
        store: PostgresCommandStore,
        notifier: WakeUps,
        clock: SharedClock,
        afterCommit: () => void,
        errorLog: ErrorLog,
      ) =>
        new Commands(store, notifier, clock, afterCommit, (serverId, kind, seq) =>
          errorLog.report(
            'commands of an unknown kind',
            new Error(
              `${serverId} has command ${seq} of unknown kind "${kind}"; a newer replica delivers it`,
            ),
          ),
        ),
    },
  ],
  exports: [Commands],
})
export class CommandsModule {}
