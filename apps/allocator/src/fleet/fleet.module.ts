import { AFTER_COMMIT, ErrorLog, Metrics, SharedClock } from '@muster/platform';
import { WakeUps } from '@muster/redis';
import { Inject, Module } from '@nestjs/common';
import type { PlacementTimeouts } from '@muster/domain';
import { PostgresPlacementStore } from '../placement/placement.store.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { ALLOCATOR_SETTINGS, type AllocatorSettings } from '../settings.js';
import { StoresModule, TIMEOUTS } from '../stores.module.js';
import { FleetLoops } from './fleet.loops.js';
import { Fleet } from './fleet.js';
import { Hearing } from './hearing.js';
import { ServersController } from './servers.controller.js';

/** Registration, heartbeats, commands and departure of servers. */
@Module({
  imports: [StoresModule, SessionsModule],
  controllers: [ServersController],
  providers: [
    FleetLoops,
    {
      provide: Fleet,
      inject: [
        PostgresPlacementStore,
        WakeUps,
        SharedClock,
        TIMEOUTS,
        AFTER_COMMIT,
        Hearing,
        ErrorLog,
        ALLOCATOR_SETTINGS,
      ],
      useFactory: (
        store: PostgresPlacementStore,
        notifier: WakeUps,
        clock: SharedClock,
        timeouts: PlacementTimeouts,
        afterCommit: () => void,
        hearing: Hearing,
        errorLog: ErrorLog,
        { OVERLOAD_CPU: cpu, OVERLOAD_TICK: tick }: AllocatorSettings,
      ) =>
        new Fleet(
          store,
          notifier,
          clock,
          timeouts,
          afterCommit,
          hearing,
          (serverId, kind, seq) =>
            errorLog.report(
              'commands of an unknown kind',
              new Error(
                `${serverId} has command ${seq} of unknown kind "${kind}"; a newer replica delivers it`,
              ),
            ),
          { cpu, tick },
          (error) => errorLog.report('registrations', error, 'another server has the id'),
        ),
    },
  ],
  exports: [Fleet],
})
export class FleetModule {
  constructor(@Inject(Metrics) metrics: Metrics, @Inject(Fleet) fleet: Fleet) {
    const labels = { muster_service: 'allocator' };
    const read = async () => ({ registrationsRefused: [{ labels, value: fleet.refused }] });
    metrics.add({ name: 'registrations', asksStore: false, read });
  }
}
