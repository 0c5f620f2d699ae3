import { AFTER_COMMIT, construct, DB, SharedClock } from '@muster/platform';
import { WakeUps } from '@muster/redis';
import { Module } from '@nestjs/common';
import type { PlacementTimeouts } from '@muster/domain';
import { FleetModule } from '../fleet/fleet.module.js';
import { PostgresSilence } from '../fleet/silence.store.js';
import { Hearing } from '../watch/hearing.js';
import { ALLOCATOR_SETTINGS, type AllocatorSettings } from '../settings.js';
import { PostgresSessionStore } from '../sessions/sessions.store.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { TIMEOUTS, WatchModule } from '../watch/watch.module.js';
import { AllocatorRpc } from './allocator.rpc.js';
import { DueWork } from '../watch/due.js';
import { LeaveMatch } from './leave-match.js';
import { PlacementProcessor } from './placement.processor.js';
import { PostgresPlacementStore } from './placement.store.js';
import { Placing } from './placing.js';

/** Finds a server for each match, and abandons matches that find none in time. */
@Module({
  imports: [WatchModule, FleetModule, SessionsModule],
  controllers: [AllocatorRpc],
  providers: [
    PlacementProcessor,
    construct(PostgresPlacementStore, [DB]),
    construct(LeaveMatch, [PostgresPlacementStore, SharedClock, AFTER_COMMIT, TIMEOUTS, Hearing]),
    {
      provide: Placing,
      inject: [
        PostgresPlacementStore,
        PostgresSessionStore,
        PostgresSilence,
        WakeUps,
        SharedClock,
        TIMEOUTS,
        ALLOCATOR_SETTINGS,
        Hearing,
        DueWork,
      ],
      useFactory: (
        store: PostgresPlacementStore,
        sessions: PostgresSessionStore,
        silence: PostgresSilence,
        notifier: WakeUps,
        clock: SharedClock,
        timeouts: PlacementTimeouts,
        { MATCH_LIMIT_MS }: AllocatorSettings,
        hearing: Hearing,
        due: DueWork,
      ) => new Placing(store, sessions, silence, notifier, clock, timeouts, MATCH_LIMIT_MS, hearing, due),
    },
  ],
})
export class PlacementModule {}
