import { AFTER_COMMIT, Background, construct, DB, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { hookOf, HostingModule } from '../hosting/hosting.module.js';
import { Hosting } from '../hosting/hosting.js';
import { ALLOCATOR_SETTINGS, type AllocatorSettings, scaleOutLimits } from '../settings.js';
import { CapacityController } from './capacity.controller.js';
import { CapacityReports } from './capacity.js';
import { ScaleOutLoop } from './scale-out.loops.js';
import { ScaleOut } from './scale-out.js';
import { PostgresShortageStore } from './shortages.store.js';

/**
 * Shows capacity to operators, and requests servers when matches find none free or spare slots are missing. Without
 * HOSTING_FILE and SCALE_OUT_URL none are requested.
 */
@Module({
  imports: [HostingModule],
  controllers: [CapacityController],
  providers: [
    ScaleOutLoop,
    construct(PostgresShortageStore, [DB]),
    {
      provide: CapacityReports,
      inject: [PostgresShortageStore, SharedClock, ALLOCATOR_SETTINGS],
      useFactory: (store: PostgresShortageStore, clock: SharedClock, settings: AllocatorSettings) =>
        new CapacityReports(store, clock, scaleOutLimits(settings)),
    },
    {
      provide: ScaleOut,
      inject: [PostgresShortageStore, SharedClock, AFTER_COMMIT, ALLOCATOR_SETTINGS, Background, Hosting],
      useFactory: (
        store: PostgresShortageStore,
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
