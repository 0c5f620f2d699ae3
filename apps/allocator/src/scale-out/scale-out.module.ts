import { AFTER_COMMIT, Background, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { PostgresPlacementStore } from '../placement/placement.store.js';
import { ALLOCATOR_SETTINGS, type AllocatorSettings, scaleOutLimits } from '../settings.js';
import { StoresModule } from '../stores.module.js';
import { CapacityController } from './capacity.controller.js';
import { CapacityReports } from './capacity.js';
import { ScaleOutLoop } from './scale-out.loops.js';
import { ScaleOut } from './scale-out.js';
import { WebhookScaler } from './webhook-scaler.client.js';

/**
 * Shows capacity to operators, and requests servers when matches find none free or spare slots are missing. Without
 * SCALE_OUT_URL none are requested.
 */
@Module({
  imports: [StoresModule],
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
      inject: [PostgresPlacementStore, SharedClock, AFTER_COMMIT, ALLOCATOR_SETTINGS, Background],
      useFactory: (
        store: PostgresPlacementStore,
        clock: SharedClock,
        afterCommit: () => void,
        settings: AllocatorSettings,
        { signal }: Background,
      ): ScaleOut | null => {
        const { SCALE_OUT_URL: url, SCALE_OUT_TOKEN: token, SCALE_OUT_TIMEOUT_MS: timeoutMs } = settings;
        if (url === undefined) return null;
        const scaler = new WebhookScaler(url, token, timeoutMs, signal);
        return new ScaleOut(store, scaler, clock, afterCommit, scaleOutLimits(settings));
      },
    },
  ],
})
export class ScaleOutModule {}
