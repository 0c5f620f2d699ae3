import { AFTER_COMMIT, construct, SharedClock } from '@muster/platform';
import { WakeUps } from '@muster/redis';
import { Module } from '@nestjs/common';
import type { PlacementTimeouts } from '@muster/domain';
import { FleetModule } from '../fleet/fleet.module.js';
import { Hearing } from '../fleet/hearing.js';
import { ALLOCATOR_SETTINGS, type AllocatorSettings } from '../settings.js';
import { StoresModule, TIMEOUTS } from '../stores.module.js';
import { AllocatorRpc } from './allocator.rpc.js';
import { DueWork } from './due.js';
import { LeaveMatch } from './leave-match.js';
import { PlacementProcessor } from './placement.processor.js';
import { PostgresPlacementStore } from './placement.store.js';
import { Placing } from './placing.js';

/** Finds a server for each match, and abandons matches that find none in time. */
@Module({
  imports: [StoresModule, FleetModule],
  controllers: [AllocatorRpc],
  providers: [
    PlacementProcessor,
    construct(LeaveMatch, [PostgresPlacementStore, SharedClock, AFTER_COMMIT, TIMEOUTS, Hearing]),
    {
      provide: Placing,
      inject: [PostgresPlacementStore, WakeUps, SharedClock, TIMEOUTS, ALLOCATOR_SETTINGS, Hearing, DueWork],
      useFactory: (
        store: PostgresPlacementStore,
        notifier: WakeUps,
        clock: SharedClock,
        timeouts: PlacementTimeouts,
        { MATCH_LIMIT_MS }: AllocatorSettings,
        hearing: Hearing,
        due: DueWork,
      ) => new Placing(store, notifier, clock, timeouts, MATCH_LIMIT_MS, hearing, due),
    },
  ],
})
export class PlacementModule {}
