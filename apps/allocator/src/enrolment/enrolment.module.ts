import type { Ids } from '@muster/domain';
import { construct, DB, FleetSecrets, IDS, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { ALLOCATOR_SETTINGS, type AllocatorSettings } from '../settings.js';
import { FleetKeysController } from './fleet-keys.controller.js';
import { FleetKeys } from './fleet-keys.js';
import { PostgresFleetKeys } from './fleet-keys.store.js';

/** Who may register servers, and how many. */
@Module({
  controllers: [FleetKeysController],
  providers: [
    construct(PostgresFleetKeys, [DB]),
    {
      provide: FleetKeys,
      inject: [PostgresFleetKeys, SharedClock, IDS, ALLOCATOR_SETTINGS],
      useFactory: (
        store: PostgresFleetKeys,
        clock: SharedClock,
        ids: Ids,
        { COORDINATOR_KEY }: AllocatorSettings,
      ) => new FleetKeys(store, clock, ids, new FleetSecrets(COORDINATOR_KEY)),
    },
  ],
  exports: [PostgresFleetKeys],
})
export class EnrolmentModule {}
