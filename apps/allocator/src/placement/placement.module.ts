import { construct, DB, MATCH_STEPS, Metrics, SharedClock } from '@muster/platform';
import { WakeUps } from '@muster/redis';
import { Module } from '@nestjs/common';
import { FleetModule } from '../fleet/fleet.module.js';
import { PostgresSilence } from '../fleet/silence.store.js';
import { Hearing } from '../watch/hearing.js';
import { PostgresSessionStore } from '../sessions/sessions.store.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { TIMEOUTS, WatchModule } from '../watch/watch.module.js';
import { AllocatorRpc } from './allocator.rpc.js';
import { DueWork } from '../watch/due.js';
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
    construct(Placing, [
      PostgresPlacementStore,
      PostgresSessionStore,
      PostgresSilence,
      WakeUps,
      SharedClock,
      TIMEOUTS,
      Hearing,
      DueWork,
      Metrics,
      MATCH_STEPS,
    ]),
  ],
})
export class PlacementModule {}
