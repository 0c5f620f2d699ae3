import type { Db } from '@muster/db';
import type { LoadLimits } from '@muster/domain';
import { AFTER_COMMIT, construct, DB, ErrorLog, Metrics, SharedClock, token } from '@muster/platform';
import { WakeUps } from '@muster/redis';
import { Inject, Module } from '@nestjs/common';
import { CommandsModule } from '../commands/commands.module.js';
import { EnrolmentModule } from '../enrolment/enrolment.module.js';
import { ALLOCATOR_SETTINGS, replicaName, type AllocatorSettings } from '../settings.js';
import { Hearing } from '../watch/hearing.js';
import { TIMEOUTS, WatchModule } from '../watch/watch.module.js';
import { FleetLoops } from './fleet.loops.js';
import { Fleet } from './fleet.js';
import { FleetRetention } from './retention.store.js';
import { ServersController } from './servers.controller.js';
import { PostgresFleetStore } from './servers.store.js';
import { PostgresSilence } from './silence.store.js';

const LOAD_LIMITS = token<LoadLimits>('load limits');

/** Registration, heartbeats, commands and departure of servers. */
@Module({
  imports: [WatchModule, CommandsModule, EnrolmentModule],
  controllers: [ServersController],
  providers: [
    FleetLoops,
    construct(FleetRetention, [DB]),
    construct(PostgresSilence, [DB]),
    {
      provide: PostgresFleetStore,
      inject: [DB, ALLOCATOR_SETTINGS],
      useFactory: (db: Db, settings: AllocatorSettings) => new PostgresFleetStore(db, replicaName(settings)),
    },
    {
      provide: LOAD_LIMITS,
      inject: [ALLOCATOR_SETTINGS],
      useFactory: ({ OVERLOAD_CPU: cpu, OVERLOAD_TICK: tick }: AllocatorSettings) => ({ cpu, tick }),
    },
    construct(Fleet, [
      PostgresFleetStore,
      WakeUps,
      SharedClock,
      TIMEOUTS,
      AFTER_COMMIT,
      Hearing,
      LOAD_LIMITS,
      ErrorLog,
    ]),
  ],
  exports: [Fleet, PostgresSilence],
})
export class FleetModule {
  constructor(@Inject(Metrics) metrics: Metrics, @Inject(Fleet) fleet: Fleet) {
    const labels = { muster_service: 'allocator' };
    const read = async () => ({ registrationsRefused: [{ labels, value: fleet.refused }] });
    metrics.add({ name: 'registrations', asksStore: false, read });
  }
}
