import { AFTER_COMMIT, Background, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { hookOf, HostingModule } from '../hosting/hosting.module.js';
import { Hosting } from '../hosting/hosting.js';
import { PostgresPlacementStore } from '../placement/placement.store.js';
import { ALLOCATOR_SETTINGS, type AllocatorSettings, scaleOutLimits } from '../settings.js';
import { StoresModule } from '../stores.module.js';
import { CapacityController } from './capacity.controller.js';
import { CapacityReports } from './capacity.js';
import { ScaleOutLoop } from './scale-out.loops.js';
import { ScaleOut } from './scale-out.js';

/**
 * Shows capacity to operators, and requests servers when matches find none free or spare slots are missing. Without
 * HOSTING_FILE and SCALE_OUT_URL none are requested.
 */
@Module({
  imports: [StoresModule, HostingModule],
  controllers: [CapacityController],
  providers: [
    ScaleOutLoop,
    {
      provide: CapacityReports,
      inject: [PostgresPlacementStore, SharedClock, ALLOCATOR_SETTINGS],
      useFactory: (store: PostgresPlacementStore, clock: SharedClock, settings: AllocatorSettings) =>
        new CapacityReports(store, clock, scaleOutLimits(settings)),
    },
    {
      provide: ScaleOut,
      inject: [PostgresPlacementStore, SharedClock, AFTER_COMMIT, ALLOCATOR_SETTINGS, Background, Hosting],
      useFactory: (
        store: PostgresPlacementStore,
        clock: SharedClock,
        afterCommit: () => void,
        settings: AllocatorSettings,
        { signal }: Background,
        hosting: Hosting | null,
      ): ScaleOut | null => {
        const scaler = hosting ?? hookOf(settings, signal);
        if (!scaler) return null;
        return new ScaleOut(store, scaler, clock, afterCommit, scaleOutLimits(settings));
      },
    },
  ],
})
export class ScaleOutModule {}
